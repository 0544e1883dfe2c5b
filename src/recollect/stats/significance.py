"""Tests on pairs that need no resampling: exact McNemar, Wilcoxon signed ranks, and Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import FloatArray
from recollect.stats.correlation import average_ranks, tie_sizes
from recollect.stats.distributions import normal_cdf

_EXACT_UP_TO = 50


class McNemar(NamedTuple):
    """Two systems right or wrong on the same questions."""

    both: int
    """Questions that both have right."""
    first_only: int
    """Right by the first system alone."""
    second_only: int
    """Right by the second system alone."""
    neither: int
    """Questions that both have wrong."""
    p: float
    """Two-sided exact p value."""


def mcnemar_p(first_only: int, second_only: int) -> float:
    """Exact two-sided p value from the questions on which exactly one system is right.

    Questions are taken as independent; for questions that share histories see `compare_paired`.

    Args:
        first_only: Questions that only the first system has right.
        second_only: Questions that only the second has right.

    Returns:
        A probability; 1 where the systems never differ.

    Raises:
        ValueError: If a count is negative.

    Source:
        McNemar (1947), Psychometrika 12, in its exact binomial form; checked against statsmodels in
        `tests/reference/test_stats_values.py`.
    """
    if min(first_only, second_only) < 0:
        raise ValueError(f"counts start at 0, got {first_only!r} and {second_only!r}")
    trials = first_only + second_only
    ways = term = 1
    for k in range(min(first_only, second_only)):
        term = term * (trials - k) // (k + 1)
        ways += term
    return min(1.0, 2 * ways / (1 << trials))


def mcnemar(first: Sequence[bool | int], second: Sequence[bool | int]) -> McNemar:
    """The fourfold table of two systems with its exact p value.

    Args:
        first: Whether the first system is right, per question.
        second: The same for the second, in the same order.

    Raises:
        ValueError: If lengths differ or a value is neither 0 nor 1.

    Source:
        As `mcnemar_p`.
    """
    pairs = list(zip(first, second, strict=True))
    if any(right not in (0, 1) for pair in pairs for right in pair):
        raise ValueError("McNemar's test takes right (1) and wrong (0) only; use `compare_paired` for graded scores")
    counts = {cell: pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))}
    both, first_only, second_only, neither = counts.values()
    return McNemar(both, first_only, second_only, neither, mcnemar_p(first_only, second_only))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values so that one false alarm among all comparisons stays as rare as in a single one.

    Args:
        p_values: One per comparison, in any order.

    Returns:
        Adjusted values in the same order, at most 1; compare each with the false alarm rate.

    Raises:
        ValueError: If a value is no probability.

    Source:
        Holm (1979), Scandinavian Journal of Statistics 6; checked against statsmodels in
        `tests/reference/test_stats_values.py`.
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise ValueError(f"p values lie in [0, 1], got {list(p_values)!r}")
    order = sorted(range(len(p_values)), key=lambda i: (p_values[i], i))
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        highest = max(highest, (len(p_values) - rank) * p_values[index])
        adjusted[index] = min(1.0, highest)
    return adjusted


class Wilcoxon(NamedTuple):
    """Signed ranks of paired differences."""

    statistic: float
    """The smaller of the two rank sums."""
    n: int
    """Differences that are not 0."""
    p: float | None
    """Two-sided; `None` where every difference is 0."""
    method: str
    """`exact` or `normal approximation`."""


def wilcoxon(differences: ArrayLike) -> Wilcoxon:
    """Wilcoxon's signed-rank test that differences are symmetric around 0.

    Exact up to 50 differences without ties, else the normal approximation with correction for ties and
    without one for continuity. Differences of 0 are dropped.

    Args:
        differences: First minus second, one per independent pair (history means, say), shape (pairs,).

    Raises:
        ValueError: If a difference is not finite or the shape is not (pairs,).

    Source:
        Wilcoxon (1945), Biometrics Bulletin 1; checked against scipy in `tests/reference/test_stats_values.py`.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"signed ranks need finite differences of shape (pairs,), got shape {values.shape}")
    values = values[values != 0]
    ranks = average_ranks(np.abs(values))
    above = float(ranks[values > 0].sum())
    statistic = min(above, float(ranks.sum()) - above)
    if not len(values):
        return Wilcoxon(0.0, 0, None, "exact")
    ties = tie_sizes(np.abs(values))
    if len(values) <= _EXACT_UP_TO and ties.max() == 1:
        return Wilcoxon(statistic, len(values), _signed_rank_p(int(statistic), len(values)), "exact")
    return Wilcoxon(statistic, len(values), _normal_p(statistic, len(values), ties), "normal approximation")


def _signed_rank_p(statistic: int, n: int) -> float:
    """Count the sign patterns whose positive ranks sum to at most *statistic*."""
    ways = [1] + [0] * statistic
    for rank in range(1, n + 1):
        for total in range(statistic, rank - 1, -1):
            ways[total] += ways[total - rank]
    return min(1.0, 2 * sum(ways) / (1 << n))


def _normal_p(statistic: float, n: int, ties: FloatArray) -> float:
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return min(1.0, 2 * normal_cdf((statistic - n * (n + 1) / 4) / math.sqrt(variance)))
