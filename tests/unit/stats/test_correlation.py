from __future__ import annotations

import math
from itertools import permutations

import pytest

from recollect.stats.correlation import Correlation, kendall, pearson, spearman


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
class TestEachCorrelation:
    def test_a_constant_measure_is_undefined(self, measure: object) -> None:
        found = _call(measure, [1, 1, 1], [1, 2, 3])
        assert (found.coefficient, found.p, found.why) == (None, None, "a measure is constant")

    def test_one_pair_is_undefined(self, measure: object) -> None:
        assert _call(measure, [1], [2]).why == "fewer than 2 pairs"

    def test_opposite_orders_are_minus_one(self, measure: object) -> None:
        assert _call(measure, [1, 2, 3, 4], [8, 6, 4, 2]).coefficient == pytest.approx(-1)

    def test_unequal_lengths_are_refused(self, measure: object) -> None:
        with pytest.raises(ValueError, match="pairs"):
            _call(measure, [1, 2, 3], [1, 2])

    def test_a_missing_value_is_refused(self, measure: object) -> None:
        with pytest.raises(ValueError, match="not finite"):
            _call(measure, [1, 2, math.nan], [1, 2, 3])


def _call(measure: object, x: list[float], y: list[float]) -> Correlation:
    assert callable(measure)
    found = measure(x, y)
    assert isinstance(found, Correlation)
    return found


def test_spearman_sees_order_only() -> None:
    x, y = [1, 2, 3, 4, 5], [1, 10, 100, 1000, 10_000]
    assert spearman(x, y).coefficient == 1
    assert (pearson(x, y).coefficient or 1) < 0.9


def test_exact_kendall_counts_all_orders() -> None:
    """All 120 orders of 5: the share at least as far from 0 as the order seen."""
    seen = kendall([1, 2, 3, 4, 5], [1, 3, 2, 4, 5])
    assert seen.coefficient is not None
    all_taus = [kendall([1, 2, 3, 4, 5], list(order)).coefficient or 0 for order in permutations(range(5))]
    share = sum(abs(tau) >= seen.coefficient - 1e-12 for tau in all_taus) / 120
    assert seen.p == pytest.approx(share)
