"""How far two runs of one and the same system lie apart: the floor below which no difference is a win."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
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

    The runs differ by noise only, so each history tells its variance between runs by itself, and questions of a
    history may share their noise. One history: its questions take its place, and the method says so. Where no value
    ever differs, an exact bound on how many questions may flip takes the place of a variance of 0.

    Args:
        values: Shape (series, runs, questions), ratios in [0, 1], NaN where there is none. Each series is a set of
            runs by itself, such as the second answers of each ingest; series are averaged, never mixed.
        history: Id of the history of each question, shape (questions,).
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
    return _floor(known, runs, level)


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

    def of_difference(self) -> float:
        """Variance of the difference of two runs' means."""
        return 2 * float(self.variances.sum()) / self.n**2

    def df(self, runs: int) -> float:
        """Satterthwaite's degrees of freedom, with unbiased squares of the variances."""
        squares = float((self.variances**2).sum()) / (runs + 1)
        most = len(self.variances) * (runs - 1.0)
        return min(most, max(runs - 1.0, float(self.variances.sum()) ** 2 / squares)) if squares else most


def _floor(series: Sequence[_Series], runs: int, level: float) -> Floor:
    first = max(series, key=lambda one: one.n)
    spread = sum(one.of_difference() for one in series) / len(series)
    df = min(one.df(runs) for one in series)
    if spread > 0:
        width, method = student_t_quantile((1 + level) / 2, df) * math.sqrt(spread), "Student t on "
    else:
        flips = 1 - (1 - level) ** (1 / (first.n * (runs - 1)))
        width, method = normal_quantile((1 + level) / 2) * math.sqrt(flips / first.n), "no value differed: bound on "
    return Floor(
        half_width=min(1.0, width),
        runs=runs,
        n=first.n,
        clusters=first.clusters,
        df=df,
        level=level,
        method=method + (first.unit if spread > 0 else "flipped questions"),
    )
