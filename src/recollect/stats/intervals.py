"""Intervals of a score: by histories as the reports need them, and the plain ones beside.

The estimate is the mean over questions (micro) in every function here; `clusters.py` says why and how the
histories come in. A measure that is a mean of history values, such as a memory score per user, is
passed as one value per history.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import DRAWS, FloatArray, IntArray, percentile_ends, resampled_means
from recollect.stats.clusters import Bounds, checked, group, history_codes, infer_means
from recollect.stats.distributions import student_t_quantile
from recollect.stats.estimate import Interval, check_level
from recollect.stats.proportions import clopper_pearson_interval, wilson_interval

__all__ = [
    "Interval",
    "bootstrap_interval",
    "clopper_pearson_interval",
    "history_interval",
    "history_intervals",
    "student_t_interval",
    "wilson_interval",
]


def history_interval(
    scores: ArrayLike,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
    bounds: Bounds | None = (0.0, 1.0),
) -> Interval:
    """The interval that stands beside a score in every report: clustered on histories.

    From 30 histories on a bootstrap over histories; 2 to 29 Student t on history means, centred on the mean
    over questions; one history an interval over its questions, labelled *within one history* (Wilson if
    every score is 0 or 1).

    Args:
        scores: One per question, shape (questions,).
        history: Id of the history of each question, shape (questions,).
        rng_seed: The only source of randomness; used from 30 histories on.
        draws: Number of resamples.
        level: Coverage, a ratio.
        bounds: What a score can be at all; `None` where there is no bound, as for seconds.

    Returns:
        The mean over questions and its ends, in the unit of the scores. No questions: undefined, never 0.

    Raises:
        ValueError: If a score is not finite or out of bounds, or the lengths differ.

    Source:
        See `recollect.stats.clusters.infer_means`; coverage simulated in `tests/reference/test_stats_coverage.py`.
    """
    one = np.asarray(scores, dtype=np.float64)
    if one.ndim != 1:
        raise ValueError(f"one score per question is needed, got shape {one.shape}; see `history_intervals`")
    return history_intervals(one[:, None], history, rng_seed=rng_seed, draws=draws, level=level, bounds=bounds)[0]


def history_intervals(
    scores: ArrayLike,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
    bounds: Bounds | None = (0.0, 1.0),
) -> list[Interval]:
    """`history_interval` of many systems on the same questions at once, under the same resamples.

    Args:
        scores: Shape (questions, systems); all else as for one system.
        history: Id of the history of each question, shape (questions,).
        rng_seed: The only source of randomness.
        draws: Number of resamples.
        level: Coverage, a ratio.
        bounds: What a score can be at all.

    Returns:
        One interval per system, each the same as `history_interval` gives for it alone.

    Raises:
        ValueError: If a score is not finite or out of bounds, or the lengths differ.

    Source:
        As `history_interval`.
    """
    table = checked(scores, history, bounds)
    found = infer_means(table, history, rng_seed=rng_seed, draws=draws, level=level, bounds=bounds)
    if len(table) and not history_codes(history).any():
        return [
            _wilson_within(column, level) if bounds == (0.0, 1.0) and np.isin(column, (0, 1)).all() else one.interval
            for column, one in zip(table.T, found, strict=True)
        ]
    return [one.interval for one in found]


def _wilson_within(scores: FloatArray, level: float) -> Interval:
    plain = wilson_interval(int(scores.sum()), len(scores), level=level)
    return replace(plain, clusters=1, method="Wilson, within one history")


def student_t_interval(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """Student t interval for the mean of independent values, such as one mean per history.

    Args:
        values: Shape (values,), any unit.
        level: Coverage, a ratio.

    Returns:
        The plain mean with its ends; ends undefined below 2 values, all undefined without any.

    Raises:
        ValueError: If *level* is no ratio or a value is not finite.

    Source:
        Student (1908), Biometrika 6.
    """
    check_level(level)
    array = checked(values, np.arange(len(np.atleast_1d(values))), None)[:, 0]
    n = len(array)
    mean = float(array.mean()) if n else None
    if mean is None or n < 2:
        why = "no values" if mean is None else "one value has no spread"
        return Interval(estimate=mean, low=None, high=None, n=n, clusters=n, level=level, method="Student t", why=why)
    reach = student_t_quantile((1 + level) / 2, n - 1) * float(array.std(ddof=1)) / n**0.5
    return Interval(
        estimate=mean, low=mean - reach, high=mean + reach, n=n, clusters=n, level=level, method="Student t"
    )


def bootstrap_interval(
    scores: ArrayLike,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> Interval:
    """Plain percentile bootstrap over histories, whatever their number: the papers' interval.

    With each question as its own history it is the papers' bootstrap over questions. It is too narrow for few
    clusters and has no width where all scores are equal; `history_interval` is for reports.

    Args:
        scores: One per question, shape (questions,), any unit.
        history: Id of the history of each question, shape (questions,).
        rng_seed: The only source of randomness.
        draws: Number of resamples.
        level: Coverage, a ratio.

    Returns:
        The mean over questions and its ends; undefined without questions.

    Raises:
        ValueError: If a score is not finite or the lengths differ.

    Source:
        Efron and Tibshirani (1993), chapter 13; checked against exact binomial limits in
        `tests/reference/test_stats_parity.py`.
    """
    check_level(level)
    grouped = group(checked(scores, history, None), history)
    n, clusters, method = int(grouped.sizes.sum()), len(grouped.sizes), "plain bootstrap over histories"
    if not n:
        return Interval.undefined("no questions", level=level, method=method)
    drawn = resampled_means(grouped.sums, grouped.sizes, rng_seed=rng_seed, draws=draws)[:, 0]
    low, high = percentile_ends(drawn, (1 - level) / 2)
    return Interval(
        estimate=float(grouped.estimates[0]), low=low, high=high, n=n, clusters=clusters, level=level, method=method
    )
