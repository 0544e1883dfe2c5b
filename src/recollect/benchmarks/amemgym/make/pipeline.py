"""The steps in order, and the data set that they make."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from random import Random

from recollect.benchmarks.amemgym.histories import NAME, dataset_of
from recollect.benchmarks.amemgym.items import Choice, Period, Qa, Talk, Update, problems_of
from recollect.benchmarks.amemgym.items import Item as User
from recollect.benchmarks.amemgym.make import answers, periods, progress, queries, schemas
from recollect.benchmarks.amemgym.make.persons import Person
from recollect.benchmarks.amemgym.rows import item_of, row_of
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError
from recollect.making.steps import DroppedError, Item, Pipeline, Rule, Ruled, Sight
from recollect.records.digests import digest

EVENING, SECONDS = time(19), 3 * 60 * 60
"""Talks begin between 19:00 and 22:00."""
DRAWS = 32
"""Orders of a question's choices, of which the one is kept after which the right ones are spread most evenly."""


def user(sight: Sight) -> Ruled:
    """The row of a user, choices still in the order of their values.

    Raises:
        DroppedError: A period has more talks than days, or a promise of the format is broken.
    """
    whole = _user(sight)
    problems = [str(problem) for problem in problems_of(whole)]
    problems += [
        f"question {place}: two choices read the same"
        for place, qa in enumerate(whole.qas)
        if (len({choice.answer for choice in qa.answer_choices}) < len(qa.answer_choices))
    ]
    if problems:
        raise DroppedError("invariants", "; ".join(problems))
    return Ruled(row_of(whole))


def ordered(item: User, seed: int) -> User:
    """*item* with its choices in an order by *seed*, in which no place is right more often than need be."""
    rng, gained = Random(f"{seed}:{item.id}:order"), defaultdict[int, float](float)
    asked = []
    for qa in item.qas:
        draws = [
            replace(qa, answer_choices=tuple(rng.sample(qa.answer_choices, len(qa.answer_choices))))
            for _ in range(DRAWS)
        ]
        gains = [_gains(item, draw) for draw in draws]
        best = min(range(DRAWS), key=lambda place: sum((gained[at] + gain) ** 2 for at, gain in gains[place].items()))
        for at, gain in gains[best].items():
            gained[at] += gain
        asked.append(draws[best])
    return replace(item, qas=tuple(asked))


def _gains(item: User, qa: Qa) -> dict[int, float]:
    """Place -> in how many periods more than by chance its choice is right."""
    right = Counter(item.right_choice(qa, number) for number in range(len(item.periods)))
    chance = len(item.periods) / len(qa.answer_choices)
    return {place: right[place] - chance for place in range(len(qa.answer_choices))}


def _user(sight: Sight) -> User:
    settings, profile = progress.config(sight), progress.profile(sight)
    return User(
        id=profile.uuid,
        start_time=settings.start_date,
        user_profile=profile,
        state_schema={name: tuple(values) for name, values in progress.schema(sight).items()},
        periods=tuple(_period(sight, number) for number in range(settings.num_periods + 1)),
        qas=tuple(_asked(sight, place) for place in range(len(progress.questions(sight)))),
    )


def _period(sight: Sight, number: int) -> Period:
    settings, states = progress.config(sight), progress.states(sight)
    ends = progress.ends(settings)
    before = states[number - 1] if number else {}
    return Period(
        period_start=ends[number - 1] if number else None,
        period_end=ends[number],
        period_summary=_summary(sight, number),
        sessions=_talks(sight, number, ends),
        state=states[number],
        updates={
            name: Update(old=before.get(name), new=value)
            for name, value in states[number].items()
            if before.get(name) != value
        },
        update_cnts=progress.counts(sight),
    )


def _summary(sight: Sight, number: int) -> str | None:
    if number == 0:
        return None
    told: str = sight.of(progress.UPDATES, progress.period_part(number))["period_summary"]
    return told


def _talks(sight: Sight, number: int, ends: Sequence[str]) -> tuple[Talk, ...]:
    """The talks of a period as they were checked, one evening after another."""
    part, openings = progress.period_part(number), progress.openings(sight, number)
    rng = Random(f"{progress.config(sight).seed}:{sight.item.key}:times:{number}")
    checked = [sight.of(progress.EXPOSED, f"{part}.s{place:02d}") for place in range(len(openings))]
    return tuple(
        Talk(event=opening.event, exposed_states=opening.exposed, query=draft["query"], session_time=at)
        for opening, draft, at in zip(openings, checked, times(ends, number, len(openings), rng), strict=True)
    )


def times(ends: Sequence[str], number: int, talks: int, rng: Random) -> list[str]:
    """When the talks of a period begin: on its last days, one a day.

    Raises:
        DroppedError: There are more talks than days.
    """
    last = date.fromisoformat(ends[number])
    days = [last - timedelta(days=back) for back in range(talks - 1, -1, -1)]
    if number and days and days[0] <= date.fromisoformat(ends[number - 1]):
        raise DroppedError("days", f"period {number} has {talks} talks, more than days")
    return [str(datetime.combine(day, EVENING) + timedelta(seconds=rng.randrange(SECONDS))) for day in days]


def _asked(sight: Sight, place: int) -> Qa:
    asked, found = progress.questions(sight)[place], sight.of(progress.VARIANTS)[place]
    answers = [sight.of(progress.ANSWERED, f"q{place:02d}.v{number}") for number in range(1, len(found) + 1)]
    return Qa(
        query=asked["query"],
        required_info=tuple(asked["required_info"]),
        answer_choices=tuple(
            Choice(state=tuple(one["state"]), answer=draft["answer"], type=one["type"])
            for one, draft in zip(found, answers, strict=True)
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
