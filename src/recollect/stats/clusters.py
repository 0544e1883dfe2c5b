"""Mean scores with intervals clustered by history.

The estimate is always the mean over questions (micro), as in the papers' headlines. Only its spread is estimated
from histories:

* from 30 histories on: percentile bootstrap over histories, with the percentiles widened for few clusters
  as Hesterberg does;
* 2 to 29 histories: Student t on history means, each weighing as much as its share of the questions; the
  standard error is that of leaving out one history at a time. With histories of equal length this is the
  textbook t interval of the history means;
* one history: its questions are the units, and the method says *within one history*;
* history means without any spread though the scores have some (mostly ties of two short histories): questions are
  the units, and the method says so;
* scores that are all equal: an exact bound on how many unseen histories may differ, since no spread in the data is
  not certainty.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import DRAWS, FloatArray, IntArray, percentile_ends, resampled_means
from recollect.stats.distributions import normal_cdf, normal_quantile, student_t_quantile, student_t_sf
from recollect.stats.estimate import Interval, check_level

BOOTSTRAP_FROM = 30
"""Histories from which on the bootstrap replaces Student t."""

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanInference:
    """A mean with its interval, its standard error, and the test against zero."""

    interval: Interval
    """The mean over questions with its interval."""
    standard_error: float | None
    """In the unit of the scores; `None` where it is undefined or the scores do not vary."""
    p: float | None
    """Two-sided p value of a true mean of 0, of the same method as the interval."""
    units: int
    """Histories, or questions where these took their place: one more than the degrees of freedom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """Scores summed by history; histories are in the order of their ids, so the questions' order never matters."""

    sums: FloatArray
    """Shape (histories, columns), in the unit of the scores."""
    sizes: FloatArray
    """Questions per history, shape (histories,)."""

    @property
    def estimates(self) -> FloatArray:
        """Mean over questions of each column, shape (columns,)."""
        estimates: FloatArray = self.sums.sum(axis=0) / self.sizes.sum()
        return estimates

    @property
    def means(self) -> FloatArray:
        """Mean of each history, shape (histories, columns)."""
        means: FloatArray = self.sums / self.sizes[:, None]
        return means

    @property
    def covariance(self) -> FloatArray:
        """Of the estimates, leaving out one history at a time, shape (columns, columns); needs 2 histories.

        Where all histories are equally long it is the covariance of their means over their number.
        """
        without = (self.sums.sum(axis=0) - self.sums) / (self.sizes.sum() - self.sizes)[:, None]
        away, units = without - self.estimates, len(self.sizes)
        covariance: FloatArray = away.T @ away * ((units - 1) / units)
        return covariance


def group(values: FloatArray, history: Sequence[Hashable] | IntArray | None) -> Grouped:
    """Sum *values*, shape (questions, columns), by history; `None` makes each question its own."""
    if history is None:
        return Grouped(sums=values, sizes=np.ones(len(values)))
    codes = history_codes(history)
    sizes = np.bincount(codes).astype(np.float64)
    sums = np.zeros((len(sizes), values.shape[1]))
    np.add.at(sums, codes, values)
    return Grouped(sums=sums, sizes=sizes)


def history_codes(history: Sequence[Hashable] | IntArray) -> IntArray:
    """The place of each question's history in the order of the ids, shape (questions,); ids may be any value."""
    if not isinstance(history, np.ndarray) and not all(isinstance(one, str | int) for one in history):
        history = [repr(one) for one in history]
    codes: IntArray = np.unique(np.asarray(list(history)), return_inverse=True)[1].astype(np.int64)
    return codes


def checked(values: ArrayLike, history: Sequence[Hashable] | IntArray, bounds: Bounds | None) -> FloatArray:
    """The scores as a table, shape (questions, columns).

    Raises:
        ValueError: If a score is not finite or out of *bounds*, or questions and histories differ in number.
    """
    table = np.asarray(values, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) != len(history):
        raise ValueError(f"{len(history)} histories were given for scores of shape {table.shape}: one per question")
    if not np.isfinite(table).all():
        raise ValueError("a score is not finite; leave out what is undefined, it is not a number")
    if bounds is not None and table.size and (table.min() < bounds[0] or table.max() > bounds[1]):
        raise ValueError(f"scores reach from {table.min()!r} to {table.max()!r}, beyond {bounds}; pass other `bounds`")
    return table


def infer_means(
    values: ArrayLike,
    history: Sequence[Hashable] | IntArray,
    *,
    rng_seed: int,
    draws: int = DRAWS,
    level: float = 0.95,
    bounds: Bounds | None = (0.0, 1.0),
) -> list[MeanInference]:
    """Mean, interval and test against zero of each column, by the rule at the head of this module.

    Args:
        values: Scores or differences, shape (questions,) or (questions, columns).
        bounds: What a score can be at all. Ends are cut there, and scores that never vary need it;
            `None` where there is no bound, as for seconds.

    Returns:
        One result per column. No questions: undefined with its reason, never 0.

    Raises:
        ValueError: If a score is not finite or out of bounds, or shapes differ.

    Source:
        Bootstrap over clusters: Davison and Hinkley (1997), section 3.8. Widened percentiles: Hesterberg (2015),
        What Teachers Should Know About the Bootstrap, The American Statistician 69(4), section 3.2.
        Jackknife over clusters: Bell and McCaffrey (2002), Survey Methodology 28(2), there for regressions.
        Bound for constant scores: Clopper and Pearson (1934) with no case among the histories.
    """
    check_level(level)
    table = checked(values, history, bounds)
    if not len(table):
        interval = Interval.undefined("no questions", level=level, method="none")
        return [MeanInference(interval=interval, standard_error=None, p=None, units=0) for _ in range(table.shape[1])]
    settings = _Settings(level=level, rng_seed=rng_seed, draws=draws, bounds=bounds)
    grouped = group(table, history)
    clusters = len(grouped.sizes)
    if clusters == 1:
        return _infer(group(table, None), settings, clusters, label=", within one history")
    found = _infer(grouped, settings, clusters)
    ties = np.ptp(grouped.means, axis=0) <= 1e-12 * np.abs(table).max()
    for column in np.flatnonzero(ties & (np.ptp(table, axis=0) > 0)):
        by_question = group(table[:, [column]], None)
        found[column] = _infer(by_question, settings, clusters, label=", no spread between histories")[0]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    level: float
    rng_seed: int
    draws: int
    bounds: Bounds | None


def _infer(grouped: Grouped, settings: _Settings, clusters: int, *, label: str = "") -> list[MeanInference]:
    """One result per column; with a label the units are questions, else histories."""
    kind, units, means = "questions" if label else "histories", len(grouped.sizes), grouped.means
    constant = np.ptp(means, axis=0) <= 1e-12 * max(1.0, np.abs(means).max())
    errors = np.sqrt(np.diag(grouped.covariance)) if units > 1 else np.zeros(means.shape[1])
    drawn = None
    if units >= BOOTSTRAP_FROM and not constant.all():
        drawn = resampled_means(grouped.sums, grouped.sizes, rng_seed=settings.rng_seed, draws=settings.draws)
    results = []
    for column, estimate in enumerate(grouped.estimates.tolist()):
        error, why = 0.0 if constant[column] else float(errors[column]), None
        if error and drawn is not None:
            ends, p = _bootstrap(drawn[:, column], units, settings.level)
            method = f"bootstrap over {kind}"
        elif error:
            ends, p = _student(estimate, error, units - 1, settings)
            method = "Student t on questions" if label else "Student t, one history left out at a time"
        else:
            ends, p = _constant(estimate, units, settings)
            method = f"exact bound on unseen {kind}, all scores equal"
            why = None if ends else "the scores do not vary and have no bound"
        low, high = ends or (None, None)
        interval = Interval(
            estimate=estimate,
            low=low,
            high=high,
            n=int(grouped.sizes.sum()),
            clusters=clusters,
            level=settings.level,
            method=method + label,
            why=why,
        )
        results.append(MeanInference(interval=interval, standard_error=error or None, p=p, units=units))
    return results


def _student(estimate: float, error: float, df: int, settings: _Settings) -> tuple[Bounds | None, float | None]:
    reach = student_t_quantile((1 + settings.level) / 2, df) * error
    low, high = estimate - reach, estimate + reach
    if settings.bounds is not None:
        low, high = max(low, settings.bounds[0]), min(high, settings.bounds[1])
    return (low, high), 2 * student_t_sf(abs(estimate) / error, df)


def _bootstrap(drawn: FloatArray, units: int, level: float) -> tuple[Bounds | None, float | None]:
    beyond = (min((drawn <= 0).sum(), (drawn >= 0).sum()) + 1) / (len(drawn) + 1)
    t = -normal_quantile(min(0.5, float(beyond))) / _widening(units)
    return percentile_ends(drawn, widened_tail(units, level)), 2 * student_t_sf(t, units - 1)


def widened_tail(units: int, level: float) -> float:
    """Share of the resamples to cut off at each side: less than (1 - level) / 2, the more so the fewer units."""
    return normal_cdf(-_widening(units) * student_t_quantile((1 + level) / 2, units - 1))


def _widening(units: int) -> float:
    """Resampling divides by the number of units where a variance divides by one less."""
    return math.sqrt(units / (units - 1))


def _constant(estimate: float, units: int, settings: _Settings) -> tuple[Bounds | None, float | None]:
    """The exact bound where all scores are equal."""
    if settings.bounds is None:
        return None, None
    low, high = settings.bounds
    unseen = 1 - ((1 - settings.level) / 2) ** (1 / units)
    seen = estimate * (1 - unseen)
    against = abs(low if estimate > 0 else high)
    p = min(1.0, 2 * (1 + abs(estimate) / against) ** -units) if against else None
    return (seen + low * unseen, seen + high * unseen), p
