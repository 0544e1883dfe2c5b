"""Tests on pairs that need no resampling: exact McNemar, and Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class McNemar(NamedTuple):
    """How many questions both systems, only one or neither got right."""

    both: int
    first_only: int
    second_only: int
    neither: int
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
    """Adjust p values so that the chance of any false alarm among all comparisons stays that of one.

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
