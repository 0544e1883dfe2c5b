"""A person's history with cases about the world in it: their sessions within the span, everything under its names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

from recollect.benchmarks.subtlememory.generate.schedule import CLOSES, OPENS
from recollect.benchmarks.subtlememory.items import Bundle, Instance, Talk, time_of
from recollect.domain.errors import DataError, listed

DAY_S = 86_400
WHERE = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A case about the world that has no person yet."""

    instance: Instance
    talks: tuple[Talk, ...]
    nearest: float
    """Highest similarity to a case about a user."""


def joined(bundle: Bundle, cases: Sequence[Loose], rng: Random) -> Bundle:
    """A person with the cases that were dealt; times lie evenly between the first session and the last."""
    who = bundle.instances[0]
    names = {talk.session_id: _name(bundle.key, one, place) for one in cases for place, talk in enumerate(one.talks)}
    spread = _spread(cases, rng)
    moved = [
        replace(talk, session_id=names[talk.session_id], persona_id=who.persona_id, timestamp=moment.isoformat())
        for talk, moment in zip(spread, _moments(bundle, len(spread)), strict=True)
    ]
    talks = sorted((*bundle.talks, *moved), key=lambda talk: (time_of(talk), talk.session_id))
    instances = [
        replace(
            one.instance,
            persona_id=who.persona_id,
            persona_str=who.persona_str,
            session_ids=tuple(names[name] for name in one.instance.session_ids),
        )
        for one in cases
    ]
    return Bundle(
        key=bundle.key,
        talks=tuple(replace(talk, order=order) for order, talk in enumerate(talks)),
        instances=(*bundle.instances, *instances),
    )


def _name(folder: str, one: Loose, place: int) -> str:
    return f"unrelated-{folder}-{one.instance.case_id.removeprefix('unrelated-')}-s{place + 1}"


def _spread(cases: Sequence[Loose], rng: Random) -> list[Talk]:
    """All sessions, those of a case in their order and as far apart as there is room."""
    placed: list[tuple[float, str, Talk]] = []
    for one in cases:
        offset = rng.random()
        placed += [((place + offset) / len(one.talks), talk.session_id, talk) for place, talk in enumerate(one.talks)]
    return [talk for _, _, talk in sorted(placed, key=lambda each: each[:2])]


def _moments(bundle: Bundle, count: int) -> list[datetime]:
    """Even times within the span of a person, by day; none is that of a session which is there."""
    times = sorted(time_of(talk) for talk in bundle.talks)
    taken, first, last = set(times), times[0], times[-1]
    found: list[datetime] = []
    for number in range(1, count + 1):
        moment = min(max(_by_day(first + (last - first) * number / (count + 1)), first), last)
        step = timedelta(seconds=-1 if moment == last > first else 1)
        while moment in taken:
            moment += step
        taken.add(moment)
        found.append(moment)
    return sorted(found)


def _by_day(moment: datetime) -> datetime:
    """The same day, the night left out."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    share = (moment - midnight).total_seconds() / DAY_S
    return midnight + timedelta(seconds=OPENS + int(share * (CLOSES - OPENS)))


def validate(bundles: Sequence[Bundle]) -> None:
    """What was joined keeps the promises of the format.

    Raises:
        DataError: With all that are broken.
    """
    ids = [("session", talk.session_id) for bundle in bundles for talk in bundle.talks]
    ids += [("instance", one.instance_id) for bundle in bundles for one in bundle.instances]
    problems = [f"{kind} `{name}` is there {count} times" for (kind, name), count in Counter(ids).items() if count > 1]
    for bundle in bundles:
        there = {talk.session_id for talk in bundle.talks}
        for one in bundle.instances:
            if not one.qas:
                problems.append(f"{bundle.key}: `{one.instance_id}` asks nothing")
            problems += [f"{bundle.key}: session `{name}` is missing" for name in one.session_ids if name not in there]
        if any(time_of(second) < time_of(first) for first, second in pairwise(bundle.talks)):
            problems.append(f"{bundle.key}: sessions are not in the order of time")
    if problems:
        raise DataError(listed(problems), WHERE)
