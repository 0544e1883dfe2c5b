"""What every case must keep: each fact told once, in enough sessions, at dates that fit what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from recollect.benchmarks.subtlememory.generate.briefs import CasePlan
from recollect.benchmarks.subtlememory.generate.checks import Breach, says
from recollect.benchmarks.subtlememory.generate.user_words import user_words
from recollect.benchmarks.subtlememory.items import RELATED, Turn
from recollect.text.dates.absolute import find_absolute

MOST_FACTS = 3
"""Facts of one session about the world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSession:
    """One session of a case, as far as the case is concerned."""

    facts: tuple[int, ...]
    """Places of the facts that it tells, among those of the case."""
    turns: tuple[Turn, ...]
    said: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Fact -> sentences that tell it; where none are given, the whole session is searched."""
    day: str | None = None
    """When it takes place, `YYYY-MM-DD`; none before it is laid out in time."""
    starts: str | None = None
    """Earliest date at which what it tells holds."""
    ends: str | None = None
    """Latest date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldCase:
    """One case with its sessions."""

    source: str
    relation_subtype: str
    facts: tuple[str, ...]
    sessions: tuple[ToldSession, ...]
    values: tuple[tuple[str, ...], ...] = ()
    """Of each fact about the world: the value's accepted wordings; empty where they are not to be checked."""


def told_case(
    plan: CasePlan,
    written: Sequence[Sequence[Turn]],
    days: Sequence[str | None] = (),
    values: Sequence[Sequence[str]] = (),
) -> ToldCase:
    """A planned case with the messages of its sessions and, once laid out in time, their days."""
    dated = [*days, *(None for _ in plan.sessions[len(days) :])]
    return ToldCase(
        source=plan.source,
        relation_subtype=plan.relation_subtype,
        facts=plan.facts,
        values=tuple(map(tuple, values)),
        sessions=tuple(
            ToldSession(
                facts=tuple(telling.fact for telling in one.brief.tellings),
                turns=tuple(turns),
                said={telling.fact: (telling.text,) for telling in one.brief.tellings},
                day=day,
                starts=one.starts,
                ends=one.ends,
            )
            for one, turns, day in zip(plan.sessions, written, dated, strict=True)
        ),
    )


def case_problems(case: ToldCase) -> tuple[Breach, ...]:
    """Every rule that a case breaks."""
    return (*_of_coverage(case), *_of_counts(case), *_of_values(case), *_of_dates(case), *_of_conflicts(case))


def _of_coverage(case: ToldCase) -> Iterator[Breach]:
    counts = Counter(fact for one in case.sessions for fact in one.facts)
    for fact in range(len(case.facts)):
        if counts[fact] != 1:
            yield Breach(rule="coverage", what=f"fact {fact} is told in {counts[fact]} sessions, not in one")
    for fact in sorted(set(counts) - set(range(len(case.facts)))):
        yield Breach(rule="coverage", what=f"there is no fact {fact}")


def _of_counts(case: ToldCase) -> Iterator[Breach]:
    """Of sessions, and of the facts in one."""
    if len(case.sessions) < 2:
        yield Breach(rule="session count", what=f"{len(case.sessions)} sessions, where a relation needs two")
    conflict = _is_conflict(case)
    if conflict and len(case.sessions) != 2:
        yield Breach(rule="session count", what=f"a conflict has two sides, not {len(case.sessions)}")
    most = 1 if case.source == RELATED or conflict else MOST_FACTS
    for place, one in enumerate(case.sessions):
        if not 1 <= len(one.facts) <= most:
            yield Breach(rule="session count", what=f"session {place} tells {len(one.facts)} facts, not 1 to {most}")


def _of_values(case: ToldCase) -> Iterator[Breach]:
    """What tells a fact names its value; so no two can have changed places."""
    for place, one in enumerate(case.sessions):
        for fact in one.facts:
            if fact < len(case.values) and not any(says(_text(one, fact), value) for value in case.values[fact]):
                what = f"session {place} tells fact {fact} without `{case.values[fact][0]}`"
                yield Breach(rule="evidence", what=what)


def _of_dates(case: ToldCase) -> Iterator[Breach]:
    """A dated fact is told with its date, not before that day; what holds for a stretch is told within it."""
    for place, one in enumerate(case.sessions):
        for fact in (each for each in one.facts if each < len(case.facts)):
            stated = _days(case.facts[fact]) if case.relation_subtype == "Temporal" else frozenset()
            if stated and not stated <= _days(_text(one, fact)):
                yield Breach(rule="dates", what=f"session {place} tells fact {fact} without its date")
            if stated and one.day and max(stated) > date.fromisoformat(one.day):
                yield Breach(rule="dates", what=f"session {place} of {one.day} tells what holds from {max(stated)}")
        if one.day and ((one.starts and one.day < one.starts) or (one.ends and one.day > one.ends)):
            yield Breach(rule="dates", what=f"session {place} of {one.day} is not in {one.starts} to {one.ends}")


def _of_conflicts(case: ToldCase) -> Iterator[Breach]:
    """What is told of a situation only leaves others to the value against which it stands."""
    if not _is_conflict(case) or case.source != RELATED:
        return
    for place, one in enumerate(case.sessions):
        for fact, sentences in one.said.items():
            if not any(says(" ".join(sentences), always) for always in user_words().always):
                yield Breach(rule="settled", what=f"session {place} tells fact {fact} as if it held at times only")


def _is_conflict(case: ToldCase) -> bool:
    return case.relation_subtype not in ("K>1", "any_one", "Temporal", "Context")


def _text(one: ToldSession, fact: int) -> str:
    return " ".join(one.said.get(fact, ())) or " ".join(turn.content for turn in one.turns)


def _days(text: str) -> frozenset[date]:
    return frozenset(found.value.exact for found in find_absolute(text) if found.value.exact is not None)
