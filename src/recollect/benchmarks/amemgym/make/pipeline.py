"""The steps in order, and the data set that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from recollect.benchmarks.amemgym.histories import NAME, dataset_of
from recollect.benchmarks.amemgym.items import Item as User
from recollect.benchmarks.amemgym.make import answers, beginnings, lives, progress, tellings
from recollect.benchmarks.amemgym.make.persons import Person
from recollect.benchmarks.amemgym.make.users import ordered, user
from recollect.benchmarks.amemgym.rows import item_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.making.steps import Item, Pipeline, Rule, Sight
from recollect.records.digests import digest

PIPELINE = Pipeline(
    name="amemgym/users",
    stages=(
        *beginnings.STAGES,
        *lives.STAGES,
        *answers.STAGES,
        *tellings.STAGES,
        Rule(name=progress.USER, make=user),
    ),
)
"""A user is whole or rejected: every step needs all of its parts."""


def dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The users that were made, choices in an order by *seed*; the origin names those that were not.

    Raises:
        DataError: No user was made.
    """
    if not made:
        raise DataError("no user was made; the log of rejects says why", NAME)
    users = [ordered(user_of(made[item.key]), seed) for item in of if item.key in made]
    return dataset_of(users, _told(of, made, seed, maker))


def user_of(sight: Sight) -> User:
    """The user that was made.

    Raises:
        DataError: The row says none, which a checked one never does.
    """
    found, problems = item_of(sight.of(progress.USER))
    if found is None:
        raise DataError("; ".join(problems), sight.item.key)
    return found


def _told(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> str:
    people: list[Person] = [item.data for item in of]
    sources = ", ".join(sorted({person.source for person in people}))
    settings = digest([asdict(person.config) for person in people[:1]]).partition(":")[2]
    missing = [item.key for item in of if item.key not in made]
    rejected = f"; rejected: {', '.join(missing)}" if missing else ""
    told = f"{len(made)} of {len(of)} users, {sources}, configuration {settings[:16]}"
    return f"made with seed {seed} by {maker}: {told}{rejected}"
