"""Sessions laid out in time: those of one case far enough apart, within their dates, and no two at one second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from random import Random
from typing import TypeVar

from recollect.domain.errors import UsageError
from recollect.text.dates.calendars import MONTHS

ZONE = timezone(timedelta(hours=8))
OPENS, CLOSES = 8 * 3600, 23 * 3600
"""Seconds of the day between which all sessions start."""
TRIES = 40
"""Layouts that are drawn before the gaps count as too wide."""
WIDER = 1.15
"""How much further apart the sessions of a case are drawn after each layout in which they came too close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A session that looks for its time."""

    case: str
    """What belongs together and has to lie apart."""
    place: int
    """Of the session within its case."""
    starts: str | None = None
    """First day at which it may stand, `YYYY-MM-DD`."""
    ends: str | None = None
    """Last day."""


S = TypeVar("S", bound=Slot)
Placed = list[tuple[S, float]]
"""Sessions with how far into the span they lie, in days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """How far the sessions of one case must lie apart at least."""

    sessions: int = 0
    """Of other cases, between two of one."""
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The days in which the sessions of one history lie."""

    start: date
    days: float

    def day(self, said: str | None, other: float) -> float:
        """How far into the span a date is; *other* where none is said."""
        return other if said is None else float((date.fromisoformat(said) - self.start).days)

    def moment(self, at: float) -> datetime:
        """The time of day and date of a place in the span; the night is left out."""
        whole = int(at)
        second = OPENS + int((at - whole) * (CLOSES - OPENS))
        midnight = datetime(self.start.year, self.start.month, self.start.day, tzinfo=ZONE)
        return midnight + timedelta(days=whole, seconds=second)


def timed(placed: Iterable[tuple[S, float]], span: Span) -> tuple[tuple[S, datetime], ...]:
    """Every session with its time; of two at the same second the later one waits."""
    moments: list[tuple[S, datetime]] = []
    for slot, at in placed:
        moment = span.moment(at)
        if moments and moment <= moments[-1][1]:
            moment = moments[-1][1] + timedelta(seconds=1)
        moments.append((slot, moment))
    return tuple(moments)


def evenly(slots: Sequence[S], span: Span) -> Placed[S]:
    """One after the other, each with as much room as the others."""
    return [(slot, (place + 0.5) * span.days / len(slots)) for place, slot in enumerate(slots)]


def spread(slots: Sequence[S], gaps: Gaps, span: Span, rng: Random) -> Placed[S]:
    """Every case over the whole span with its gaps kept, in the order of time.

    Args:
        slots: Sessions of one history, those of a case in the order in which they are told.
        gaps: How far apart they must lie.
        span: The days of the history.
        rng: The only source of randomness.

    Raises:
        UsageError: The gaps or dates of a case cannot be kept.
    """
    cases: dict[str, list[S]] = {}
    for slot in slots:
        cases.setdefault(slot.case, []).append(slot)
    apart, needed = float(gaps.days), (gaps.sessions + 1) * span.days / max(len(slots), 1)
    spacing = dict.fromkeys(cases, apart)
    placed = {case: _drawn(case, spacing[case], cases[case], span, rng) for case in cases}
    for _ in range(TRIES):
        ordered = sorted(
            (pair for each in placed.values() for pair in each),
            key=lambda pair: (pair[1], pair[0].case, pair[0].place),
        )
        last: dict[str, int] = {}
        close: dict[str, None] = {}  # cases with two sessions that have fewer others between them
        for at, (slot, _) in enumerate(ordered):
            if slot.case in last and at - last[slot.case] - 1 < gaps.sessions:
                close[slot.case] = None
            last[slot.case] = at
        if not close:
            return ordered
        for case in close:
            wider = max(spacing[case] * WIDER, needed / 2)
            spacing[case] = min(wider, max(_widest(cases[case], span), apart))
            placed[case] = _drawn(case, spacing[case], cases[case], span, rng)
    raise UsageError(
        f"gap_sessions={gaps.sessions} cannot be kept in {len(close)} of {len(cases)} cases of a person with "
        f"{len(slots)} sessions in {span.days:.0f} days. Ask for a smaller gap, or for fewer facts in a case."
    )


def _drawn(case: str, apart: float, slots: Sequence[S], span: Span, rng: Random) -> Placed[S]:
    """Times for the sessions of one case, in the order of their dates.

    Raises:
        UsageError: They cannot lie so far apart within their dates.
    """
    dated, windows = _windows(slots, span)
    latest: list[float] = []  # of each that leaves room for all that follow
    for _, high in reversed(windows):
        latest.append(min(high, latest[-1] - apart) if latest else high)
    step = span.days / len(dated)
    even = apart < step and all(slot.starts is None and slot.ends is None for slot in dated)
    offset, placed, at = rng.random(), [], -apart
    shift = min(0.1, offset, 1 - offset)
    for place, (slot, (low, _), last) in enumerate(zip(dated, windows, reversed(latest), strict=True)):
        first = max(low, at + apart)
        if first > last:
            raise UsageError(_unmet(case, slots, apart, span))
        wanted = (place + offset + rng.uniform(-shift, shift)) * step if even else rng.uniform(first, last)
        at = min(max(wanted, first), last)
        placed.append((slot, at))
    return placed


def _windows(slots: Iterable[S], span: Span) -> tuple[list[S], list[tuple[float, float]]]:
    """Sessions in the order of their dates, and first and last moment of each; just before midnight of the last day."""
    dated = sorted(slots, key=lambda slot: (slot.starts or "", slot.ends or "9", slot.place))
    end = span.days - 1e-6
    lows = [max(span.day(slot.starts, 0.0), 0.0) for slot in dated]
    highs = [min(span.day(slot.ends, end) + (1 - 1e-6) * (slot.ends is not None), end) for slot in dated]
    return dated, list(zip(lows, highs, strict=True))


def _widest(slots: Sequence[Slot], span: Span) -> float:
    """How far apart the sessions of a case can lie at most, to a hundredth of a day."""
    _, windows = _windows(slots, span)
    narrow, wide = 0.0, span.days
    while wide - narrow > 0.01:
        apart = (narrow + wide) / 2
        at = -apart
        for low, high in windows:
            at = max(low, at + apart)
            if at > high:
                wide = apart
                break
        else:
            narrow = apart
    return narrow


def _unmet(case: str, slots: Sequence[Slot], apart: float, span: Span) -> str:
    dates = [f"{slot.starts or 'the start'} to {slot.ends or 'the end'}" for slot in slots if slot.starts or slot.ends]
    told = f", which are dated {'; '.join(dates)}" if dates else ""
    return (
        f"case `{case}`: {len(slots)} sessions{told} cannot lie {apart:.1f} days apart within {span.days:.0f} days. "
        "Ask for a smaller `gap_days` or `gap_sessions`, or for fewer facts in a case."
    )


def day_of(when: date) -> str:
    """`1 June 2025`."""
    return f"{when.day} {month_of(when)}"


def month_of(when: date) -> str:
    """`June 2025`."""
    return f"{MONTHS[when.month - 1]} {when.year}"
