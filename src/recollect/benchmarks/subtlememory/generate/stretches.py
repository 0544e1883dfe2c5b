"""Stretches of a user's life in which another value of a trait holds, and when in the year they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import Condition, Trait
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings

SEASONS = 6
"""Parts of the span; a stretch lasts for one."""
TRIES = 200
"""Draws of a trait's stretches before one may come in two seasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A stretch, and when it is."""

    stretch: Condition
    starts: str
    """`YYYY-MM-DD`."""
    ends: str
    """Its last day."""


class Calendar:
    """When the stretches of one person's life are: what several traits have is at one time, if that can be."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings, self._rng = settings, rng
        self._seasons: dict[str, int] = {}

    def draw(self, trait: Trait, count: int) -> tuple[Dated, ...]:
        """So many stretches that bear on a trait, far apart in time, in the order of time.

        Args:
            trait: With its stretches.
            count: How many, at most `SEASONS` and as many as the trait has.
        """
        draws = (self._draw(trait, count) for _ in range(TRIES))
        drawn = next((one for one in draws if self._fits(one)), None) or self._draw(trait, count)
        for one, season in drawn:
            self._seasons.setdefault(one.said, season)
        return tuple(_in_season(one, season, self._settings) for one, season in drawn)

    def _draw(self, trait: Trait, count: int) -> list[tuple[Condition, int]]:
        step = SEASONS // count
        first = self._rng.randrange(SEASONS - step * (count - 1))
        drawn = self._rng.sample(trait.stretches, count)
        return [(one, first + place * step) for place, one in enumerate(drawn)]

    def _fits(self, drawn: list[tuple[Condition, int]]) -> bool:
        return all(self._seasons.get(one.said, season) == season for one, season in drawn)


def _in_season(stretch: Condition, season: int, settings: GenerationSettings) -> Dated:
    start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
    first, after = (start + timedelta(days=round(at * (end - start).days / SEASONS)) for at in (season, season + 1))
    return Dated(stretch=stretch, starts=first.isoformat(), ends=max(after - timedelta(days=1), first).isoformat())
