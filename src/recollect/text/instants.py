"""The order of messages by when they were said; what is shown is never converted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from recollect.text.calendars import SaidTime, read_iso

OrderKey = tuple[int, int]
"""Microseconds and position."""

_BEFORE_ALL = -(1 << 62)
_TICK = timedelta(microseconds=1)
_TICKS_A_DAY = timedelta(days=1) // _TICK
_MIDNIGHT = time()


def order_keys(said_at: Sequence[str | None]) -> list[OrderKey]:
    """A key for each message, to be compared with those of the same history only.

    Where every time has its offset, the order is that of instants, else that of local times; equal times keep their
    position. A message without a time stays behind the one before it.

    Raises:
        ValueError: If one is not ISO 8601.
    """
    read = [None if said is None else read_iso(said) for said in said_at]
    by_instant = all(one.offset is not None for one in read if one is not None)
    keys: list[OrderKey] = []
    ticks = _BEFORE_ALL
    for position, one in enumerate(read):
        ticks = ticks if one is None else _ticks(one, by_instant=by_instant)
        keys.append((ticks, position))
    return keys


def in_order(said_at: Sequence[str | None]) -> list[int]:
    """The positions of the messages, first said first."""
    return [position for _, position in sorted(order_keys(said_at))]


def _ticks(one: SaidTime, *, by_instant: bool) -> int:
    shift = one.offset if by_instant and one.offset is not None else timedelta()
    day = one.local - datetime.combine(one.local, _MIDNIGHT)
    return one.local.toordinal() * _TICKS_A_DAY + (day - shift) // _TICK
