"""Stretches of a user's life in which another value of a trait holds, and when in the year they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import Condition, Trait
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings

SEASONS = 6
"""Parts of the span; a stretch lasts for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A stretch, and when it is."""

    stretch: Condition
    starts: str
    """`YYYY-MM-DD`."""
    ends: str
    """Its last day."""


def dated_stretches(trait: Trait, count: int, settings: GenerationSettings, rng: Random) -> tuple[Dated, ...]:
    """So many stretches that bear on a trait, far apart in time, in the order of time.

    Args:
        trait: With its stretches.
        count: How many, at most `SEASONS` and as many as the trait has.
        settings: The span.
        rng: Draws which, and when they are.
    """
    step = SEASONS // count
    first = rng.randrange(SEASONS - step * (count - 1))
    drawn = rng.sample(trait.stretches, count)
    return tuple(_in_season(one, first + place * step, settings) for place, one in enumerate(drawn))


def _in_season(stretch: Condition, season: int, settings: GenerationSettings) -> Dated:
    start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
    first, after = (start + timedelta(days=round(at * (end - start).days / SEASONS)) for at in (season, season + 1))
    return Dated(stretch=stretch, starts=first.isoformat(), ends=max(after - timedelta(days=1), first).isoformat())
