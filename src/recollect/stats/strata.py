"""Intervals as papers report them: a bootstrap over questions within parts, and a paired one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import (
    DRAWS,
    IntArray,
    percentile_ends,
    resampled_differences,
    resampled_means,
    resampled_shares,
)
from recollect.stats.clusters import checked, history_codes
from recollect.stats.estimate import Interval, check_level


def stratified_interval(
    scores: ArrayLike,
    part: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
    macro: bool = False,
) -> Interval:
    """Mean over questions, or over parts, by a bootstrap that resamples the questions of each part separately.

    Questions count as independent, as in the papers, even where they share a history; with a single part it is the
    plain percentile bootstrap. It has zero width where all scores are equal, and is too narrow for clustered questions.

    Args:
        scores: One per question, shape (questions,).
        part: The part (relation or sub-task) of each question, shape (questions,).
        macro: Average the means of the parts, each with the same weight, instead of the questions.

    Returns:
        In the unit of the scores; undefined with its reason without questions. `clusters` counts questions.

    Raises:
        ValueError: If a score is not finite or the lengths differ.

    Source:
        SubtleMemory, Table 11 (stratified by relation); EverMemBench, Table 4, column Average (macro); Efron and
        Tibshirani (1993), chapter 8; checked against exact limits and published half-widths in
        `tests/reference/test_stats_parity.py`.
    """
    check_level(level)
    values = checked(scores, part, None)[:, 0]
    method = "mean of parts, bootstrap over questions within" if macro else "bootstrap over questions within parts"
    n = len(values)
    if not n:
        return Interval.undefined("no questions", level=level, method=method)
    codes = history_codes(part)
    sizes = np.bincount(codes).astype(np.float64)
    weights = np.full(len(sizes), 1 / len(sizes)) if macro else sizes / n
    drawn, estimate = np.zeros(draws), 0.0
    seeds = np.random.SeedSequence(rng_seed).generate_state(len(weights))
    for code, (weight, seed) in enumerate(zip(weights, seeds, strict=True)):
        mine = values[codes == code]
        if np.isin(mine, (0.0, 1.0)).all():
            means = resampled_shares(int(mine.sum()), len(mine), rng_seed=int(seed), draws=draws)
        else:
            means = resampled_means(mine[:, None], np.ones(len(mine)), rng_seed=int(seed), draws=draws)[:, 0]
        drawn += weight * means
        estimate += float(weight * mine.mean())
    low, high = percentile_ends(drawn, (1 - level) / 2)
    return Interval(estimate=estimate, low=low, high=high, n=n, clusters=n, level=level, method=method)


def paired_interval(
    first: ArrayLike, second: ArrayLike, *, rng_seed: int, draws: int = DRAWS, level: float = 0.95
) -> Interval:
    """Difference of two systems' shares of right answers, by a paired bootstrap over questions.

    Questions count as independent, as in the paper; `recollect.stats.paired.compare_paired` clusters them by history.

    Args:
        first: Right or wrong of each question, 1 or 0, shape (questions,).
        second: The same of the other system, in the same order.

    Returns:
        First minus second, a ratio; undefined with its reason without questions. `clusters` counts questions.

    Raises:
        ValueError: If shapes differ or a score is neither 0 nor 1.

    Source:
        SubtleMemory, Table 12; checked against exact limits in `tests/reference/test_stats_parity.py`.
    """
    check_level(level)
    ours, theirs = (np.asarray(scores, dtype=np.float64) for scores in (first, second))
    if ours.shape != theirs.shape or ours.ndim != 1 or not np.isin([ours, theirs], (0.0, 1.0)).all():
        raise ValueError(f"two systems need 0 or 1 for each question, got shapes {ours.shape} and {theirs.shape}")
    n, method = len(ours), "paired bootstrap over questions"
    if not n:
        return Interval.undefined("no questions", level=level, method=method)
    first_only, second_only = int((ours > theirs).sum()), int((theirs > ours).sum())
    drawn = resampled_differences(first_only, second_only, n, rng_seed=rng_seed, draws=draws)
    low, high = percentile_ends(drawn, (1 - level) / 2)
    estimate = (first_only - second_only) / n
    return Interval(estimate=estimate, low=low, high=high, n=n, clusters=n, level=level, method=method)
