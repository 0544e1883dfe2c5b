"""Correlation of two measures on the same items: Pearson, Spearman and Kendall's tau-b."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import FloatArray
from recollect.stats.distributions import normal_cdf, student_t_sf

_EXACT_UP_TO = 33


class Correlation(NamedTuple):
    """A correlation coefficient with its two-sided p value."""

    coefficient: float | None
    """In [-1, 1]; `None` where it is undefined."""
    p: float | None
    """Two-sided p value of no association; `None` where it is undefined."""
    n: int
    """Pairs."""
    why: str | None = None
    """The reason, where something is undefined."""


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Pearson's product-moment correlation; the p value is Student's t with n - 2 degrees of freedom.

    Args:
        x: One value per item, shape (items,).
        y: The other measure on the same items, same shape.

    Returns:
        Undefined with its reason below 2 pairs or where a measure is constant; 2 pairs have p = 1.

    Raises:
        ValueError: If shapes differ or a value is not finite.

    Source:
        Pearson (1896); p value after Student (1908); checked against scipy in
        `tests/reference/test_stats_values.py`.
    """
    xs, ys, undefined = _pairs(x, y)
    if undefined:
        return undefined
    xs, ys = xs - xs.mean(), ys - ys.mean()
    r = float((xs / np.linalg.norm(xs)) @ (ys / np.linalg.norm(ys)))
    r = max(-1.0, min(1.0, r))
    return Correlation(r, 1.0 if len(xs) == 2 else _t_p(r, len(xs)), len(xs))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's rank correlation: Pearson's on average ranks; p value by Student's t with n - 2.

    Arguments, result and errors as for `pearson`, but 2 pairs have no p value.

    Source:
        Spearman (1904), American Journal of Psychology 15; checked against scipy in
        `tests/reference/test_stats_values.py`.
    """
    xs, ys, undefined = _pairs(x, y)
    if undefined:
        return undefined
    x_ranks, y_ranks = (ranks - ranks.mean() for ranks in (_average_ranks(xs), _average_ranks(ys)))
    scale = math.sqrt(float(x_ranks @ x_ranks) * float(y_ranks @ y_ranks))
    rho = max(-1.0, min(1.0, float(x_ranks @ y_ranks) / scale))
    if len(xs) == 2:
        return Correlation(rho, None, 2, "2 pairs have no p value")
    return Correlation(rho, _t_p(rho, len(xs)), len(xs))


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Kendall's tau-b; the p value is exact without ties up to 33 pairs, else normal with tie correction.

    Arguments, result and errors as for `pearson`.

    Source:
        Kendall (1970), Rank Correlation Methods, 4th edition, chapters 3 to 5; checked against scipy in
        `tests/reference/test_stats_values.py`.
    """
    xs, ys, undefined = _pairs(x, y)
    if undefined:
        return undefined
    n = len(xs)
    balance = sum(int((np.sign(xs[i] - xs[i + 1 :]) * np.sign(ys[i] - ys[i + 1 :])).sum()) for i in range(n - 1))
    pairs = n * (n - 1) // 2
    x_ties, y_ties = (np.unique(values, return_counts=True)[1].astype(np.float64) for values in (xs, ys))
    x_free, y_free = (pairs - float((t * (t - 1)).sum()) / 2 for t in (x_ties, y_ties))
    tau = balance / math.sqrt(x_free) / math.sqrt(y_free)
    fewer = (pairs - abs(balance)) // 2
    if x_free == y_free == pairs and (n <= _EXACT_UP_TO or fewer <= 1):
        return Correlation(tau, _inversion_p(fewer, n), n)
    return Correlation(tau, 2 * normal_cdf(-abs(balance) / math.sqrt(_balance_variance(n, x_ties, y_ties))), n)


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray, Correlation | None]:
    """The two measures as arrays, and the result where it is undefined."""
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.shape != ys.shape or xs.ndim != 1:
        raise ValueError(f"a correlation needs pairs, got shapes {xs.shape} and {ys.shape}")
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise ValueError("a value is not finite; leave out the pair")
    why = "fewer than 2 pairs" if len(xs) < 2 else "a measure is constant" if not (np.ptp(xs) and np.ptp(ys)) else None
    return xs, ys, Correlation(None, None, len(xs), why) if why else None


def _t_p(r: float, n: int) -> float:
    rest = (1 - r) * (1 + r)
    return 2 * student_t_sf(abs(r) * math.sqrt((n - 2) / rest), n - 2) if rest > 0 else 0.0


def _inversion_p(inversions: int, n: int) -> float:
    """Share of the n! orders with at most (or, mirrored, at least) so many inversions."""
    ways = [1] + [0] * inversions
    for size in range(2, n + 1):
        sums = np.cumsum(np.array([0, *ways], dtype=object))
        ways = [int(sums[k + 1] - sums[max(0, k + 1 - size)]) for k in range(inversions + 1)]
    return min(1.0, 2 * sum(ways) / math.factorial(n))


def _balance_variance(n: int, x_ties: FloatArray, y_ties: FloatArray) -> float:
    """Variance of concordant minus discordant pairs when the orders are unrelated."""
    ordered = n * (n - 1)
    first = ordered * (2 * n + 5) - sum(float((t * (t - 1) * (2 * t + 5)).sum()) for t in (x_ties, y_ties))
    second = math.prod(float((t * (t - 1)).sum()) for t in (x_ties, y_ties)) / (2 * ordered)
    third = math.prod(float((t * (t - 1) * (t - 2)).sum()) for t in (x_ties, y_ties))
    return first / 18 + second + (third / (9 * ordered * (n - 2)) if n > 2 else 0.0)


def _average_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 on, shape (values,); equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks
