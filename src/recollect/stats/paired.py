"""Two systems on the same questions: the difference, its interval, its p value, and a verdict in one word."""

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
    """First minus second, clustered on histories, both systems under the same resamples."""
    p: float | None
    """Two-sided p value of no difference, of the same method as the interval."""
    p_adjusted: float | None
    """The same after a correction over several comparisons; `None` where none was made."""
    minimum_detectable_effect: float | None
    """True difference that a test of this size finds four times out of five; `None` where it is undefined."""
    verdict: Verdict | None
    """`tie` wherever the (adjusted) p value is not below 1 - level; `None` without questions."""
    tie: str = ""
    """Why it is one."""

    def adjusted(self, p: float) -> PairedComparison:
        """The same comparison under a p value corrected over several, such as by `holm`."""
        return self._judged(p_adjusted=p)

    def above(self, floor: float | None) -> PairedComparison:
        """The same comparison, a tie if the difference is no larger than what noise alone makes."""
        apart = self.difference.estimate
        if floor is None or apart is None or self.verdict is None or abs(apart) > floor:
            return self
        why = f"the difference is within the noise floor of {floor:.4g}"
        return replace(self, verdict="tie", tie=self.tie or why)

    def _judged(self, p_adjusted: float | None) -> PairedComparison:
        p, apart = self.p if p_adjusted is None else p_adjusted, self.difference
        if apart.estimate is None or p is None:
            return replace(self, p_adjusted=p_adjusted, verdict=None, tie="")
        why = _why_tie(apart, p, corrected=p_adjusted is not None)
        verdict: Verdict = "tie" if why else "win" if apart.estimate > 0 else "loss"
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
    """Compare two systems by their differences per question, clustered on histories.

    A resample takes both systems' scores of a history together, so what they share, such as a hard history,
    cancels. Below 30 histories Student t on history differences replaces the bootstrap, for interval and
    p value alike; the rule is that of `recollect.stats.clusters`.

    Args:
        first: Scores of the first system, shape (questions,), ratios in [0, 1].
        second: Scores of the second on the same questions in the same order.
        history: Id of the history of each question, shape (questions,).
        rng_seed: The only source of randomness; used from 30 histories on.
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
    effect = None
    if found.standard_error is not None:
        effect = minimum_detectable_effect(found.standard_error, units=found.units, level=level)
    comparison = PairedComparison(
        first=float(ours.mean()) if ours.size else None,
        second=float(theirs.mean()) if theirs.size else None,
        difference=found.interval,
        p=found.p,
        p_adjusted=None,
        minimum_detectable_effect=effect,
        verdict=None,
    )
    return comparison._judged(None)


def _why_tie(difference: Interval, p: float, *, corrected: bool) -> str:
    """Why the data tell no difference; empty where they do."""
    if difference.low is None or difference.high is None or difference.low <= 0 <= difference.high:
        return "the interval holds 0"
    if p < 1 - difference.level:
        return ""
    return "no longer clear after correction over the tasks" if corrected else f"p is {p:.3g}"


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
