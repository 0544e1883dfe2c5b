"""Memory lift: which share of the way from floor to ceiling a system goes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import DRAWS, FloatArray, IntArray, percentile_ends, resampled_means
from recollect.stats.clusters import BOOTSTRAP_FROM, Bounds, Grouped, checked, group, history_codes, widened_tail
from recollect.stats.distributions import student_t_quantile
from recollect.stats.estimate import Interval, check_level


def memory_lift(
    score: ArrayLike | None,
    floor: ArrayLike | None,
    ceiling: ArrayLike | None,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Interval:
    """(score - floor) / (ceiling - floor) of the means over questions, histories resampled for all three together.

    From 30 histories on a bootstrap; below that Fieller's interval for a ratio, with Student t on history
    means. One history: the same over its questions, labelled so.

    Args:
        score: Scores of the system, shape (questions,), ratios; `None` if there are none.
        floor: Scores of the floor on the same questions; a constant floor is its value for each question.
        ceiling: Scores of the ceiling on the same questions.
        history: Id of the history of each question, shape (questions,).
        rng_seed: The only source of randomness; used from 30 histories on.
        draws: Number of resamples.
        level: Coverage, a ratio.

    Returns:
        A ratio: 0 at the floor, 1 at the ceiling, beyond both possible. Undefined with its reason when a piece is
        missing or the ceiling is not above the floor. The ends alone are undefined when the data do not
        show the ceiling to be above the floor, or the ratio never varies.

    Raises:
        ValueError: If a score is out of [0, 1] or the lengths differ.

    Source:
        Fieller (1954), J. R. Statist. Soc. B 16; bootstrap of a ratio: Davison and Hinkley (1997), chapter 2.
    """
    check_level(level)
    clusters = len(np.unique(history_codes(history)))
    pieces = {"score": score, "floor": floor, "ceiling": ceiling}
    missing = [name for name, values in pieces.items() if values is None]
    if missing or not len(history):
        lack = f"no {' and no '.join(missing)}" if missing else "no questions"
        return _nothing(lack, len(history), clusters, level)
    columns = [checked(values, history, (0.0, 1.0)) for values in (score, floor, ceiling) if values is not None]
    low, high = float(columns[1].mean()), float(columns[2].mean())
    if not high > low:
        closed = f"the ceiling ({high:.4g}) is not above the floor ({low:.4g})"
        return _nothing(closed, len(history), clusters, level)
    gains = np.column_stack([columns[0] - columns[1], columns[2] - columns[1]])
    ratio = _Ratio(grouped=group(gains, history if clusters > 1 else None), level=level)
    return ratio.interval(rng_seed, draws, n=len(gains), clusters=clusters)


def _nothing(why: str, n: int, clusters: int, level: float) -> Interval:
    return Interval(estimate=None, low=None, high=None, n=n, clusters=clusters, level=level, method="none", why=why)


_UNCLEAR = "the data do not show the ceiling to be above the floor at this level"
_STILL = "the ratio is the same in every unit; its spread is unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ratio:
    """Gain of the system over gain of the ceiling, per unit of resampling."""

    grouped: Grouped
    level: float

    @property
    def units(self) -> int:
        return len(self.grouped.sizes)

    @property
    def value(self) -> float:
        gain, room = self.grouped.estimates
        return float(gain / room)

    def interval(self, rng_seed: int, draws: int, *, n: int, clusters: int) -> Interval:
        many = self.units >= BOOTSTRAP_FROM
        ends, why = self.bootstrap(rng_seed, draws) if many else self.fieller()
        low, high = ends or (None, None)
        return Interval(
            estimate=self.value,
            low=low,
            high=high,
            n=n,
            clusters=clusters,
            level=self.level,
            method=("bootstrap over " if many else "Fieller, Student t on ")
            + ("histories" if clusters > 1 else "questions, within one history"),
            why=why,
        )

    def _still(self) -> bool:
        rest = self.grouped.sums[:, 0] - self.value * self.grouped.sums[:, 1]
        return bool(np.abs(rest).max() <= 1e-12 * max(1.0, np.abs(self.grouped.sums).max()))

    def bootstrap(self, rng_seed: int, draws: int) -> tuple[Bounds | None, str | None]:
        """Draws without room between floor and ceiling count as infinitely low and infinitely high."""
        if self._still():
            return None, _STILL
        drawn = resampled_means(self.grouped.sums, self.grouped.sizes, rng_seed=rng_seed, draws=draws)
        open_ = drawn[:, 1] > 0
        ratios: FloatArray = np.divide(drawn[:, 0], drawn[:, 1], out=np.zeros(draws), where=open_)
        tail = widened_tail(self.units, self.level)
        low = percentile_ends(np.where(open_, ratios, -np.inf), tail)[0]
        high = percentile_ends(np.where(open_, ratios, np.inf), tail)[1]
        return ((low, high), None) if math.isfinite(low) and math.isfinite(high) else (None, _UNCLEAR)

    def fieller(self) -> tuple[Bounds | None, str | None]:
        """Ratios whose remainder, gain - ratio x room, a t test would not tell from 0."""
        if self.units < 2 or self._still():
            return None, "one question has no spread" if self.units < 2 else _STILL
        gain, room = (float(v) for v in self.grouped.estimates)
        t_square = student_t_quantile((1 + self.level) / 2, self.units - 1) ** 2
        (gain_var, covar), (_, room_var) = self.grouped.covariance.tolist()
        square, middle = room**2 - t_square * room_var, gain * room - t_square * covar
        rest = gain**2 - t_square * gain_var
        inner = middle**2 - square * rest
        if square <= 0 or inner < 0:
            return None, _UNCLEAR
        return ((middle - math.sqrt(inner)) / square, (middle + math.sqrt(inner)) / square), None
