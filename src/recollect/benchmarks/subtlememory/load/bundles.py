"""From the rows of one folder to its bundle: sessions in their order, instances, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from recollect.benchmarks.subtlememory.items import (
    FOLDED,
    LEVELS,
    RELATED,
    RELATIONS,
    SUBTYPES,
    TYPES,
    UNRELATED,
    Bundle,
    Instance,
    Talk,
    time_of,
)
from recollect.benchmarks.subtlememory.load.files import INSTANCES, SESSIONS
from recollect.benchmarks.subtlememory.rows import Findings, instance_of, shown, talk_of

Numbered = Mapping[int, Any]
"""Rows by their place in a file; some may be left out."""
KNOWN_SUBTYPES: Mapping[str, str] = {**SUBTYPES, **FOLDED, "K=1": "complementary"}
"""Sub-type as files may spell it -> its relation; `K=1` stands in the authors' schema, and in no published row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A bundle in the making: what could be read, by its place in the files."""

    key: str
    talks: dict[str, Talk]
    """Place -> session; those that are sound."""
    instances: dict[str, Instance]
    named: frozenset[str]
    """Ids of all sessions that say one, unsound ones too."""
    by_order: bool
    """Every session has a whole number for its `order`."""


def bundle_of_rows(key: str, sessions: Sequence[Any], instances: Sequence[Any]) -> Bundle:
    """The bundle of rows that were found sound before."""
    numbered = (dict(enumerate(rows)) for rows in (sessions, instances))
    return bundle_of(placed_of(key, *numbered, name="", found=Findings()))


def placed_of(key: str, sessions: Numbered, instances: Numbered, *, name: str, found: Findings) -> Placed:
    """All that the rows of a folder say, each row by itself.

    Args:
        key: Of the bundle.
        sessions: Rows of the one file.
        instances: Rows of the other.
        name: Of the folder, as places begin.
        found: Learns every problem and remark.
    """
    for file, rows, what in ((SESSIONS, sessions, "session"), (INSTANCES, instances, "instance")):
        if not rows:
            found.problems.append(f"{name}{file}: it holds no {what}")
    orders = {number: _whole(row.get("order")) for number, row in sessions.items() if type(row) is dict}
    by_order = None not in orders.values()
    if not by_order:
        _tell_order(sessions, orders, f"{name}{SESSIONS}", found)
    talks: dict[str, Talk] = {}
    for number, row in sessions.items():
        place = f"{name}{SESSIONS}[{number}]"
        if talk := talk_of(row, orders.get(number) or 0, place, found):
            talks[place] = talk
    asked: dict[str, Instance] = {}
    for number, row in instances.items():
        place = f"{name}{INSTANCES}[{number}]"
        if instance := instance_of(row, place, found):
            asked[place] = instance
    named = frozenset(str(row.get("session_id")) for row in sessions.values() if type(row) is dict)
    return Placed(key=key, talks=talks, instances=asked, named=named, by_order=by_order)


def bundle_of(placed: Placed) -> Bundle:
    """The bundle with its sessions in order: by `order` where all have one, else by time; then by time, then by id."""
    talks = list(placed.talks.values())
    if placed.by_order:
        talks.sort(key=lambda talk: (talk.order, time_of(talk), talk.session_id))
    else:
        talks.sort(key=lambda talk: (time_of(talk), talk.session_id))
        talks = [replace(talk, order=number) for number, talk in enumerate(talks)]
    return Bundle(key=placed.key, talks=tuple(talks), instances=tuple(placed.instances.values()))


def times_of(placed: Placed, *, name: str, found: Findings) -> None:
    """Tell *found* of timestamps that are none, of zones that only some have, and of an order against the times."""
    before = len(found.problems)
    zoned: dict[bool, str] = {}
    for place, talk in placed.talks.items():
        try:
            zoned.setdefault(time_of(talk).tzinfo is not None, place)
        except ValueError:
            what = f"it is {shown(talk.timestamp)}, and should be a time such as 2025-04-01T10:01:07+08:00"
            found.problems.append(f"{place}.timestamp: {what}")
    if len(zoned) == 2:
        what = f"it has no zone, and that of {zoned[True]} has one; say it in all or in none"
        found.problems.append(f"{zoned[False]}.timestamp: {what}")
    if len(found.problems) == before:
        found.remarks.extend(_against(bundle_of(placed).talks, f"{name}{SESSIONS}"))


def _against(talks: Sequence[Talk], file: str) -> Iterator[str]:
    """The first session that stands behind a later one."""
    for first, second in pairwise(talks):
        if time_of(first) > time_of(second):
            yield f"{file}: session `{second.session_id}` stands behind a later one; `order` counts, not `timestamp`"
            return


def _tell_order(sessions: Numbered, orders: Mapping[int, int | None], file: str, found: Findings) -> None:
    number = next(number for number, order in orders.items() if order is None)
    what = f"it is {shown(sessions[number].get('order'))}, no whole number, so sessions stand in order of time"
    found.remarks.append(f"{file}[{number}].order: {what}")


def _whole(value: Any) -> int | None:
    """A whole number, also one that a text or a fraction says; `None` where it is none."""
    if type(value) is int:
        return value
    if type(value) is float:
        return int(value) if value.is_integer() else None
    return int(value) if type(value) is str and value.strip().lstrip("-").isdecimal() else None


def links_of(bundles: Sequence[Placed], found: Findings) -> None:
    """Tell *found* of problems and remarks that go beyond a single row."""
    whose = {name: one.key for one in bundles for name in one.named}
    for one in bundles:
        found.problems.extend(_of_person(one))
        found.problems.extend(_dangling(one, whose))
        found.remarks.extend(_of_cases(one))
        found.remarks.extend(_of_answers(one))
    found.problems.extend(_twice(bundles))
    found.problems.extend(_persons(bundles))
    found.remarks.extend(_strange_words(bundles))


def _rows(one: Placed) -> Iterator[tuple[str, Talk | Instance]]:
    yield from one.talks.items()
    yield from one.instances.items()


def _of_person(one: Placed) -> Iterator[str]:
    """Rows of one folder are of one person."""
    first = next(_rows(one), None)
    for place, row in _rows(one):
        if first and row.persona_id != first[1].persona_id:
            yield f"{place}.persona_id: it is `{row.persona_id}`, and `{first[1].persona_id}` in {first[0]}"
            return


def _dangling(one: Placed, whose: Mapping[str, str]) -> Iterator[str]:
    """Instances name sessions of their own history, at least one."""
    for place, instance in one.instances.items():
        if not instance.session_ids:
            yield f"{place}.session_ids: it is empty, so that nothing says where the facts were told"
        for number, name in enumerate(instance.session_ids):
            if name not in one.named:
                where = f"it is one of `{whose[name]}`" if name in whose else "no history has it"
                yield f"{place}.session_ids[{number}]: `{name}` is no session of this history; {where}"


def _twice(bundles: Sequence[Placed]) -> Iterator[str]:
    """Ids of sessions and instances are there once, over all persons."""
    seen: dict[tuple[str, str], str] = {}
    for one in bundles:
        for place, row in _rows(one):
            kind, name = ("session", row.session_id) if isinstance(row, Talk) else ("instance", row.instance_id)
            first = seen.setdefault((kind, name), place)
            if first != place:
                yield f"{place}.{kind}_id: `{name}` is there twice, first in {first}"


def _persons(bundles: Sequence[Placed]) -> Iterator[str]:
    """Each person has one folder."""
    seen: dict[str, str] = {}
    for one in bundles:
        place, row = next(_rows(one), ("", None))
        if row is not None and seen.setdefault(row.persona_id, place) != place:
            yield f"{place}.persona_id: `{row.persona_id}` is another person's too, in {seen[row.persona_id]}"


def _of_cases(one: Placed) -> Iterator[str]:
    cases = {talk.session_id: talk.case_id for talk in one.talks.values()}
    profile: tuple[str, str] | None = None
    for place, instance in one.instances.items():
        strange = [name for name in instance.session_ids if cases.get(name, instance.case_id) != instance.case_id]
        if strange:
            yield f"{place}.session_ids: `{strange[0]}` is of case `{cases[strange[0]]}`, not `{instance.case_id}`"
        if not instance.facts:
            yield f"{place}.facts: it is empty"
        profile = profile or (place, instance.persona_str)
        if profile[1] != instance.persona_str:
            yield f"{place}.persona_str: it is not that of {profile[0]}"


def _of_answers(one: Placed) -> Iterator[str]:
    for place, instance in one.instances.items():
        for number, qa in enumerate(instance.qas):
            both = {_plain(said) for said in qa.correct_answers} & {_plain(said) for said in qa.incorrect_answers}
            if both:
                yield f"{place}.qas[{number}]: {sorted(both)[0]!r} is both right and wrong"


def _plain(said: str) -> str:
    return " ".join(said.casefold().split())


def _strange_words(bundles: Sequence[Placed]) -> Iterator[str]:
    """Words outside the known lists, each once with the number of rows and the first place; they are counted as any."""
    first: dict[tuple[str, str], str] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for one in bundles:
        for place, row in _rows(one):
            for field, word in _words(row):
                first.setdefault((field, word), place)
                counts[field, word] += 1
    for (field, word), place in first.items():
        yield f"{place}.{field}: `{word}` is not known ({counts[field, word]} in all)"


def _words(row: Talk | Instance) -> Iterator[tuple[str, str]]:
    if row.source not in (RELATED, UNRELATED):
        yield "source", row.source
    if isinstance(row, Talk):
        if row.conversation_type is not None and row.conversation_type not in TYPES:
            yield "conversation_type", row.conversation_type
        if row.persona_signal_level is not None and row.persona_signal_level not in LEVELS:
            yield "persona_signal_level", row.persona_signal_level
        return
    if row.relation_type not in RELATIONS:
        yield "relation_type", row.relation_type
    if row.relation_subtype not in KNOWN_SUBTYPES:
        yield "relation_subtype", row.relation_subtype
    elif KNOWN_SUBTYPES[row.relation_subtype] != row.relation_type:
        yield "relation_subtype", f"{row.relation_subtype} of {row.relation_type}"
