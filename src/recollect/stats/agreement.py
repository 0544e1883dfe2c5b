"""Agreement of raters beyond chance: Cohen's kappa, plain and clustered, Gwet's AC1 and AC2."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from recollect.stats.bootstrap import FloatArray
from recollect.stats.clusters import history_codes
from recollect.stats.distributions import student_t_quantile
from recollect.stats.estimate import check_level

KappaWeights = Literal["none", "linear", "quadratic"]
GwetWeights = Literal["identity", "linear", "quadratic", "ordinal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A chance-corrected agreement with its parts."""

    name: str
    """`kappa`, `weighted kappa`, `AC1` or `AC2`."""
    coefficient: float | None
    """1 for perfect, 0 for chance agreement; `None` where it is undefined."""
    observed: float | None
    """Agreement seen, a ratio (weighted where weights are)."""
    chance: float | None
    """Agreement expected by chance, a ratio."""
    n: int
    """Subjects with at least one rating."""
    standard_error: float | None = None
    """Of the coefficient over subjects; `None` where the formula has none."""
    low: float | None = None
    """Lower end of the interval; `None` with the standard error."""
    high: float | None = None
    """Upper end, at most 1; `None` with the standard error."""
    why: str | None = None
    """The reason, where the coefficient is undefined."""


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    categories: Sequence[Hashable] | None = None,
    weights: KappaWeights = "none",
) -> Agreement:
    """Cohen's kappa of two raters, plain or weighted by the distance of the categories in their order.

    Args:
        first: Ratings of the first rater, one per subject.
        second: Ratings of the second, in the same order.
        categories: All categories in their order; `None` takes those seen, sorted.
        weights: How much a disagreement counts: fully, by distance, or by squared distance.

    Returns:
        Undefined with its reason without subjects or when chance agreement is total.

    Raises:
        ValueError: If lengths differ or a rating is no category.

    Source:
        Cohen (1960), Educ. Psychol. Meas. 20; Cohen (1968), Psychological Bulletin 70; checked against
        scikit-learn in `tests/reference/test_stats_values.py`.
    """
    pairs = list(zip(first, second, strict=True))
    name = "kappa" if weights == "none" else "weighted kappa"
    index = _index(categories, [rating for pair in pairs for rating in pair])
    if not pairs:
        return Agreement(name=name, coefficient=None, observed=None, chance=None, n=0, why="no subjects")
    table = np.zeros((len(index), len(index)))
    for a, b in pairs:
        table[index[a], index[b]] += 1 / len(pairs)
    apart = np.abs(np.subtract.outer(np.arange(len(index)), np.arange(len(index)))).astype(np.float64)
    cost: FloatArray = np.sign(apart) if weights == "none" else apart ** (2 if weights == "quadratic" else 1)
    scale = cost.max() or 1.0
    seen = float((cost * table).sum() / scale)
    expected = float((cost * np.outer(table.sum(axis=1), table.sum(axis=0))).sum() / scale)
    coefficient = 1 - seen / expected if expected else None
    why = None if expected else "both raters use one and the same category: chance agreement is total"
    return Agreement(name=name, coefficient=coefficient, observed=1 - seen, chance=1 - expected, n=len(pairs), why=why)


def gwet(
    ratings: Sequence[Sequence[Hashable | None]],
    *,
    categories: Sequence[Hashable] | None = None,
    weights: GwetWeights = "identity",
    level: float = 0.95,
) -> Agreement:
    """Gwet's AC1 (identity weights) or AC2 of any number of raters, with missing ratings.

    Unlike kappa it does not collapse when nearly all subjects fall into one category.

    Args:
        ratings: One row per subject, one entry per rater, `None` where a rating is missing.
        categories: All categories in their order; `None` takes those seen, sorted. Numbers weigh by their
            distance, others by their position.
        weights: How near two categories are.
        level: Coverage of the interval over subjects, a ratio.

    Returns:
        Undefined with its reason if no subject has two ratings or there is one category only.

    Raises:
        ValueError: If a rating is no category or *level* is no ratio.

    Source:
        Gwet (2008), Br. J. Math. Stat. Psychol. 61; Gwet (2014), Handbook of Inter-Rater Reliability, 4th
        edition, chapter 5; checked against irrCAC in `tests/reference/test_stats_values.py`.
    """
    check_level(level)
    rows = [[rating for rating in row if rating is not None] for row in ratings]
    rows = [row for row in rows if row]
    index = _index(categories, [rating for row in rows for rating in row])
    near = _nearness(list(index), weights)
    name = "AC1" if np.array_equal(near, np.eye(len(index))) else "AC2"
    why = "one category only: chance agreement is total" if len(index) < 2 else None
    if not any(len(row) > 1 for row in rows):
        why = "no subject has two ratings"
    if why:
        return Agreement(name=name, coefficient=None, observed=None, chance=None, n=len(rows), why=why)
    counts = np.array([np.bincount([index[r] for r in row], minlength=len(index)) for row in rows], dtype=np.float64)
    found = _gwet_of_counts(counts, near, name)
    if found.coefficient is None or found.standard_error is None:
        return found
    reach = student_t_quantile((1 + level) / 2, len(rows) - 1) * found.standard_error
    return replace(found, low=found.coefficient - reach, high=min(1.0, found.coefficient + reach))


def _gwet_of_counts(counts: FloatArray, near: FloatArray, name: str) -> Agreement:
    """Coefficient and standard error from how often each subject got each category, shape (subjects, categories)."""
    n, raters = len(counts), counts.sum(axis=1)
    pairs = raters * (raters - 1)
    agreeing = (counts * (counts @ near - 1)).sum(axis=1)
    per_subject = np.divide(agreeing, pairs, out=np.zeros_like(agreeing), where=pairs > 0)
    shares = (counts / raters[:, None]).mean(axis=0)
    spread = float(near.sum()) / (len(near) * (len(near) - 1))
    twice = raters > 1
    observed = float(per_subject.sum() / twice.sum())
    chance = spread * float((shares * (1 - shares)).sum())
    coefficient = (observed - chance) / (1 - chance)
    error = None
    if n > 1:  # linearised over subjects: the influence of each on observed and on chance agreement
        influence = (n / twice.sum()) * (per_subject - chance * twice) / (1 - chance)
        on_chance = spread * (counts @ (1 - shares)) / raters
        influence = influence - 2 * (1 - coefficient) * (on_chance - chance) / (1 - chance)
        error = math.sqrt(float(np.square(influence - coefficient).sum()) / (n * (n - 1)))
    return Agreement(name=name, coefficient=coefficient, observed=observed, chance=chance, n=n, standard_error=error)


def _index(categories: Sequence[Hashable] | None, seen: Sequence[Hashable]) -> dict[Hashable, int]:
    """Category -> its position; those seen are sorted, numbers as numbers."""
    if categories is None:
        numbers = [rating for rating in seen if isinstance(rating, int | float)]
        categories = sorted(set(numbers)) if len(numbers) == len(seen) else sorted(set(seen), key=str)
    index = {category: position for position, category in enumerate(categories)}
    strange = [rating for rating in seen if rating not in index]
    if strange:
        raise ValueError(f"rating {strange[0]!r} is none of the categories {list(index)!r}")
    return index


def _nearness(categories: Sequence[Hashable], weights: GwetWeights) -> FloatArray:
    """1 on the diagonal, less the further two categories are apart, shape (categories, categories)."""
    positions = np.arange(len(categories), dtype=np.float64)
    values = [c for c in categories if isinstance(c, int | float)]
    at = np.array(values, dtype=np.float64) if len(values) == len(categories) and weights != "ordinal" else positions
    apart: FloatArray = np.abs(np.subtract.outer(at, at))
    if weights == "identity" or len(categories) < 2:
        return np.equal(apart, 0).astype(np.float64)
    if weights == "ordinal":
        apart = apart * (apart + 1) / 2
    ratio: FloatArray = apart / apart.max()
    near: FloatArray = 1 - ratio ** (2 if weights == "quadratic" else 1)
    return near


def clustered_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    cluster: Sequence[Hashable],
    *,
    categories: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Agreement:
    """Cohen's kappa of two raters with a jackknife interval over whole clusters, such as all answers to one question.

    Args:
        first: Ratings of the first rater, one per subject.
        second: Ratings of the second, in the same order.
        cluster: What each subject belongs to.
        categories: All categories; `None` takes those seen.
        level: Coverage of the interval, a ratio.

    Returns:
        As `cohen_kappa`, with standard error and Student t interval cut to [-1, 1]; without them below two clusters,
        where leaving one out leaves kappa undefined, and where the raters never differ, so that there is no spread.

    Raises:
        ValueError: If lengths differ, a rating is no category or *level* is no ratio.

    Source:
        Cohen (1960), Educ. Psychol. Meas. 20; Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter
        11, with clusters as units. Checked by hand in `tests/unit/stats/test_clustered_kappa.py`.
    """
    check_level(level)
    found = cohen_kappa(first, second, categories=categories)
    if len(cluster) != len(first):
        raise ValueError(f"each subject needs its cluster, got {len(first)} and {len(cluster)}")
    if found.coefficient is None or found.observed == 1.0:
        return found
    index = {category: position for position, category in enumerate(dict.fromkeys([*first, *second]))}
    codes = history_codes(cluster)
    tables = np.zeros((int(codes.max()) + 1, len(index), len(index)))
    for code, rating, counterpart in zip(codes, first, second, strict=True):
        tables[code, index[rating], index[counterpart]] += 1
    left = tables.sum(axis=0) - tables
    kappas = [_kappa(table) for table in left] if len(tables) > 1 else []
    if not kappas or any(math.isnan(one) for one in kappas):
        return found
    units = len(kappas)
    error = math.sqrt((units - 1) / units * float(np.square(np.array(kappas) - np.mean(kappas)).sum()))
    reach = student_t_quantile((1 + level) / 2, units - 1) * error
    low, high = max(-1.0, found.coefficient - reach), min(1.0, found.coefficient + reach)
    return replace(found, standard_error=error, low=low, high=high)


def _kappa(table: FloatArray) -> float:
    """Not a number where it is undefined."""
    total = float(table.sum())
    if not total:
        return math.nan
    seen = float(np.trace(table)) / total
    chance = float(table.sum(axis=0) @ table.sum(axis=1)) / total**2
    return math.nan if chance == 1.0 else (seen - chance) / (1 - chance)
