from __future__ import annotations

import pytest

from recollect.records.tables.cells import Estimate
from recollect.report import numbers


@pytest.mark.parametrize(
    ("ratio", "shown"),
    [(0.7421, "74.2"), (0.0, "0.0"), (1.0, "100.0"), (-0.123, "\u221212.3"), (-0.00001, "0.0"), (None, "–")],
)
def test_ratios_become_percent(ratio: float | None, shown: str) -> None:
    assert numbers.percent(ratio) == shown


def test_an_interval_without_an_end_is_a_dash() -> None:
    assert numbers.interval(Estimate(estimate=0.5, low=0.25, high=0.75)) == "25.0 to 75.0"
    assert numbers.interval(Estimate(estimate=0.5, low=0.25)) == "–"


def test_an_estimate_is_spoken_with_its_interval_or_its_reason() -> None:
    assert numbers.spoken(Estimate(estimate=0.5, low=0.25, high=0.75)) == "50.0\u00a0%, 95 % interval 25.0 to 75.0 %"
    assert numbers.spoken(Estimate(estimate=0.5)) == "50.0\u00a0%"
    assert numbers.spoken(Estimate(estimate=None, why="no answer counts")) == "no answer counts"


def test_seconds_have_their_unit() -> None:
    assert [numbers.seconds(s) for s in (0.0123, 4.5678, 12345.6)] == ["12.3\u00a0ms", "4.57\u00a0s", "12,346\u00a0s"]


def test_small_p_values_are_bounded() -> None:
    assert [numbers.p_value(p) for p in (0.0004, 0.021, None)] == ["p < 0.001", "p = 0.021", "–"]


def test_whole_numbers_are_grouped() -> None:
    assert [numbers.whole(n) for n in (12345.6, 0, None)] == ["12,346", "0", "–"]


@pytest.mark.parametrize(
    ("amount", "written"),
    [(0, "$0.00"), (None, "–"), (1234.567, "$1,234.57"), (0.0123456, "$0.0123"), (0.1, "$0.1"), (1e-7, "$0.0000001")],
)
def test_money_has_cents_or_three_digits_that_count(amount: float | None, written: str) -> None:
    assert numbers.money(amount) == written


def test_an_amount_is_written_in_its_unit() -> None:
    assert numbers.written(1234.5, "tokens") == "1,234"
    assert numbers.written(2.5, "money") == numbers.written(2.5, "dollars") == "$2.50"
