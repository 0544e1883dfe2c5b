"""Memories in the order in which they came to be, as an agent shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from recollect.domain.exchange import RecallItem
from recollect.domain.ids import MessageId
from recollect.text.calendars import SaidTime, read_iso

Place = Callable[[MessageId], int]
"""Where a message stands in the order of writing."""


def in_time(items: Iterable[RecallItem], place: Place) -> tuple[RecallItem, ...]:
    """*items*, earliest first: by instant where all have an offset, else by local time; then by order of writing.

    Where one has no time it is the order of writing alone that counts. Equal ones stay as they were found.
    """
    found = list(items)
    times = [_time(item) for item in found]
    by_instant = all(time is not None and time.offset is not None for time in times)
    keys: list[tuple[datetime, int]] = []
    for item, time in zip(found, times, strict=True):
        newest = max((place(source) for source in item.sources), default=0)
        keys.append((_moment(time, by_instant=by_instant) if time and all(times) else datetime.min, newest))  # noqa: DTZ901
    return tuple(found[at] for at in sorted(range(len(found)), key=lambda at: (*keys[at], at)))


def _time(item: RecallItem) -> SaidTime | None:
    """The time of an item; a vendor's may be no ISO 8601, and then it has none."""
    try:
        return read_iso(item.said_at) if item.said_at else None
    except ValueError:
        return None


def _moment(time: SaidTime, *, by_instant: bool) -> datetime:
    return time.local - time.offset if by_instant and time.offset is not None else time.local
