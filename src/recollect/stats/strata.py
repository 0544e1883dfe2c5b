"""The papers' own intervals where questions fall into parts: resampled within parts, summed or averaged over them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import (
    DRAWS,
    FloatArray,
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
) -> Interval:
    """Mean over questions, by a bootstrap that keeps the number of questions of each part.

    Questions are resampled one by one: the paper's interval, not one that knows histories.

    Args:
        scores: One per question, shape (questions,).
        part: The part (relation, say) of each question, shape (questions,).
        rng_seed: The only source of randomness.
        draws: Number of resamples.
        level: Coverage, a ratio.

    Returns:
        In the unit of the scores; undefined with its reason without questions. `clusters` counts questions.

    Raises:
        ValueError: If a score is not finite or the lengths differ.

    Source:
        SubtleMemory, Table 11 (stratified by relation); Efron and Tibshirani (1993), chapter 8; checked against
        exact limits in `tests/reference/test_stats_parity.py`.
    """
    values, codes, sizes = _parts(scores, part, level)
    weights = sizes / max(1, len(values))
    return _weighted(values, codes, weights, (rng_seed, draws, level), "bootstrap over questions within parts")


def macro_interval(
    scores: ArrayLike,
    part: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Interval:
    """Plain mean of the parts' means, each part resampled by itself.

    Args:
        scores: One per question, shape (questions,).
        part: The part (sub-task, say) of each question, shape (questions,).
        rng_seed: The only source of randomness.
        draws: Number of resamples.
        level: Coverage, a ratio.

    Returns:
        In the unit of the scores; undefined with its reason without questions. `clusters` counts questions.

    Raises:
        ValueError: If a score is not finite or the lengths differ.

    Source:
        EverMemBench, Table 4, column Average; checked against its half-widths in
        `tests/reference/test_stats_parity.py`.
    """
    values, codes, sizes = _parts(scores, part, level)
    weights = np.full(len(sizes), 1 / max(1, len(sizes)))
    return _weighted(values, codes, weights, (rng_seed, draws, level), "mean of parts, bootstrap over questions within")


def paired_interval(
    first: ArrayLike, second: ArrayLike, *, rng_seed: int, draws: int = DRAWS, level: float = 0.95
) -> Interval:
    """Difference of two systems' shares of right answers, by a paired bootstrap over questions.

    The paper's interval: it takes questions for independent, which those of one history are not; see
    `recollect.stats.paired.compare_paired` for one that does not.

    Args:
        first: Right or wrong of each question, 1 or 0, shape (questions,).
        second: The same of the other system, in the same order.
        rng_seed: The only source of randomness.
        draws: Number of resamples.
        level: Coverage, a ratio.

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
    first_only, second_only = (int((one > other).sum()) for one, other in ((ours, theirs), (theirs, ours)))
    low, high = percentile_ends(
        resampled_differences(first_only, second_only, n, rng_seed=rng_seed, draws=draws), (1 - level) / 2
    )
    estimate = (first_only - second_only) / n
    return Interval(estimate=estimate, low=low, high=high, n=n, clusters=n, level=level, method=method)


def _parts(
    scores: ArrayLike, part: Sequence[Hashable] | IntArray, level: float
) -> tuple[FloatArray, IntArray, FloatArray]:
    check_level(level)
    values = checked(scores, part, None)[:, 0]
    codes = history_codes(part)
    return values, codes, np.bincount(codes).astype(np.float64)


def _resampled(scores: FloatArray, seed: int, draws: int) -> FloatArray:
    """Mean of one part under each resample."""
    if np.isin(scores, (0.0, 1.0)).all():
        return resampled_shares(int(scores.sum()), len(scores), rng_seed=seed, draws=draws)
    return resampled_means(scores[:, None], np.ones(len(scores)), rng_seed=seed, draws=draws)[:, 0]


def _weighted(
    values: FloatArray, codes: IntArray, weights: FloatArray, settings: tuple[int, int, float], method: str
) -> Interval:
    rng_seed, draws, level = settings
    n = len(values)
    if not n:
        return Interval.undefined("no questions", level=level, method=method)
    drawn, estimate = np.zeros(draws), 0.0
    seeds = np.random.SeedSequence(rng_seed).generate_state(len(weights))
    for code, (weight, seed) in enumerate(zip(weights, seeds, strict=True)):
        mine = values[codes == code]
        drawn += weight * _resampled(mine, int(seed), draws)
        estimate += float(weight * mine.mean())
    low, high = percentile_ends(drawn, (1 - level) / 2)
    return Interval(estimate=estimate, low=low, high=high, n=n, clusters=n, level=level, method=method)
