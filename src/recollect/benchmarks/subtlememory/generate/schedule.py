"""Sessions of all cases laid out in time: a case over the whole span with gaps kept, or as the published data lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import TypeVar

from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.worlds import schedules
from recollect.worlds.schedules import Gaps, Placed, Span, evenly, spread, timed


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(schedules.Slot):
    """A session that looks for its time."""

    related: bool
    """It is about the user."""
    topic: str


S = TypeVar("S", bound=Slot)


def span_of(settings: GenerationSettings, number: int) -> Span:
    """The days of the person of that number: the whole span, or in the authors' layout an equal part of it."""
    start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
    whole = (end - start).days
    if settings.layout == "year":
        return Span(start=start, days=float(whole))
    first = whole * number // settings.personas
    return Span(start=start + timedelta(days=first), days=max(whole * (number + 1) // settings.personas - first, 1))


def schedule(
    slots: Sequence[S], settings: GenerationSettings, span: Span, rng: Random
) -> tuple[tuple[S, datetime], ...]:
    """Every session with its time, in the order of time; no two at the same second.

    Raises:
        UsageError: The gaps or dates of a case cannot be kept.
    """
    if settings.layout == "authors":
        return timed(_authors(slots, span, rng), span)
    return timed(spread(slots, Gaps(sessions=settings.gap_sessions, days=settings.gap_days), span, rng), span)


def _authors(slots: Sequence[S], span: Span, rng: Random) -> Placed[S]:
    """Cases one after the other by topic, sessions of a case side by side, the others spread evenly between them.

    Dates of sessions and gaps are not looked at, as in the published data.
    """
    related = sorted((slot for slot in slots if slot.related), key=lambda slot: (slot.topic, slot.case, slot.place))
    cases = sorted({slot.case for slot in slots if not slot.related})
    rng.shuffle(cases)
    ranks = {case: rank for rank, case in enumerate(cases)}
    others = sorted((slot for slot in slots if not slot.related), key=lambda slot: (ranks[slot.case], slot.place))
    placed = [*evenly(related, span), *evenly(others, span)]
    return sorted(placed, key=lambda pair: (pair[1], pair[0].case, pair[0].place))
