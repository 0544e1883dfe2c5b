"""Memory lift: the share of the distance from floor to ceiling that a system covers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

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
    n, clusters = len(history), len(np.unique(history_codes(history)))
    pieces = {"score": score, "floor": floor, "ceiling": ceiling}
    missing = [name for name, values in pieces.items() if values is None]
    if missing or not n:
        return _undefined(f"no {' and no '.join(missing or ['questions'])}", n, clusters, level)
    columns = [checked(values, history, (0.0, 1.0)) for values in (score, floor, ceiling) if values is not None]
    bottom, top = float(columns[1].mean()), float(columns[2].mean())
    if not top > bottom:
        return _undefined(f"the ceiling ({top:.4g}) is not above the floor ({bottom:.4g})", n, clusters, level)
    gains = np.column_stack([columns[0] - columns[1], columns[2] - columns[1]])
    grouped = group(gains, history if clusters > 1 else None)
    gain, room = grouped.estimates
    ratio, units = float(gain / room), len(grouped.sizes)
    ends, why = _ends(grouped, ratio, rng_seed=rng_seed, draws=draws, level=level)
    method = "bootstrap over " if units >= BOOTSTRAP_FROM else "Fieller, Student t on "
    method += "histories" if clusters > 1 else "questions, within one history"
    low, high = ends or (None, None)
    return Interval(estimate=ratio, low=low, high=high, n=n, clusters=clusters, level=level, method=method, why=why)


def _undefined(why: str, n: int, clusters: int, level: float) -> Interval:
    return Interval(estimate=None, low=None, high=None, n=n, clusters=clusters, level=level, method="none", why=why)


def _ends(
    grouped: Grouped, ratio: float, *, rng_seed: int, draws: int, level: float
) -> tuple[Bounds | None, str | None]:
    """Ends of the interval, or the reason why there are none."""
    units = len(grouped.sizes)
    if units < 2:
        return None, "one question has no spread"
    rest = grouped.sums[:, 0] - ratio * grouped.sums[:, 1]
    if np.abs(rest).max() <= 1e-12 * max(1.0, np.abs(grouped.sums).max()):
        return None, "the ratio is the same in every unit; its spread is unknown"
    ends = _bootstrap(grouped, rng_seed, draws, level) if units >= BOOTSTRAP_FROM else _fieller(grouped, level)
    return ends, None if ends else "the data do not show the ceiling to be above the floor at this level"


def _bootstrap(grouped: Grouped, rng_seed: int, draws: int, level: float) -> Bounds | None:
    """Draws whose ceiling is not above the floor count as infinitely low and infinitely high."""
    drawn = resampled_means(grouped.sums, grouped.sizes, rng_seed=rng_seed, draws=draws)
    above = drawn[:, 1] > 0
    ratios: FloatArray = np.divide(drawn[:, 0], drawn[:, 1], out=np.zeros(draws), where=above)
    tail = widened_tail(len(grouped.sizes), level)
    low = percentile_ends(np.where(above, ratios, -np.inf), tail)[0]
    high = percentile_ends(np.where(above, ratios, np.inf), tail)[1]
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _fieller(grouped: Grouped, level: float) -> Bounds | None:
    """Ratios for which a t test finds gain - ratio x room not significantly different from 0."""
    gain, room = (float(v) for v in grouped.estimates)
    t_square = student_t_quantile((1 + level) / 2, len(grouped.sizes) - 1) ** 2
    (gain_var, covar), (_, room_var) = grouped.covariance.tolist()
    square, middle = room**2 - t_square * room_var, gain * room - t_square * covar
    inner = middle**2 - square * (gain**2 - t_square * gain_var)
    if square <= 0 or inner < 0:
        return None
    return (middle - math.sqrt(inner)) / square, (middle + math.sqrt(inner)) / square
