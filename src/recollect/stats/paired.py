"""Two systems on the same questions: the difference, its interval, its p value, and a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from numpy.typing import ArrayLike

from recollect.stats.bootstrap import DRAWS, IntArray
from recollect.stats.clusters import checked, infer_means
from recollect.stats.distributions import student_t_quantile
from recollect.stats.estimate import Interval, check_level

Verdict = Literal["win", "loss", "tie"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedComparison:
    """How the first system does against the second on the same questions."""

    first: float | None
    """Mean of the first system over the shared questions; `None` without any."""
    second: float | None
    """Mean of the second system over the same questions."""
    difference: Interval
    """First minus second, clustered by history, both systems under the same resamples."""
    p: float | None
    """Two-sided p value of no difference, of the same method as the interval."""
    p_adjusted: float | None
    """The same after a correction over several comparisons; `None` where none was made."""
    minimum_detectable_effect: float | None
    """True difference that a test of this size finds four times out of five; `None` where it is undefined."""
    verdict: Verdict | None
    """`tie` wherever the (adjusted) p value is not below 1 - level; `None` without questions."""
    tie: str = ""
    """Why the verdict is a tie."""

    def adjusted(self, p: float) -> PairedComparison:
        """The same comparison under a p value corrected over several, such as by `holm`."""
        return self._judged(p_adjusted=p)

    def above(self, floor: float | None) -> PairedComparison:
        """The same comparison, a tie if the difference is no larger than what noise alone makes."""
        estimate = self.difference.estimate
        if floor is None or estimate is None or self.verdict is None or abs(estimate) > floor:
            return self
        why = f"the difference is within the noise floor of {floor:.4g}"
        return replace(self, verdict="tie", tie=self.tie or why)

    def _judged(self, p_adjusted: float | None) -> PairedComparison:
        p, gap = self.p if p_adjusted is None else p_adjusted, self.difference
        if gap.estimate is None or p is None:
            return replace(self, p_adjusted=p_adjusted, verdict=None, tie="")
        why = ""
        if gap.low is None or gap.high is None or gap.low <= 0 <= gap.high:
            why = "the interval holds 0"
        elif p >= 1 - gap.level:
            why = f"p is {p:.3g}" if p_adjusted is None else "no longer clear after correction over the tasks"
        verdict: Verdict = "tie" if why else "win" if gap.estimate > 0 else "loss"
        return replace(self, p_adjusted=p_adjusted, verdict=verdict, tie=why)


def compare_paired(
    first: ArrayLike,
    second: ArrayLike,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
) -> PairedComparison:
    """Compare two systems by their differences per question, clustered by history.

    A resample takes both systems' scores of a history together, so what they share, such as a hard history,
    cancels. Below 30 histories Student t on history differences replaces the bootstrap, for interval and
    p value alike; the rule is that of `recollect.stats.clusters`.

    Args:
        first: Scores of the first system, shape (questions,), ratios in [0, 1].
        second: Scores of the second on the same questions in the same order.
        draws: Number of resamples; the smallest p value is about 2 / draws.
        level: Coverage, a ratio; 1 - level is the false alarm rate of the verdict.

    Returns:
        Means, difference, p value, minimum detectable effect and verdict; undefined without questions.

    Raises:
        ValueError: If shapes differ or a score is out of [0, 1].

    Source:
        See `recollect.stats.clusters.infer_means`; false alarms simulated in
        `tests/reference/test_stats_coverage.py`.
    """
    ours, theirs = (checked(scores, history, (0.0, 1.0)) for scores in (first, second))
    if ours.shape != theirs.shape or ours.shape[1] != 1:
        raise ValueError(f"two systems need one score per question each, got {ours.shape} and {theirs.shape}")
    found = infer_means(ours - theirs, history, rng_seed=rng_seed, draws=draws, level=level, bounds=(-1.0, 1.0))[0]
    error = found.standard_error
    comparison = PairedComparison(
        first=float(ours.mean()) if ours.size else None,
        second=float(theirs.mean()) if theirs.size else None,
        difference=found.interval,
        p=found.p,
        p_adjusted=None,
        minimum_detectable_effect=(
            None if error is None else minimum_detectable_effect(error, units=found.units, level=level)
        ),
        verdict=None,
    )
    return comparison._judged(None)


def minimum_detectable_effect(
    standard_error: float, *, units: int, level: float = 0.95, power: float = 0.8
) -> float | None:
    """Smallest true difference that a two-sided test finds with the given power.

    Args:
        standard_error: Of the difference, in the unit of the scores.
        units: Histories (or other independent units) behind it.
        level: 1 - false alarm rate, a ratio.
        power: Share of such differences that are found, a ratio of at least one half.

    Returns:
        In the unit of the scores; `None` below 2 units, where nothing can be found.

    Raises:
        ValueError: If *level* or *power* is no ratio, or the standard error is negative.

    Source:
        Bloom (1995), Minimum Detectable Effects, Evaluation Review 19(5), equation for the multiplier.
    """
    check_level(level)
    if not 0.5 <= power < 1 or standard_error < 0:
        raise ValueError(f"power is a ratio from 0.5 on and the error at least 0, got {power!r}, {standard_error!r}")
    if units < 2:
        return None
    df = units - 1
    return standard_error * (student_t_quantile((1 + level) / 2, df) + student_t_quantile(power, df))
