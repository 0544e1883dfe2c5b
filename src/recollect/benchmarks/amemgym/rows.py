"""Rows of `data.json` and users, there and back; what is not known here is kept with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields
from datetime import date, datetime
from typing import Any

from recollect.benchmarks.amemgym.items import Choice, Item, Period, Profile, Qa, Talk, Update

Row = Mapping[str, Any]
JOINT = "/"
"""Between the parts of the place at which an unknown field stands: `periods/0/mood`."""
_PARTS: Mapping[type, Mapping[str, type]] = {
    Item: {"user_profile": Profile, "periods": Period, "qas": Qa},
    Period: {"sessions": Talk, "updates": Update},
    Qa: {"answer_choices": Choice},
}
"""Kind -> field -> kind of what stands there, alone, in a list, or by the name of a variable."""
_OURS: Mapping[type, frozenset[str]] = {Item: frozenset({"extra"}), Talk: frozenset({"has_messages"})}
"""Fields of the values that the file does not have."""


def item_of(data: Any, place: str = "") -> tuple[Item | None, list[str]]:
    """The user that a row says, or all problems with it.

    Args:
        data: What stands in the file.
        place: Where, for a row that does not say whose it is.
    """
    from recollect.records.codec import read

    strangers: dict[str, Any] = {}
    if not isinstance(data, Mapping):
        return None, [f"{place or 'row'}: it is no object"]
    known = _known(Item, data, (), strangers)
    item, found = read(Item, {**known, "extra": strangers})
    problems = list(found) or [*_altered(known, _bare(item)), *_of_times(item)]
    user = data.get("id")
    name = f"user `{user}`" if isinstance(user, str) and user else place or "row"
    return (None, [f"{name}: {problem}" for problem in problems]) if problems else (item, [])


def row_of(item: Item) -> dict[str, Any]:
    """The row that says *item*; `item_of` gives it back."""
    row: dict[str, Any] = _bare(item)
    for place, value in item.extra.items():
        *way, name = place.split(JOINT)
        holder: Any = row
        for part in way:
            holder = holder[int(part)] if isinstance(holder, list) else holder[part]
        holder[name] = deepcopy(value)
    return row


def _known(kind: type, data: Any, place: tuple[str, ...], strangers: dict[str, Any]) -> Any:
    """*data* without the fields that *kind* does not know; *strangers* learns those with their places."""
    if not isinstance(data, Mapping):
        return data
    ours = {field.name for field in fields(kind)} - _OURS.get(kind, frozenset())
    known: dict[str, Any] = {}
    for name, value in data.items():
        if name not in ours:
            strangers[JOINT.join((*place, str(name)))] = value
        elif name in _PARTS.get(kind, {}):
            known[name] = _known_in(_PARTS[kind][name], value, (*place, name), strangers)
        else:
            known[name] = value
    return {**known, "has_messages": "messages" in data} if kind is Talk else known


def _known_in(kind: type, value: Any, place: tuple[str, ...], strangers: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_known(kind, one, (*place, str(number)), strangers) for number, one in enumerate(value)]
    if kind is Update and isinstance(value, Mapping):
        return {name: _known(kind, one, (*place, str(name)), strangers) for name, one in value.items()}
    return _known(kind, value, place, strangers)


def _bare(value: Any) -> Any:
    """*value* as JSON in the order of its fields, without what stands in `extra`."""
    if isinstance(value, Mapping):
        return {name: _bare(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [_bare(one) for one in value]
    if type(value) not in (Profile, Talk, Update, Period, Choice, Qa, Item):
        return value
    return {name: _bare(getattr(value, name)) for name in _names(value)}


def _names(value: Any) -> list[str]:
    """The fields that the file has, in its order."""
    names = [one.name for one in fields(value) if one.name not in _OURS.get(type(value), ())]
    if isinstance(value, Talk):
        names.remove("messages")
        if value.has_messages:
            names.insert(names.index("session_time"), "messages")
    return names


def _altered(given: Any, read: Any, place: str = "") -> Iterator[str]:
    """Where reading made another value of what was given, such as a number of a text."""
    if isinstance(given, Mapping) and isinstance(read, Mapping):
        for name in read:
            yield from _altered(given.get(name), read[name], f"{place}.{name}" if place else str(name))
    elif isinstance(given, Sequence) and isinstance(read, list) and not isinstance(given, str):
        for number, (one, other) in enumerate(zip(given, read, strict=False)):
            yield from _altered(one, other, f"{place}.{number}")
    elif type(given) is not type(read) or given != read:
        yield f"`{place}`: it is {given!r}, and should be {type(read).__name__}"


def _of_times(item: Item) -> Iterator[str]:
    """Times that say none; the rest of the format's promises is in `invariants`."""
    if not _is_date(item.start_time):
        yield f"`start_time`: {item.start_time!r} is no date such as 2020-10-01"
    for number, period in enumerate(item.periods):
        for name in ("period_start", "period_end"):
            said = getattr(period, name)
            if said is not None and not _is_date(said):
                yield f"`periods.{number}.{name}`: {said!r} is no date such as 2020-10-01"
        for place, talk in enumerate(period.sessions):
            if not _is_time(talk.session_time):
                where = f"`periods.{number}.sessions.{place}.session_time`"
                yield f"{where}: {talk.session_time!r} is no time such as 2020-10-01 20:14:05"


def _is_date(said: str) -> bool:
    try:
        return len(said) == 10 and bool(date.fromisoformat(said))
    except ValueError:
        return False


def _is_time(said: str) -> bool:
    try:
        return bool(datetime.strptime(said, "%Y-%m-%d %H:%M:%S"))  # noqa: DTZ007  # local, as the data say it
    except ValueError:
        return False
