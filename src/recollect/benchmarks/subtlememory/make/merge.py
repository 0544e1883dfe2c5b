"""Cases about users and cases about the world in one history: none too near, as many of the one as of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from recollect.benchmarks.subtlememory.generate.cases.specs import relation_plan
from recollect.benchmarks.subtlememory.histories import NAME, ROWS, TASK, dataset_of
from recollect.benchmarks.subtlememory.items import (
    FOLDED,
    RELATED,
    RELATIONS,
    SUBTYPES,
    UNRELATED,
    Bundle,
    Instance,
    Talk,
    time_of,
)
from recollect.benchmarks.subtlememory.load.bundles import bundle_of_rows
from recollect.benchmarks.subtlememory.make.sources.neighbours import unit_rows
from recollect.benchmarks.subtlememory.rows import INSTANCE_ROWS, SESSION_ROWS
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, listed
from recollect.worlds.schedules import CLOSES, OPENS

LIMIT = 0.4
"""Similarity to a case about a user from which on a case about the world is left out; that of the authors."""
Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts -> a row for each, such as `embed` of an embedder."""
DAY_S = 86_400
WHERE = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one person got."""

    persona_id: str
    related: int
    """Cases about the user."""
    unrelated: Mapping[str, int]
    """Relation -> cases about the world."""
    nearest: float
    """Highest similarity of one of them to any case about a user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeReport:
    """How a merge went."""

    seed: int
    limit: float
    related: int
    """Cases about users, of all persons."""
    pool: Mapping[str, int]
    """Relation -> cases about the world that there were."""
    near: Mapping[str, int]
    """Relation -> those that were too near to a case about a user."""
    left: int
    """Cases that were near to none and got no person."""
    persons: tuple[Share, ...]


class Merged(NamedTuple):
    """Persons with both kinds of cases."""

    bundles: tuple[Bundle, ...]
    report: MergeReport


class MergedData(NamedTuple):
    """The same as a data set."""

    dataset: Dataset
    report: MergeReport


def merged_data(related: Dataset, unrelated: Dataset, embed: Embed, *, seed: int, limit: float = LIMIT) -> MergedData:
    """`merge` of two data sets; the origin says what was merged.

    Raises:
        DataError: Data of another benchmark, too few cases, or ids that clash.
    """
    bundles, report = merge(bundles_in(related), bundles_in(unrelated), embed, seed=seed, limit=limit)
    told = f"merged with seed {seed}, similarity below {limit}: {related.origin} | {unrelated.origin}"
    return MergedData(dataset_of(bundles, told), report)


def bundles_in(dataset: Dataset) -> tuple[Bundle, ...]:
    """The persons of a data set.

    Raises:
        DataError: It is of another benchmark.
    """
    if dataset.benchmark != NAME:
        raise DataError(f"these are histories of `{dataset.benchmark}`, not of `{NAME}`", dataset.origin)
    kept = dataset.shared[TASK][ROWS]
    names = [one.original_id for one in dataset.histories]
    return tuple(bundle_of_rows(name, kept[name][SESSION_ROWS], kept[name][INSTANCE_ROWS]) for name in names)


def merge(
    related: Sequence[Bundle], unrelated: Sequence[Bundle], embed: Embed, *, seed: int, limit: float = LIMIT
) -> Merged:
    """Give each person as many cases about the world as there are about the user, balanced over relations.

    Args:
        related: Persons with cases about themselves.
        unrelated: Cases about the world, whoever they lie with; no case is given to two persons.
        embed: Asked for the facts of each case, as one text.
        seed: Draws which cases a person gets, and their places in time.
        limit: Highest similarity to any case about any user, not included.

    Raises:
        DataError: There are too few cases of a relation, or ids that clash.

    Source:
        SubtleMemory, construction code, merge of both kinds; sessions of one case are spread here.
    """
    _refuse_mixed(related, unrelated)
    pool = _pool(related, unrelated, embed)
    far = [one for one in pool if one.nearest < limit]
    given = _dealt(related, far, seed)
    bundles = tuple(
        joined(bundle, cases, Random(f"{seed}|{_persona(bundle)}|times"))
        for bundle, cases in zip(related, given, strict=True)
    )
    validate(bundles)
    report = MergeReport(
        seed=seed,
        limit=limit,
        related=sum(len(bundle.instances) for bundle in related),
        pool=_by_relation(pool),
        near=_by_relation([one for one in pool if one.nearest >= limit]),
        left=len(far) - sum(map(len, given)),
        persons=tuple(_share(bundle, cases) for bundle, cases in zip(related, given, strict=True)),
    )
    return Merged(bundles, report)


def nearest(unrelated: Sequence[str], related: Sequence[str], embed: Embed) -> NDArray[np.float64]:
    """Highest cosine of each text of the first to any of the second; a text without direction is near to none."""
    if not unrelated or not related:
        return np.zeros(len(unrelated))
    other, one = unit_rows(unrelated, embed), unit_rows(related, embed)
    found: NDArray[np.float64] = (other @ one.T).max(axis=1)
    return found


def _pool(related: Sequence[Bundle], unrelated: Sequence[Bundle], embed: Embed) -> list[Loose]:
    """All cases about the world, in the order of their ids."""
    loose = [(instance, bundle) for bundle in unrelated for instance in bundle.instances]
    loose.sort(key=lambda pair: pair[0].instance_id)
    users = [_facts(instance) for bundle in related for instance in bundle.instances]
    near = nearest([_facts(instance) for instance, _ in loose], users, embed)
    talks = {id(bundle): {talk.session_id: talk for talk in bundle.talks} for bundle in unrelated}
    return [
        Loose(
            instance=instance,
            talks=tuple(talks[id(bundle)][name] for name in dict.fromkeys(instance.session_ids)),
            nearest=float(value),
        )
        for (instance, bundle), value in zip(loose, near, strict=True)
    ]


def _facts(instance: Instance) -> str:
    return " ".join(instance.facts)


def _dealt(related: Sequence[Bundle], far: Sequence[Loose], seed: int) -> list[list[Loose]]:
    """Cases for each person, in the order of persons.

    Raises:
        DataError: There are too few.
    """
    plans = [_plan(len(bundle.instances)) for bundle in related]
    free = {relation: [one for one in far if _relation(one.instance) == relation] for relation in RELATIONS}
    needed = {relation: sum(plan[relation] for plan in plans) for relation in RELATIONS}
    short = [
        f"{needed[relation]} {relation} cases about the world are needed, and {len(free[relation])} are near to no user"
        for relation in RELATIONS
        if needed[relation] > len(free[relation])
    ]
    if short:
        raise DataError(listed(short), WHERE, fix="Make more of them, or raise the limit.")
    given: list[list[Loose]] = []
    for bundle, plan in zip(related, plans, strict=True):
        rng = Random(f"{seed}|{_persona(bundle)}")
        mine = [one for relation in RELATIONS for one in rng.sample(free[relation], plan[relation])]
        taken = {one.instance.instance_id for one in mine}
        free = {name: [one for one in left if one.instance.instance_id not in taken] for name, left in free.items()}
        given.append(mine)
    return given


def _plan(count: int) -> dict[str, int]:
    """Relation -> cases, as even as can be; what does not divide goes as it does for users."""
    plan = dict.fromkeys(RELATIONS, 0)
    for subtype, share in relation_plan(count).items():
        plan[SUBTYPES[subtype]] += share
    return plan


def _relation(instance: Instance) -> str:
    subtype = FOLDED.get(instance.relation_subtype, instance.relation_subtype)
    return SUBTYPES.get(subtype, instance.relation_type)


def _persona(bundle: Bundle) -> str:
    return bundle.instances[0].persona_id


def _by_relation(cases: Sequence[Loose]) -> dict[str, int]:
    counts = Counter(_relation(one.instance) for one in cases)
    return {relation: counts[relation] for relation in RELATIONS}


def _share(bundle: Bundle, cases: Sequence[Loose]) -> Share:
    return Share(
        persona_id=_persona(bundle),
        related=len(bundle.instances),
        unrelated=_by_relation(cases),
        nearest=round(max((one.nearest for one in cases), default=0.0), 4),
    )


def _refuse_mixed(related: Sequence[Bundle], unrelated: Sequence[Bundle]) -> None:
    """Each side holds its own kind, sessions for all its cases, and none twice."""
    counts = Counter(one.instance_id for bundle in (*related, *unrelated) for one in bundle.instances)
    problems = [f"instance `{name}` is there {count} times" for name, count in counts.items() if count > 1]
    for side, source in ((related, RELATED), (unrelated, UNRELATED)):
        for bundle in side:
            there = {talk.session_id for talk in bundle.talks}
            for one in bundle.instances:
                if one.source != source:
                    problems.append(f"{bundle.key}: `{one.instance_id}` is {one.source}, not {source}")
                lost = [name for name in one.session_ids if name not in there]
                if lost or not one.session_ids:
                    problems.append(f"{bundle.key}: `{one.instance_id}` names no session that is there: {lost}")
            if not bundle.instances or not bundle.talks:
                problems.append(f"{bundle.key}: it holds no case")
    if not related:
        problems.append("there is no person")
    if problems:
        raise DataError(listed(problems), WHERE)


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
