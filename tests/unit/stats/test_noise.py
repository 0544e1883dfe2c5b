"""The difference that two runs of one system make by noise alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recollect.stats.distributions import student_t_quantile
from recollect.stats.noise import noise_floor

HISTORIES = [0, 0, 1, 1, 2, 2]


def test_two_runs_are_paired_by_history() -> None:
    """Sums of the histories differ by 1, 1 and 0: the variance of the difference is 2 / 36, by hand."""
    first, second = [1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 0]
    floor = noise_floor([[first, second]], HISTORIES)
    variances = np.array([0.5, 0.5, 0.0])
    df = min(3.0, variances.sum() ** 2 / ((variances**2).sum() / 3))
    assert floor.df == pytest.approx(df)
    assert floor.half_width == pytest.approx(student_t_quantile(0.975, df) * math.sqrt(2 * variances.sum() / 36))
    assert (floor.runs, floor.n, floor.clusters, floor.method) == (2, 6, 3, "Student t on histories")


def test_noise_that_questions_of_a_history_share_counts_whole() -> None:
    """Two questions that flip together are worse than two that flip against each other."""
    together = noise_floor([[[1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 1, 0]]], HISTORIES).half_width
    against = noise_floor([[[1, 0, 0, 1, 1, 1], [0, 1, 1, 0, 1, 0]]], HISTORIES).half_width
    assert together is not None
    assert against is not None
    assert together > against > 0


def test_noise_that_is_independent_by_design_counts_question_by_question() -> None:
    """Repeated answers are calls of their own: no history stands between them."""
    runs = [[[1, 0, 0, 1, 1, 1], [0, 1, 1, 0, 1, 0]]]
    within = noise_floor(runs, HISTORIES, within=True)
    assert within.method == "Student t on questions"
    assert within.df > noise_floor(runs, HISTORIES).df


def test_one_history_says_that_it_is_one() -> None:
    """Its questions take its place, as in every interval of a report."""
    assert "within one history" in noise_floor([[[1, 0, 1], [0, 0, 1]]], [5, 5, 5]).method


def test_runs_that_never_differ_leave_the_doubt_that_their_number_leaves() -> None:
    """Bound of 3 / n on flipped questions; more questions, less doubt, never none."""
    few, many = (noise_floor(np.ones((1, 2, n)), [0] * n).half_width for n in (10, 1_000))
    assert few is not None
    assert many is not None
    assert few == pytest.approx(1.959964 * math.sqrt((1 - 0.05**0.1) / 10), rel=1e-6)
    assert 0 < many < 0.005


def test_series_are_averaged_and_never_mixed() -> None:
    """A second answer of each ingest says the same of the ingests again; what lies between series is no noise here."""
    one = np.array([[1, 0, 1, 0, 1, 0], [1, 1, 1, 0, 0, 0]])
    assert noise_floor(np.stack([one, 1 - one]), HISTORIES).half_width == noise_floor(one[None], HISTORIES).half_width


def test_a_question_counts_where_all_runs_have_it() -> None:
    """A fault in one run makes no difference between runs."""
    floor = noise_floor([[[1.0, math.nan, 0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]], HISTORIES)
    assert floor.n == 5
    assert floor.method.startswith("no value differed")


@pytest.mark.parametrize(
    ("values", "why"),
    [([[[1.0, 0.0]]], "one run has nothing to differ from"), ([[[1.0, math.nan], [math.nan, 0.0]]], "no question has")],
)
def test_what_cannot_be_told_is_undefined_with_its_reason(values: list[list[list[float]]], why: str) -> None:
    """Never a floor of 0."""
    floor = noise_floor(values, [0, 1])
    assert floor.half_width is None
    assert why in floor.why


@pytest.mark.parametrize(("values", "problem"), [([[1.0, 0.0]], "shape"), ([[[2.0, 0.0], [1.0, 0.0]]], "out of")])
def test_wrong_shapes_and_values_are_refused(values: object, problem: str) -> None:
    """The message says what was expected."""
    with pytest.raises(ValueError, match=problem):
        noise_floor(values, [0, 1])  # type: ignore[arg-type]
