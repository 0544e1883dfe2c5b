from __future__ import annotations

import statistics
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from recollect.stats.bootstrap import IntArray
from recollect.stats.clusters import infer_means
from recollect.stats.distributions import student_t_quantile
from recollect.stats.estimate import Interval
from recollect.stats.proportions import clopper_pearson_interval, wilson_interval
from recollect.stats.strata import stratified_interval


def history_interval(scores: ArrayLike, history: Sequence[Hashable] | IntArray, **settings: Any) -> Interval:
    """The interval of one column of scores."""
    (found,) = infer_means(scores, history, **settings)
    return found.interval


def test_no_questions_are_undefined_and_never_zero() -> None:
    for found in (
        history_interval([], [], rng_seed=0),
        wilson_interval(0, 0),
        clopper_pearson_interval(0, 0),
    ):
        assert (found.estimate, found.low, found.high, found.n) == (None, None, None, 0)
        assert found.why


def test_an_interval_without_ends_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        Interval(estimate=0.5, low=None, high=None, n=1, clusters=1, level=0.95, method="none")


def test_ends_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="wrong order"):
        Interval(estimate=0.5, low=0.6, high=0.4, n=1, clusters=1, level=0.95, method="none")


def test_from_thirty_histories_on_it_is_a_bootstrap_and_below_student_t() -> None:
    rng = np.random.default_rng(1)
    scores = (rng.random(600) < 0.7).astype(float)
    many = history_interval(scores, np.arange(600) % 30, rng_seed=0)
    few = history_interval(scores, np.arange(600) % 29, rng_seed=0)
    assert (many.method, many.clusters) == ("bootstrap over histories", 30)
    assert (few.method, few.clusters) == ("Student t, one history left out at a time", 29)


def test_equally_long_histories_give_the_textbook_t_interval_of_their_means() -> None:
    scores = [1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1]
    history = ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"]
    ours = history_interval(scores, history, rng_seed=0, bounds=None)
    reach = student_t_quantile(0.975, 2) * statistics.stdev([0.75, 0.25, 1.0]) / 3**0.5
    assert (ours.estimate, ours.low, ours.high) == pytest.approx((2 / 3, 2 / 3 - reach, 2 / 3 + reach), abs=1e-12)


def test_the_t_interval_is_centred_on_the_mean_over_questions_that_it_reports() -> None:
    """Histories of 1 and 9 questions: the estimate is 0.9, the mean of history means would be 0.5."""
    found = history_interval([0] + [1] * 8 + [1], [0] + [1] * 9, rng_seed=0, bounds=None)
    assert found.low is not None
    assert found.high is not None
    assert found.estimate == 0.9
    assert (found.low + found.high) / 2 == pytest.approx(0.9, abs=1e-12)


def test_the_estimate_does_not_change_where_the_method_does() -> None:
    rng = np.random.default_rng(2)
    scores = rng.random(500)
    uneven = np.sort(rng.integers(0, 29, 500))
    few, many = history_interval(scores, uneven, rng_seed=0), history_interval(scores, np.arange(500), rng_seed=0)
    assert few.estimate == pytest.approx(many.estimate, abs=1e-12)


@pytest.mark.parametrize(
    ("questions", "method"),
    [(12, "Student t on questions, within one history"), (40, "bootstrap over questions, within one history")],
)
def test_one_history_of_graded_scores_is_judged_by_its_questions(questions: int, method: str) -> None:
    scores = np.linspace(0.1, 0.9, questions)
    found = history_interval(scores, [0] * questions, rng_seed=0)
    assert found.method == method
    assert found.clusters == 1


def test_clustered_questions_get_a_wider_interval_than_independent_ones() -> None:
    """Five histories all right and five all wrong: ten facts, not two hundred."""
    scores = np.repeat([1.0, 0.0], 100)
    histories = np.repeat(np.arange(10), 20)
    clustered = history_interval(scores, histories, rng_seed=0)
    independent = history_interval(scores, np.arange(200), rng_seed=0)
    assert clustered.half_width is not None
    assert independent.half_width is not None
    assert clustered.half_width > 4 * independent.half_width


def test_all_right_is_not_all_sure() -> None:
    """Ten histories, all right: Clopper-Pearson's lower end for 10 of 10, whatever their length."""
    found, exact = (
        history_interval([1] * 500, np.repeat(np.arange(10), 50), rng_seed=0),
        clopper_pearson_interval(10, 10),
    )
    assert found.low == pytest.approx(exact.low, abs=1e-12)
    assert found.high == 1.0


def test_history_means_that_tie_by_chance_do_not_give_an_interval_without_width() -> None:
    found = history_interval([1, 0, 1, 0], [0, 0, 1, 1], rng_seed=0)
    assert found.method == "Student t on questions, no spread between histories"
    assert found.half_width


def test_equal_scores_without_a_bound_have_an_estimate_and_no_interval() -> None:
    found = history_interval([3.5] * 4, [0, 0, 1, 1], rng_seed=0, bounds=None)
    assert (found.estimate, found.low) == (3.5, None)
    assert found.why == "the scores do not vary and have no bound"


def test_percent_are_refused_where_ratios_are_wanted() -> None:
    with pytest.raises(ValueError, match="beyond"):
        history_interval([40, 60], [0, 1], rng_seed=0)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_no_ratio_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="ratio"):
        history_interval([1, 0], [0, 1], rng_seed=0, level=level)


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        history_interval([1, float("nan")], [0, 1], rng_seed=0)


def test_a_missing_history_is_refused() -> None:
    with pytest.raises(ValueError, match="one per question"):
        history_interval([1, 0, 1], [0, 1], rng_seed=0)


def test_same_seed_same_interval_whatever_the_order_of_the_questions() -> None:
    rng = np.random.default_rng(3)
    scores, history = (rng.random(400) < 0.6).astype(float), np.arange(400) % 40
    order = rng.permutation(400)
    assert history_interval(scores, history, rng_seed=5) == history_interval(scores[order], history[order], rng_seed=5)


def test_ids_of_any_kind_name_histories() -> None:
    scores = [1, 0, 1, 1, 0, 1]
    by_number = history_interval(scores, [0, 0, 1, 1, 2, 2], rng_seed=0)
    for ids in ("aabbcc", [("u", 1)] * 2 + [("u", 2)] * 2 + [("v", 1, 0)] * 2, np.array([0, 0, 1, 1, 2, 2])):
        assert history_interval(scores, ids, rng_seed=0) == by_number


def test_another_seed_gives_other_resamples() -> None:
    rng = np.random.default_rng(4)
    scores, history = rng.random(400), np.arange(400) % 40
    one, other = (history_interval(scores, history, rng_seed=seed) for seed in (1, 2))
    assert one.low != other.low


def test_many_systems_at_once_get_the_intervals_they_get_alone() -> None:
    rng = np.random.default_rng(5)
    table = (rng.random((300, 3)) < [0.2, 0.5, 0.9]).astype(float)
    for histories in (1, 7, 60):
        history = np.arange(300) % histories
        together = [found.interval for found in infer_means(table, history, rng_seed=1)]
        assert together == [history_interval(column, history, rng_seed=1) for column in table.T]


def test_wilson_has_width_at_the_ceiling_where_the_plain_bootstrap_has_none() -> None:
    assert stratified_interval([1] * 10, [0] * 10, rng_seed=0).half_width == 0
    assert wilson_interval(10, 10).half_width


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), min_size=1, max_size=40),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_ends_enclose_the_estimate_and_stay_in_bounds(rows: list[tuple[int, float]], level: float) -> None:
    found = history_interval([score for _, score in rows], [h for h, _ in rows], rng_seed=0, draws=200, level=level)
    assert found.low is not None
    assert found.high is not None
    assert found.estimate is not None
    assert 0 <= found.low <= found.estimate + 1e-9
    assert found.estimate - 1e-9 <= found.high <= 1


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilson_of_right_and_wrong_swapped_is_mirrored(count: int, n: int) -> None:
    count = min(count, n)
    one, mirrored = wilson_interval(count, n), wilson_interval(n - count, n)
    assert mirrored.high is not None
    assert one.low == pytest.approx(1 - mirrored.high, abs=1e-12)


def test_a_count_above_n_is_refused() -> None:
    with pytest.raises(ValueError, match="3 right of 2"):
        wilson_interval(3, 2)
