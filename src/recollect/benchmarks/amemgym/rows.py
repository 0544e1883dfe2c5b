"""Conversion between rows of `data.json` and users; unknown fields are kept with their paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields
from datetime import date, datetime
from typing import Any

from recollect.benchmarks.amemgym.items import Choice, Item, Period, Profile, Qa, Talk, Update

Row = Mapping[str, Any]
JOINT = "/"
"""Between the parts of the path of an unknown field: `periods/0/mood`."""
_PARTS: Mapping[type, Mapping[str, type]] = {
    Item: {"user_profile": Profile, "periods": Period, "qas": Qa},
    Period: {"sessions": Talk, "updates": Update},
    Qa: {"answer_choices": Choice},
}
"""Class -> field -> class of its value, of each in a list, or of each by variable."""
_OURS: Mapping[type, frozenset[str]] = {Item: frozenset({"extra"}), Talk: frozenset({"has_messages"})}
"""Fields of the values that the file does not have."""


def item_of(data: Any, place: str = "") -> tuple[Item | None, list[str]]:
    """The user in a row of the file, or all problems with it; *place* names a row that has no id."""
    from recollect.records.codec import read

    unknown: dict[str, Any] = {}
    if not isinstance(data, Mapping):
        return None, [f"{place or 'row'}: it is no object"]
    known = _known(Item, data, (), unknown)
    item, found = read(Item, {**known, "extra": unknown})
    problems = list(found) or [*_altered(known, _bare(item)), *_of_times(item)]
    user = data.get("id")
    name = f"user `{user}`" if isinstance(user, str) and user else place or "row"
    return (None, [f"{name}: {problem}" for problem in problems]) if problems else (item, [])


def row_of(item: Item) -> dict[str, Any]:
    """The row of *item*, from which `item_of` makes it again."""
    row: dict[str, Any] = _bare(item)
    for path, value in item.extra.items():
        *parents, name = path.split(JOINT)
        parent: Any = row
        for part in parents:
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        parent[name] = deepcopy(value)
    return row


def _known(kind: type, data: Any, path: tuple[str, ...], unknown: dict[str, Any]) -> Any:
    """*data* without the fields that *kind* does not have; *unknown* collects those by their path."""
    if not isinstance(data, Mapping):
        return data
    ours = {field.name for field in fields(kind)} - _OURS.get(kind, frozenset())
    known: dict[str, Any] = {}
    for name, value in data.items():
        part = _PARTS.get(kind, {}).get(name)
        if name not in ours:
            unknown[JOINT.join((*path, str(name)))] = value
        elif part is not None and isinstance(value, list):
            known[name] = [_known(part, one, (*path, name, str(index)), unknown) for index, one in enumerate(value)]
        elif part is Update and isinstance(value, Mapping):
            known[name] = {key: _known(part, one, (*path, name, str(key)), unknown) for key, one in value.items()}
        else:
            known[name] = value if part is None else _known(part, value, (*path, name), unknown)
    return {**known, "has_messages": "messages" in data} if kind is Talk else known


def _bare(value: Any) -> Any:
    """*value* as JSON with the fields that the file has, in its order, without what stands in `extra`."""
    if isinstance(value, Mapping):
        return {name: _bare(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [_bare(one) for one in value]
    if type(value) not in (Profile, Talk, Update, Period, Choice, Qa, Item):
        return value
    names = [field.name for field in fields(value) if field.name not in _OURS.get(type(value), ())]
    if isinstance(value, Talk):
        names.remove("messages")
        if value.has_messages:
            names.insert(names.index("session_time"), "messages")
    return {name: _bare(getattr(value, name)) for name in names}


def _altered(given: Any, read: Any, place: str = "") -> Iterator[str]:
    """Where reading changed a value, such as a text into a number."""
    if isinstance(given, Mapping) and isinstance(read, Mapping):
        for name in read:
            yield from _altered(given.get(name), read[name], f"{place}.{name}" if place else str(name))
    elif isinstance(given, Sequence) and isinstance(read, list) and not isinstance(given, str):
        for number, (one, other) in enumerate(zip(given, read, strict=False)):
            yield from _altered(one, other, f"{place}.{number}")
    elif type(given) is not type(read) or given != read:
        yield f"`{place}`: it is {given!r}, and should be {type(read).__name__}"


def _of_times(item: Item) -> Iterator[str]:
    if not _is_date(item.start_time):
        yield f"`start_time`: {item.start_time!r} is no date such as 2020-10-01"
    for number, period in enumerate(item.periods):
        for name in ("period_start", "period_end"):
            day = getattr(period, name)
            if day is not None and not _is_date(day):
                yield f"`periods.{number}.{name}`: {day!r} is no date such as 2020-10-01"
        for place, talk in enumerate(period.sessions):
            try:
                datetime.strptime(talk.session_time, "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007  # local, as in the data
            except ValueError:
                where = f"`periods.{number}.sessions.{place}.session_time`"
                yield f"{where}: {talk.session_time!r} is no time such as 2020-10-01 20:14:05"


def _is_date(text: str) -> bool:
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False
