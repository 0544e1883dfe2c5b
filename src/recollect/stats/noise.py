"""Noise of repeated measurements: variance components, and the difference between runs that noise alone explains."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import FloatArray, IntArray
from recollect.stats.clusters import history_codes
from recollect.stats.distributions import normal_quantile, student_t_quantile
from recollect.stats.estimate import check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Half the width of the interval of the difference of two single runs of one system; the true one is 0."""

    half_width: float | None
    """In the unit of the values, at most 1; `None` where it is undefined."""
    runs: int
    n: int
    """Questions that all runs have."""
    clusters: int
    """Histories they come from."""
    df: float
    level: float
    method: str
    why: str = ""
    """The reason, where it is undefined."""


def noise_floor(
    values: ArrayLike, history: Sequence[Hashable] | IntArray, *, level: float = 0.95, within: bool = False
) -> Floor:
    """How far the means of two runs of one system may lie apart by noise alone.

    The runs differ by noise only, so the variance between runs is estimated for each history by itself; questions of
    a history may share their noise. With one history its questions are the units, and the method says so. Where no
    value ever differs, an exact bound on how many questions may flip replaces a variance of 0.

    Args:
        values: Shape (series, runs, questions), ratios in [0, 1], NaN where there is none. Each series is a separate
            set of runs, such as the second answers of each ingest; series are averaged, never mixed.
        level: Share of such differences that stay within the floor, a ratio.
        within: Noise of different questions is independent by design (answers, verdicts): each counts for itself.

    Returns:
        The floor, undefined with its reason below two runs or without questions.

    Raises:
        ValueError: If shapes differ, *level* is no ratio or a value is out of [0, 1].

    Source:
        Sum of independent variances with Satterthwaite (1946), Biometrics Bulletin 2; simulated in
        `tests/reference/test_noise_simulated.py`. Bound without any difference: Clopper and Pearson (1934).
    """
    check_level(level)
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 3 or table.shape[2] != len(history):
        raise ValueError(f"runs of {len(history)} questions have shape (series, runs, questions), got {table.shape}")
    if table.size and not (np.isnan(table) | ((table >= 0) & (table <= 1))).all():
        raise ValueError("a value is out of [0, 1]")
    codes, runs = history_codes(history), table.shape[1]
    series = [_Series.of(one, codes, within=within) for one in table]
    known = [one for one in series if one is not None] if runs > 1 else []
    if not known:
        why = "no question has a value in all runs" if runs > 1 else "one run has nothing to differ from"
        return Floor(half_width=None, runs=runs, n=0, clusters=0, df=0.0, level=level, method="none", why=why)
    first = max(known, key=lambda one: one.n)
    spread = sum(2 * float(one.variances.sum()) / one.n**2 for one in known) / len(known)
    df = min(one.df(runs) for one in known)
    if spread > 0:
        width, method = student_t_quantile((1 + level) / 2, df) * math.sqrt(spread), f"Student t on {first.unit}"
    else:
        flips = 1 - (1 - level) ** (1 / (first.n * (runs - 1)))
        width = normal_quantile((1 + level) / 2) * math.sqrt(flips / first.n)
        method = "no value differed: bound on flipped questions"
    return Floor(
        half_width=min(1.0, width), runs=runs, n=first.n, clusters=first.clusters, df=df, level=level, method=method
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """Runs of the same questions."""

    variances: FloatArray
    """Between runs, of the sum of each unit, shape (units,)."""
    n: int
    clusters: int
    unit: str

    @classmethod
    def of(cls, table: FloatArray, codes: IntArray, *, within: bool) -> _Series | None:
        """One series, shape (runs, questions), on the questions that all its runs have."""
        whole = ~np.isnan(table).any(axis=0)
        if len(table) < 2 or not whole.any():
            return None
        kept, names = table[:, whole], codes[whole]
        clusters = len(np.unique(names))
        alone = within or clusters == 1
        units = np.arange(len(names)) if alone else np.unique(names, return_inverse=True)[1]
        sums = np.zeros((len(table), int(units.max()) + 1))
        for run, one in enumerate(kept):
            np.add.at(sums[run], units, one)
        variances = sums.var(axis=0, ddof=1)
        variances[variances < 1e-15] = 0.0
        kind = "histories" if not alone else "questions" if within else "questions, within one history"
        return cls(variances=variances, n=int(whole.sum()), clusters=clusters, unit=kind)

    def df(self, runs: int) -> float:
        """Satterthwaite's degrees of freedom, with unbiased squares of the variances."""
        squares = float((self.variances**2).sum()) / (runs + 1)
        most = len(self.variances) * (runs - 1.0)
        return min(most, max(runs - 1.0, float(self.variances.sum()) ** 2 / squares)) if squares else most


Nested = Sequence[Sequence[Sequence[float]]]
"""The values of one question: ingest, answer, verdict. Every list inside has at least one entry."""
NEGLIGIBLE = 1e-15
"""A sum of squares below this is what rounding leaves of equal values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """What one stage adds to the variance of a single value."""

    variance: float
    """In squared units of the values; never negative."""
    df: int
    """Degrees of freedom. Of ingest: repeated ingests, for the questions of a history share them."""
    clamped: bool = False
    """The equations gave a negative variance, so it is reported as 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedVariance:
    """A component for each stage that was repeated; one that was not is `None`, and its noise is in the one above."""

    ingest: Component | None
    answer: Component | None
    judge: Component | None


def nested_variance(histories: Iterable[Iterable[Nested]]) -> NestedVariance:
    """Split the variance between repeats of the same question into ingest, answer and judge.

    Every question has its own mean. Mean squares of all questions are pooled and set equal to what they are expected
    to be, from the innermost stage outwards; lists may be of unequal length. Ingest noise that questions of a history
    share leaves the estimate unbiased, but makes it as unsteady as the number of ingests.

    Args:
        histories: The values of each question of each history, in any unit.

    Returns:
        Components; `None` for a stage that no question repeats.

    Raises:
        ValueError: If a question has an empty list.

    Source:
        Searle, Casella and McCulloch (1992), Variance Components, section 5.3 (unbalanced nested analysis of variance);
        planted components are recovered in `tests/reference/test_noise_simulated.py`.
    """
    pooled = _Sums()
    for history in histories:
        ingests = 0
        for question in history:
            pooled.add(question)
            ingests = max(ingests, len(question) - 1)
        pooled.ingest_df += ingests
    judge = _component(pooled.judge, pooled.judge_df, pooled.judge_df)
    within = pooled.answer - pooled.answer_df * _variance(judge)
    answer = _component(within, pooled.answer_size, pooled.answer_df)
    between = pooled.ingest - pooled.between_df * _variance(judge) - pooled.answer_in_ingest * _variance(answer)
    ingest = _component(between, pooled.ingest_size, pooled.ingest_df)
    return NestedVariance(ingest=ingest, answer=answer, judge=judge)


@dataclass(slots=True, kw_only=True)
class _Sums:
    """Sums of squares over all questions, their degrees of freedom, and how often each component is in them."""

    judge: float = 0
    judge_df: float = 0
    answer: float = 0
    answer_df: float = 0
    answer_size: float = 0
    ingest: float = 0
    between_df: float = 0
    answer_in_ingest: float = 0
    ingest_size: float = 0
    ingest_df: float = 0

    def add(self, question: Nested) -> None:
        if not question or not all(ingest and all(ingest) for ingest in question):
            raise ValueError("a question has an empty list; leave out what has no value")
        counts = [[len(verdicts) for verdicts in ingest] for ingest in question]
        means = [[sum(verdicts) / len(verdicts) for verdicts in ingest] for ingest in question]
        sizes = [sum(verdicts) for verdicts in counts]
        squares = [sum(n**2 for n in verdicts) for verdicts in counts]
        within = [square / size for square, size in zip(squares, sizes, strict=True)]
        total = sum(sizes)
        self.judge += sum(sum(_squares(verdicts, [1] * len(verdicts)) for verdicts in ingest) for ingest in question)
        self.judge_df += total - sum(len(ingest) for ingest in question)
        self.answer += sum(_squares(mean, n) for mean, n in zip(means, counts, strict=True))
        self.answer_df += sum(len(ingest) - 1 for ingest in question)
        self.answer_size += total - sum(within)
        self.ingest += _squares([_mean(mean, n) for mean, n in zip(means, counts, strict=True)], sizes)
        self.between_df += len(question) - 1
        self.answer_in_ingest += sum(within) - sum(squares) / total
        self.ingest_size += total - sum(size**2 for size in sizes) / total


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)


def _squares(values: Sequence[float], weights: Sequence[int]) -> float:
    mean = _mean(values, weights)
    found = sum(weight * (value - mean) ** 2 for weight, value in zip(weights, values, strict=True))
    return found if found > NEGLIGIBLE else 0.0


def _component(left: float, size: float, df: float) -> Component | None:
    """The rest *left* of a sum of squares, divided by how often the component is in it."""
    if not df or size <= 0:
        return None
    variance = left / size
    return Component(variance=max(0.0, variance), df=int(df), clamped=variance < -NEGLIGIBLE)


def _variance(component: Component | None) -> float:
    return 0.0 if component is None else component.variance
