"""A few figures of other tools, committed, so that the statistics are checked without any data.

From scipy 1.12.0 (distributions, correlation, t test), statsmodels 0.15.0 (McNemar, Holm, Wilson,
Clopper-Pearson), scikit-learn 1.9.1 (kappa) and irrCAC 0.4.4 (Gwet), each run once in Python 3.11 on invented
inputs. Where a closed form exists it stands instead.
"""

from __future__ import annotations

import math

import pytest

from recollect.stats.agreement import GwetWeights, KappaWeights, cohen_kappa, gwet
from recollect.stats.clusters import infer_means
from recollect.stats.correlation import kendall, pearson, spearman
from recollect.stats.distributions import incomplete_beta, student_t_quantile, student_t_sf
from recollect.stats.paired import compare_paired
from recollect.stats.proportions import clopper_pearson_interval, wilson_interval
from recollect.stats.significance import holm, mcnemar, mcnemar_p

EXACT = 1e-9


@pytest.mark.parametrize(
    ("x", "a", "b", "share"),
    [
        (0.3, 2, 5, 0.5798250000000003),
        (0.77, 50, 7, 0.015824317177442974),
        (0.999, 0.5, 0.5, 0.9798649583666235),
        (1e-06, 0.5, 223, 0.01683960559619722),
        (0.85, 1300, 223, 0.3411257451533875),
    ],
)
def test_incomplete_beta_as_scipy(x: float, a: float, b: float, share: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(share, rel=1e-11)


@pytest.mark.parametrize(
    ("probability", "df", "value"),
    [
        (0.975, 1, math.tan(math.pi * 0.475)),
        (0.975, 2, 0.95 * math.sqrt(2 / (4 * 0.975 * 0.025))),
        (0.9, 9, 1.3830287383964925),
        (0.975, 4, 2.7764451051977987),
        (0.995, 28, 2.763262455461066),
    ],
)
def test_student_t_quantiles_as_their_closed_forms_and_scipy(probability: float, df: float, value: float) -> None:
    """The closed forms for 1 and 2 degrees of freedom, else scipy, whose own error is up to 1e-8 here."""
    assert student_t_quantile(probability, df) == pytest.approx(value, abs=1e-8 if df > 2 else 1e-12)


@pytest.mark.parametrize(
    ("value", "df", "tail"),
    [
        (0.001, 1521, 0.4996011233530953),
        (2.0, 1, 0.1475836176504332),
        (2.5, 9, 0.016930913841492853),
        (-1.3, 5, 0.8748496829146615),
        (40.0, 3, 1.719034039457927e-05),
    ],
)
def test_student_t_tails_as_scipy(value: float, df: float, tail: float) -> None:
    assert student_t_sf(value, df) == pytest.approx(tail, rel=1e-11)


@pytest.mark.parametrize(
    ("count", "n", "level", "low", "high"),
    [
        (0, 10, 0.95, 0.0, 0.27753279986288926),
        (10, 10, 0.95, 0.7224672001371106, 1.0),
        (1300, 1522, 0.95, 0.8355149413692019, 0.870980477121507),
        (3, 7, 0.9, 0.186443190363956, 0.7105229089864071),
    ],
)
def test_wilson_as_statsmodels(count: int, n: int, level: float, low: float, high: float) -> None:
    ours = wilson_interval(count, n, level=level)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=EXACT)


@pytest.mark.parametrize(
    ("count", "n", "level", "low", "high"),
    [
        (0, 10, 0.95, 0.0, 0.30849710781876083),
        (268, 268, 0.95, 0.986329821672345, 1.0),
        (1300, 1522, 0.95, 0.8353960466323037, 0.8715041859120821),
        (3, 7, 0.99, 0.055299349980566265, 0.882296248331048),
    ],
)
def test_clopper_pearson_as_statsmodels(count: int, n: int, level: float, low: float, high: float) -> None:
    ours = clopper_pearson_interval(count, n, level=level)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=EXACT)


@pytest.mark.parametrize(
    ("first_only", "second_only", "p"),
    [(0, 0, 1.0), (26, 25, 1.0), (10, 2, 0.03857421875), (300, 85, 3.183585755389418e-29)],
)
def test_mcnemar_as_statsmodels(first_only: int, second_only: int, p: float) -> None:
    assert mcnemar_p(first_only, second_only) == pytest.approx(p, rel=EXACT)


def test_mcnemar_of_two_vectors_as_statsmodels() -> None:
    found = mcnemar([1, 1, 0, 1, 1, 1], [1, 0, 1, 0, 0, 0])
    assert found == (1, 4, 1, 0, 0.375)


def test_holm_as_statsmodels() -> None:
    raw = [0.05235, 0.00464, 0.33407, 0.00477, 0.02469, 0.04819, 0.15555]
    adjusted = [0.19276, 0.03248, 0.33407, 0.03248, 0.12345, 0.19276, 0.3111]
    assert holm(raw) == pytest.approx(adjusted, abs=EXACT)


def test_correlations_as_scipy() -> None:
    """Without ties Kendall's p value is exact; with ties it is the normal approximation."""
    x, y, tied = [1, 4, 2, 8, 5, 7, 3, 9, 6], [2, 3, 1, 9, 4, 8, 5, 7, 6], [1, 1, 2, 3, 3, 3, 2, 4, 4]
    wanted = [
        (pearson(x, y), 0.8833333333333333, 0.0015905004234978706),
        (pearson(x, tied), 0.8075728530872482, 0.008478076137131543),
        (spearman(x, y), 0.8833333333333333, 0.0015905004234978686),
        (spearman(x, tied), 0.8158188965551123, 0.007335921294083169),
        (kendall(x, y), 0.7222222222222222, 0.0058862433862433864),
        (kendall(x, tied), 0.669438681395203, 0.01723902055859097),
    ]
    for found, coefficient, p in wanted:
        assert (found.coefficient, found.p) == pytest.approx((coefficient, p), abs=EXACT)


def test_student_t_interval_as_scipy() -> None:
    """scipy's `ttest_1samp(...).confidence_interval(0.95)`."""
    found = infer_means([0.4, 0.55, 0.7, 0.62, 0.48], range(5), rng_seed=0)[0].interval
    assert (found.low, found.high) == pytest.approx((0.4046669551108061, 0.695333044889194), abs=EXACT)


def test_paired_t_on_history_differences_as_scipy() -> None:
    """Five histories of two questions each, whose differences average 0.1, 0.05, -0.02, 0.12 and 0.08."""
    gains = [0.1, 0.05, -0.02, 0.12, 0.08]
    first = [0.5 + gain / 2 + side for gain in gains for side in (0.1, -0.1)]
    second = [0.5 - gain / 2 + side for gain in gains for side in (0.1, -0.1)]
    found = compare_paired(first, second, [h for h in range(5) for _ in range(2)], rng_seed=0)
    assert found.p == pytest.approx(0.05390053636444793, abs=EXACT)
    assert found.verdict == "tie"


@pytest.mark.parametrize(
    ("first", "second", "categories", "weights", "kappa"),
    [
        ([0, 1, 0, 1], [1, 0, 1, 0], None, "none", -1.0),
        ([2, 0, 1, 1], [0, 2, 1, 0], [2, 1, 0], "none", -0.09090909090909083),
        ([0, 1, 2, 1], [0, 1, 1, 2], [0, 1, 2, 3], "linear", 0.33333333333333337),
        ([1, 3, 1, 3, 3], [1, 3, 1, 1, 3], None, "quadratic", 0.6153846153846154),
    ],
)
def test_kappa_as_scikit_learn(
    first: list[int], second: list[int], categories: list[int] | None, weights: KappaWeights, kappa: float
) -> None:
    found = cohen_kappa(first, second, categories=categories, weights=weights)
    assert found.coefficient == pytest.approx(kappa, abs=EXACT)


FOUR_RATERS = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]]
TWO_RATERS = [[4, 4], [2, 3], [2, 2], [4, 4], [2, 0], [0, 0], [3, 2], [0, 0], [0, 0], [1, 1], [0, 0], [1, 1], [1, 1]]
ONE_MISSING = [[1, None], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("ratings", "weights", "name", "coefficient", "error", "low", "high"),
    [
        (FOUR_RATERS, "linear", "AC1", 0.569230769231, 0.214349812765, 0.04473567259, 1),
        (TWO_RATERS, "quadratic", "AC2", 0.899549259498, 0.07091119318, 0.745047042031, 1),
        (ONE_MISSING, "identity", "AC1", 1.0, 0.5, -1.151326364956, 1),
    ],
)
def test_gwet_as_irrcac(
    ratings: list[list[int | None]],
    weights: GwetWeights,
    name: str,
    coefficient: float,
    error: float,
    low: float,
    high: float,
) -> None:
    found = gwet(ratings, weights=weights)
    assert found.name == name
    assert (found.coefficient, found.standard_error) == pytest.approx((coefficient, error), abs=EXACT)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-8)
