"""Cases about users and cases about the world in one history: none too similar, equally many of each."""

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
"""A case about the world at least this similar to a case about a user is left out; the authors' limit."""
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
    """Counts of a merge."""

    seed: int
    limit: float
    related: int
    """Cases about users, of all persons."""
    pool: Mapping[str, int]
    """Relation -> cases about the world."""
    near: Mapping[str, int]
    """Relation -> those that were too similar to a case about a user."""
    left: int
    """Cases below the limit that were not used."""
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
    """`merge` of two data sets; the origin names both.

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
    names = [history.original_id for history in dataset.histories]
    return tuple(bundle_of_rows(name, kept[name][SESSION_ROWS], kept[name][INSTANCE_ROWS]) for name in names)


def merge(
    related: Sequence[Bundle], unrelated: Sequence[Bundle], embed: Embed, *, seed: int, limit: float = LIMIT
) -> Merged:
    """Give each person as many cases about the world as there are about the user, balanced over relations.

    Args:
        related: Persons with cases about themselves.
        unrelated: Cases about the world, of any persons; no case is given to two persons.
        embed: Called with the facts of each case, as one text.
        seed: Draws which cases a person gets, and when their sessions take place.
        limit: Similarity to any case about any user must be below this.

    Raises:
        DataError: There are too few cases of a relation, or ids that clash.

    Source:
        SubtleMemory, construction code, merge of both kinds; sessions of one case are spread here.
    """
    _validate_input(related, unrelated)
    pool = _pool(related, unrelated, embed)
    far = [case for case in pool if case.nearest < limit]
    shares = list(zip(related, _deal(related, far, seed), strict=True))
    bundles = tuple(_joined(bundle, cases, Random(f"{seed}|{_persona(bundle)}|times")) for bundle, cases in shares)
    _validate(bundles)
    report = MergeReport(
        seed=seed,
        limit=limit,
        related=sum(len(bundle.instances) for bundle in related),
        pool=_by_relation(pool),
        near=_by_relation([case for case in pool if case.nearest >= limit]),
        left=len(far) - sum(len(cases) for _, cases in shares),
        persons=tuple(
            Share(
                persona_id=_persona(bundle),
                related=len(bundle.instances),
                unrelated=_by_relation(cases),
                nearest=round(max((case.nearest for case in cases), default=0.0), 4),
            )
            for bundle, cases in shares
        ),
    )
    return Merged(bundles, report)


def nearest(unrelated: Sequence[str], related: Sequence[str], embed: Embed) -> NDArray[np.float64]:
    """Highest cosine of each text of the first to any of the second; 0 for a text with a zero vector."""
    if not unrelated or not related:
        return np.zeros(len(unrelated))
    found: NDArray[np.float64] = (unit_rows(unrelated, embed) @ unit_rows(related, embed).T).max(axis=1)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _WorldCase:
    """A case about the world that can be given to a person."""

    instance: Instance
    talks: tuple[Talk, ...]
    nearest: float
    """Highest similarity to a case about a user."""

    @property
    def relation(self) -> str:
        name = self.instance.relation_subtype
        return SUBTYPES.get(FOLDED.get(name, name), self.instance.relation_type)


def _pool(related: Sequence[Bundle], unrelated: Sequence[Bundle], embed: Embed) -> list[_WorldCase]:
    """All cases about the world, in the order of their ids."""
    found: list[tuple[Instance, tuple[Talk, ...]]] = []
    for bundle in unrelated:
        talks = {talk.session_id: talk for talk in bundle.talks}
        for one in bundle.instances:
            found.append((one, tuple(talks[name] for name in dict.fromkeys(one.session_ids))))
    found.sort(key=lambda pair: pair[0].instance_id)
    users = [" ".join(one.facts) for bundle in related for one in bundle.instances]
    near = nearest([" ".join(one.facts) for one, _ in found], users, embed)
    return [
        _WorldCase(instance=one, talks=talks, nearest=float(value))
        for (one, talks), value in zip(found, near, strict=True)
    ]


def _deal(related: Sequence[Bundle], far: Sequence[_WorldCase], seed: int) -> list[list[_WorldCase]]:
    """Cases for each person, in the order of persons.

    Raises:
        DataError: There are too few.
    """
    plans: list[Counter[str]] = []
    for bundle in related:
        plan = Counter[str]()
        for subtype, share in relation_plan(len(bundle.instances)).items():
            plan[SUBTYPES[subtype]] += share
        plans.append(plan)
    free = {relation: [case for case in far if case.relation == relation] for relation in RELATIONS}
    needed = {relation: sum(plan[relation] for plan in plans) for relation in RELATIONS}
    short = [
        f"{needed[relation]} {relation} cases about the world are needed, and {len(free[relation])} are near to no user"
        for relation in RELATIONS
        if needed[relation] > len(free[relation])
    ]
    if short:
        raise DataError(listed(short), WHERE, fix="Make more of them, or raise the limit.")
    dealt: list[list[_WorldCase]] = []
    for bundle, plan in zip(related, plans, strict=True):
        rng = Random(f"{seed}|{_persona(bundle)}")
        mine = [case for relation in RELATIONS for case in rng.sample(free[relation], plan[relation])]
        taken = {case.instance.instance_id for case in mine}
        free = {name: [case for case in left if case.instance.instance_id not in taken] for name, left in free.items()}
        dealt.append(mine)
    return dealt


def _persona(bundle: Bundle) -> str:
    return bundle.instances[0].persona_id


def _by_relation(cases: Sequence[_WorldCase]) -> dict[str, int]:
    counts = Counter(case.relation for case in cases)
    return {relation: counts[relation] for relation in RELATIONS}


def _validate_input(related: Sequence[Bundle], unrelated: Sequence[Bundle]) -> None:
    """Each side holds its own kind, with the sessions of all its cases, and none twice."""
    counts = Counter(one.instance_id for bundle in (*related, *unrelated) for one in bundle.instances)
    problems = [f"instance `{name}` is there {count} times" for name, count in counts.items() if count > 1]
    sources = [(bundle, RELATED) for bundle in related] + [(bundle, UNRELATED) for bundle in unrelated]
    for bundle, source in sources:
        sessions = {talk.session_id for talk in bundle.talks}
        for one in bundle.instances:
            if one.source != source:
                problems.append(f"{bundle.key}: `{one.instance_id}` is {one.source}, not {source}")
            lost = [name for name in one.session_ids if name not in sessions]
            if lost or not one.session_ids:
                problems.append(f"{bundle.key}: `{one.instance_id}` names no session that is there: {lost}")
        if not bundle.instances or not bundle.talks:
            problems.append(f"{bundle.key}: it holds no case")
    if not related:
        problems.append("there is no person")
    if problems:
        raise DataError(listed(problems), WHERE)


def _joined(bundle: Bundle, cases: Sequence[_WorldCase], rng: Random) -> Bundle:
    """A person with the cases that were dealt; times lie evenly between the first session and the last."""
    who = bundle.instances[0]
    names: dict[str, str] = {}
    placed: list[tuple[float, str, Talk]] = []
    for case in cases:
        case_id, offset = case.instance.case_id.removeprefix("unrelated-"), rng.random()
        for place, talk in enumerate(case.talks):
            names[talk.session_id] = f"unrelated-{bundle.key}-{case_id}-s{place + 1}"
            # sessions of a case stay in their order, as far apart as there is room
            placed.append(((place + offset) / len(case.talks), talk.session_id, talk))
    placed.sort(key=lambda each: each[:2])
    moved = [
        replace(talk, session_id=names[name], persona_id=who.persona_id, timestamp=moment.isoformat())
        for (_, name, talk), moment in zip(placed, _moments(bundle, len(placed)), strict=True)
    ]
    talks = sorted((*bundle.talks, *moved), key=lambda talk: (time_of(talk), talk.session_id))
    instances = [
        replace(
            case.instance,
            persona_id=who.persona_id,
            persona_str=who.persona_str,
            session_ids=tuple(names[name] for name in case.instance.session_ids),
        )
        for case in cases
    ]
    return Bundle(
        key=bundle.key,
        talks=tuple(replace(talk, order=order) for order, talk in enumerate(talks)),
        instances=(*bundle.instances, *instances),
    )


def _moments(bundle: Bundle, count: int) -> list[datetime]:
    """Even times by day within the span of a person; none is that of an existing session."""
    times = sorted(time_of(talk) for talk in bundle.talks)
    taken, first, last = set(times), times[0], times[-1]
    found: list[datetime] = []
    for number in range(1, count + 1):
        even = first + (last - first) * number / (count + 1)
        midnight = even.replace(hour=0, minute=0, second=0, microsecond=0)
        share = (even - midnight).total_seconds() / DAY_S
        moment = midnight + timedelta(seconds=OPENS + int(share * (CLOSES - OPENS)))
        moment = min(max(moment, first), last)
        step = timedelta(seconds=-1 if moment == last > first else 1)
        while moment in taken:
            moment += step
        taken.add(moment)
        found.append(moment)
    return sorted(found)


def _validate(bundles: Sequence[Bundle]) -> None:
    """Check the rules of the format.

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
