"""The pipeline, and the data set that it makes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from random import Random

from recollect.benchmarks.amemgym.generate.answers import least_telling, position_gains
from recollect.benchmarks.amemgym.generate.talks import session_times, updates_of
from recollect.benchmarks.amemgym.histories import NAME, dataset_of
from recollect.benchmarks.amemgym.items import Choice, Period, Qa, Talk, problems_of
from recollect.benchmarks.amemgym.items import Item as User
from recollect.benchmarks.amemgym.make import answers, periods, progress, queries, schemas
from recollect.benchmarks.amemgym.make.persons import Person
from recollect.benchmarks.amemgym.rows import item_of, row_of
from recollect.benchmarks.amemgym.settings import period_ends
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.making.steps import DroppedError, Item, Pipeline, Rule, Ruled, Sight
from recollect.records.digests import digest

DRAWS = 32
"""Orders of a question's choices, of which the one with the right ones spread most evenly is kept."""


def user(sight: Sight) -> Ruled:
    """The row of a user, choices still in the order of their values.

    Raises:
        DroppedError: A period has more talks than days, or a promise of the format is broken.
    """
    settings, profile = progress.config(sight), progress.profile(sight)
    whole = User(
        id=profile.uuid,
        start_time=settings.start_date,
        user_profile=profile,
        state_schema={name: tuple(values) for name, values in progress.schema(sight).items()},
        periods=tuple(_period(sight, number) for number in range(settings.num_periods + 1)),
        qas=tuple(_asked(sight, index) for index in range(len(progress.questions(sight)))),
    )
    problems = [str(problem) for problem in problems_of(whole)]
    for number, qa in enumerate(whole.qas):
        if len({choice.answer for choice in qa.answer_choices}) < len(qa.answer_choices):
            problems.append(f"question {number}: two choices read the same")
    if problems:
        raise DroppedError("invariants", "; ".join(problems))
    return Ruled(row_of(whole))


def ordered(item: User, seed: int) -> User:
    """*item* with its choices in an order by *seed*, in which no position is right more often than need be."""
    rng, gained = Random(f"{seed}:{item.id}:order"), defaultdict[str, float](float)
    asked = []
    for qa in item.qas:
        draws = [
            replace(qa, answer_choices=tuple(rng.sample(qa.answer_choices, len(qa.answer_choices))))
            for _ in range(DRAWS)
        ]
        gains = []
        for draw in draws:
            right = Counter(item.right_choice(draw, number) for number in range(len(item.periods)))
            gains.append(position_gains(right, len(draw.answer_choices)))
        asked.append(draws[least_telling(gains, gained)])
    return replace(item, qas=tuple(asked))


def _period(sight: Sight, number: int) -> Period:
    settings, states = progress.config(sight), progress.states(sight)
    ends, part = period_ends(settings), progress.period_part(number)
    openings = progress.openings(sight, number)
    rng = Random(f"{settings.seed}:{sight.item.key}:times:{number}")
    checked = [sight.of(progress.EXPOSED, f"{part}.s{index:02d}") for index in range(len(openings))]
    return Period(
        period_start=ends[number - 1] if number else None,
        period_end=ends[number],
        period_summary=sight.of(progress.UPDATES, part)["period_summary"] if number else None,
        sessions=tuple(
            Talk(event=opening.event, exposed_states=opening.exposed, query=draft["query"], session_time=at)
            for opening, draft, at in zip(openings, checked, times(ends, number, len(openings), rng), strict=True)
        ),
        state=states[number],
        updates=updates_of(states[number - 1] if number else {}, states[number]),
        update_cnts=progress.counts(sight),
    )


def times(ends: Sequence[str], number: int, talks: int, rng: Random) -> list[str]:
    """When the talks of a period begin; raises `DroppedError` for more talks than days."""
    try:
        return session_times(ends, number, talks, rng)
    except ValueError:
        raise DroppedError("days", f"period {number} has {talks} talks, more than days") from None


def _asked(sight: Sight, index: int) -> Qa:
    asked, variants = progress.questions(sight)[index], sight.of(progress.VARIANTS)[index]
    answers = [sight.of(progress.ANSWERED, f"q{index:02d}.v{number}") for number in range(1, len(variants) + 1)]
    return Qa(
        query=asked["query"],
        required_info=tuple(asked["required_info"]),
        answer_choices=tuple(
            Choice(state=tuple(variant["state"]), answer=draft["answer"], type=variant["type"])
            for variant, draft in zip(variants, answers, strict=True)
        ),
    )


PIPELINE = Pipeline(
    name="amemgym/users",
    stages=(
        *schemas.STAGES,
        *periods.STAGES,
        *answers.STAGES,
        *queries.STAGES,
        Rule(name=progress.USER, make=user),
    ),
)
"""A user is complete or rejected: every step needs all of its parts."""


def dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The users that were made, choices in an order by *seed*; the origin names those that were not.

    Raises:
        DataError: No user was made.
    """
    if not made:
        raise DataError("no user was made; the log of rejects says why", NAME)
    users = [ordered(user_of(made[item.key]), seed) for item in of if item.key in made]
    people: list[Person] = [item.data for item in of]
    sources = ", ".join(sorted({person.source for person in people}))
    settings = digest([asdict(person.config) for person in people[:1]]).partition(":")[2]
    missing = [item.key for item in of if item.key not in made]
    rejected = f"; rejected: {', '.join(missing)}" if missing else ""
    counts = f"{len(made)} of {len(of)} users, {sources}, configuration {settings[:16]}"
    return dataset_of(users, f"made with seed {seed} by {maker}: {counts}{rejected}")


def user_of(sight: Sight) -> User:
    """The user that was made.

    Raises:
        DataError: The row is broken, which a checked one never is.
    """
    found, problems = item_of(sight.of(progress.USER))
    if found is None:
        raise DataError("; ".join(problems), sight.item.key)
    return found
