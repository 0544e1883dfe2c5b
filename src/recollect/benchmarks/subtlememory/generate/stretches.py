"""A user's calendar: every stretch of time has its weeks of the year, the same in all cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.user_words import Stretch, user_words

SEASONS = 6
"""Parts of the span; a stretch lasts for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A stretch, and when it is."""

    stretch: Stretch
    starts: str
    """`YYYY-MM-DD`."""
    ends: str
    """Its last day."""


class Calendar:
    """When each stretch of one person's life is, and how often it was drawn."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._rng = rng
        self._drawn: Counter[str] = Counter()
        start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
        borders = [start + timedelta(days=round(place * (end - start).days / SEASONS)) for place in range(SEASONS + 1)]
        groups = sorted({one.group for one in user_words().stretches})
        rng.shuffle(groups)
        dealt = sorted(user_words().stretches, key=lambda one: (groups.index(one.group), rng.random()))
        self._seasons = [
            [
                Dated(
                    stretch=one,
                    starts=borders[place].isoformat(),
                    ends=max(borders[place + 1] - timedelta(days=1), borders[place]).isoformat(),
                )
                for one in dealt[place::SEASONS]
            ]
            for place in range(SEASONS)
        ]

    def draw(self, count: int, suited: Collection[str] = ()) -> tuple[Dated, ...]:
        """So many that are alike in nothing and far apart in time, in the order of time.

        Args:
            count: How many, at most `SEASONS`.
            suited: Names of those that come first; all are alike where there are none.
        """
        step = SEASONS // count
        starts = self._rng.sample(range(SEASONS - step * (count - 1)), SEASONS - step * (count - 1))
        drawn = max(
            (self._from(start, step, count, suited) for start in starts),
            key=lambda found: sum(one.stretch.name in suited for one in found),
        )
        self._drawn.update(one.stretch.name for one in drawn)
        return drawn

    def _from(self, start: int, step: int, count: int, suited: Collection[str]) -> tuple[Dated, ...]:
        groups: set[str] = set()
        drawn: list[Dated] = []
        for place in range(start, start + step * count, step):
            drawn.append(min(self._seasons[place], key=lambda one: self._rank(one.stretch, suited, groups)))
            groups.add(drawn[-1].stretch.group)
        return tuple(drawn)

    def _rank(self, one: Stretch, suited: Collection[str], groups: Collection[str]) -> tuple[bool, bool, int, float]:
        """The least is taken: of another group than those before, suited, and drawn least often."""
        return (one.group in groups, one.name not in suited, self._drawn[one.name], self._rng.random())
