"""Intervals for a share of right answers when the questions are independent."""

from __future__ import annotations

import math

from recollect.stats.distributions import beta_quantile, normal_quantile
from recollect.stats.estimate import Interval, check_level


def wilson_interval(count: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion; has width even when all answers are right.

    Args:
        count: Right answers, 0 to *n*.
        n: Answers, taken as independent.

    Returns:
        Ratios in [0, 1]; undefined with its reason when *n* is 0.

    Raises:
        ValueError: If *count* does not lie between 0 and *n*, or *level* is no ratio.

    Source:
        Wilson (1927), J. Amer. Statist. Assoc. 22; checked against statsmodels in
        `tests/reference/test_stats_values.py`.
    """
    if n == 0:
        return _no_trials("Wilson", level)
    share = _share(count, n, level)
    z = normal_quantile((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == n else middle + half
    return Interval(estimate=share, low=low, high=high, n=n, clusters=n, level=level, method="Wilson")


def clopper_pearson_interval(count: int, n: int, *, level: float = 0.95) -> Interval:
    """Exact interval of a proportion: covers at least as often as promised, usually more.

    Arguments, result and errors as for `wilson_interval`.

    Source:
        Clopper and Pearson (1934), Biometrika 26; checked against statsmodels in
        `tests/reference/test_stats_values.py`.
    """
    if n == 0:
        return _no_trials("Clopper-Pearson", level)
    share, tail = _share(count, n, level), (1 - level) / 2
    low = 0.0 if count == 0 else beta_quantile(tail, count, n - count + 1)
    high = 1.0 if count == n else beta_quantile(1 - tail, count + 1, n - count)
    return Interval(estimate=share, low=low, high=high, n=n, clusters=n, level=level, method="Clopper-Pearson")


def _share(count: int, n: int, level: float) -> float:
    check_level(level)
    if not 0 <= count <= n:
        raise ValueError(f"{count!r} right of {n!r} is not a count between 0 and n")
    return count / n


def _no_trials(method: str, level: float) -> Interval:
    check_level(level)
    return Interval.undefined("no answers", level=level, method=method)
