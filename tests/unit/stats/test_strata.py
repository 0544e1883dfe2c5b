from __future__ import annotations

import numpy as np
import pytest

from recollect.stats.strata import paired_interval, stratified_interval


def test_the_macro_mean_weighs_parts_alike_and_the_stratified_one_questions() -> None:
    scores, part = [1] * 9 + [0], ["a"] * 9 + ["b"]
    assert stratified_interval(scores, part, rng_seed=0, macro=True).estimate == pytest.approx(0.5)
    assert stratified_interval(scores, part, rng_seed=0).estimate == pytest.approx(0.9)


def test_parts_that_differ_much_make_the_stratified_interval_narrower() -> None:
    scores = np.repeat([1.0, 0.0], 50)
    scores[0], scores[99] = 0.0, 1.0
    within = stratified_interval(scores, np.repeat([0, 1], 50), rng_seed=0).half_width
    across = stratified_interval(scores, [0] * 100, rng_seed=0).half_width
    assert within is not None
    assert across is not None
    assert within < across / 2


@pytest.mark.parametrize("macro", [True, False])
def test_no_questions_are_undefined(macro: bool) -> None:
    assert stratified_interval([], [], rng_seed=0, macro=macro).why == "no questions"


def test_parts_are_resampled_independently() -> None:
    """Two equal parts under the same draws would swing together: the variance of the mean would double."""
    rng = np.random.default_rng(0)
    half = (rng.random(200) < 0.5).astype(float)
    together = stratified_interval(np.tile(half, 2), np.repeat([0, 1], 200), rng_seed=0, macro=True).half_width
    alone = stratified_interval(half, [0] * 200, rng_seed=0).half_width
    assert together is not None
    assert alone is not None
    assert together == pytest.approx(alone / 2**0.5, rel=0.1)


def test_a_paired_interval_holds_the_difference_and_is_that_of_the_plain_bootstrap() -> None:
    first, second = [1] * 40 + [0] * 60, [1] * 20 + [0] * 70 + [1] * 10
    ours = paired_interval(first, second, rng_seed=1)
    plain = stratified_interval(np.array(first) - np.array(second), [0] * 100, rng_seed=1)
    assert ours.estimate == pytest.approx(0.1)
    assert ours.low == pytest.approx(plain.low, abs=0.011)
    assert ours.high == pytest.approx(plain.high, abs=0.011)
    assert (ours.n, ours.method) == (100, "paired bootstrap over questions")


def test_pairs_are_right_or_wrong_and_as_many_on_both_sides() -> None:
    for second in ([1.0], [0.5, 0.0]):
        with pytest.raises(ValueError, match="0 or 1"):
            paired_interval([1, 0], second, rng_seed=0)
    assert paired_interval([], [], rng_seed=0).why == "no questions"
