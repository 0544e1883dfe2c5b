"""The mean of estimates that were made apart."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.stats.estimate import Ends, mean_of_estimates
from recollect.stats.proportions import wilson_interval


def test_one_estimate_is_itself() -> None:
    assert mean_of_estimates([Ends(0.2, 0.5, 0.9)]) == pytest.approx(Ends(0.2, 0.5, 0.9))


def test_ends_are_added_as_the_sides_of_a_right_angle() -> None:
    """By hand: 3 and 4 make 5 below, 6 and 8 make 10 above, each halved."""
    found = mean_of_estimates([Ends(-3.0, 0.0, 6.0), Ends(-4.0, 0.0, 8.0)])
    assert found == pytest.approx(Ends(-2.5, 0.0, 5.0))


def test_no_estimate_has_no_mean() -> None:
    with pytest.raises(ValueError, match="no estimates"):
        mean_of_estimates([])


def test_the_interval_of_four_shares_holds_the_truth_as_often_as_it_says() -> None:
    """Simulated: four shares of 40 answers each, 2,000 times; 95 % is within what so many tries can tell."""
    rng, shares = np.random.default_rng(5), np.array([0.1, 0.4, 0.7, 0.95])
    held = 0
    for right in rng.binomial(40, shares, size=(2_000, 4)):
        parts = [wilson_interval(int(one), 40) for one in right]
        found = mean_of_estimates([Ends(one.low or 0.0, one.estimate or 0.0, one.high or 1.0) for one in parts])
        held += found.low <= shares.mean() <= found.high
    assert 0.935 <= held / 2_000 <= 0.97
