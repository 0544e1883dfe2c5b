"""What weeks, weekends and weekdays beside an anchor are."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.dates.relative import adjacent, nearest_weekday, nth_in_month, shifted, weekend

DAYS = st.dates(date(1950, 1, 1), date(2080, 12, 31))


@given(DAYS, st.integers(0, 6))
def test_the_nearest_weekday_is_at_most_a_week_away_and_never_the_anchor(anchor: date, weekday: int) -> None:
    before, after = nearest_weekday(anchor, weekday, -1), nearest_weekday(anchor, weekday, 1)
    assert before.weekday() == after.weekday() == weekday
    assert timedelta(1) <= anchor - before <= timedelta(7)
    assert timedelta(1) <= after - anchor <= timedelta(7)


@given(DAYS)
def test_the_last_weekend_is_over_and_the_next_has_not_begun(anchor: date) -> None:
    last, following = weekend(anchor, -1), weekend(anchor, 1)
    assert timedelta(1) <= anchor - last.last <= timedelta(7)
    assert timedelta(1) <= following.first - anchor <= timedelta(7)


@given(DAYS, st.integers(1, 4), st.sampled_from(["Monday", "weekend", "week"]))
def test_the_nth_of_a_month_is_a_week_behind_the_one_before(month: date, which: int, what: str) -> None:
    first, nth = nth_in_month(month, what, 1), nth_in_month(month, what, which)
    assert nth.first - first.first == timedelta(days=7 * (which - 1))


def test_a_month_without_a_fifth_is_an_error() -> None:
    with pytest.raises(ValueError, match="2023-05 has no Friday number 5"):
        nth_in_month(date(2023, 5, 1), "Friday", 5)


@given(DAYS, st.integers(1, 24))
def test_months_and_years_keep_their_grain(anchor: date, months: int) -> None:
    assert shifted(anchor, -months, "month").grain == "month"
    assert shifted(anchor, months, "year").value.year == anchor.year + months


def test_the_month_of_the_anchor_is_a_year_away() -> None:
    """Said in July, last July is that of the year before."""
    anchor = date(2023, 7, 20)
    assert adjacent(anchor, "July", -1).first == date(2022, 7, 1)
    assert adjacent(anchor, "July", 0).first == date(2023, 7, 1)
    assert adjacent(anchor, "July", 1).first == date(2024, 7, 1)
