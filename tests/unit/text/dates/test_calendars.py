"""Partly known dates and the arithmetic of dates."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.dates.calendars import (
    PartialDate,
    add_months,
    days_between,
    format_date,
    read_iso,
    weekday_name,
    working_days,
)

DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        pytest.param((None, None, None), "needs a year or a month", id="nothing"),
        pytest.param((2023, None, 4), "needs its month", id="day-without-month"),
        pytest.param((2023, 13, None), "month 13", id="month"),
        pytest.param((2023, 2, 29), "no day 29", id="day"),
        pytest.param((0, 1, 1), "year 0", id="year"),
    ],
)
def test_a_date_that_cannot_be_is_refused(parts: tuple[int | None, int | None, int | None], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PartialDate(*parts)


def test_the_leap_day_of_an_unsaid_year_can_be() -> None:
    assert PartialDate(None, 2, 29).exact is None


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        pytest.param(PartialDate(2024), date(2024, 1, 1), date(2024, 12, 31), id="year"),
        pytest.param(PartialDate(2024, 2), date(2024, 2, 1), date(2024, 2, 29), id="leap-month"),
        pytest.param(PartialDate(2024, 2, 3), date(2024, 2, 3), date(2024, 2, 3), id="day"),
        pytest.param(PartialDate(None, 2), None, None, id="no-year"),
    ],
)
def test_a_partial_date_spans_the_days_it_can_be(value: PartialDate, first: date | None, last: date | None) -> None:
    assert (value.first, value.last) == (first, last)


def test_a_coarser_date_admits_a_finer_one_but_not_the_other_way() -> None:
    year, month, day = PartialDate(2023), PartialDate(2023, 3), PartialDate(2023, 3, 12)
    assert year.admits(month)
    assert month.admits(day)
    assert not day.admits(month)
    assert not PartialDate(2023, 4).admits(day)
    assert PartialDate(None, 3, 12).admits(day)


@pytest.mark.parametrize(
    ("said", "offset"),
    [
        pytest.param("2024-03-01", None, id="date"),
        pytest.param("2024-03-01T09:30", None, id="local"),
        pytest.param("2024-03-01T09:30:00+05:30", timedelta(hours=5, minutes=30), id="offset"),
        pytest.param("2024-03-01T09:30Z", timedelta(0), id="utc"),
    ],
)
def test_iso_times_are_kept_as_said(said: str, offset: timedelta | None) -> None:
    read = read_iso(said)
    assert (read.said, read.offset, read.local.date()) == (said, offset, date(2024, 3, 1))
    assert read.local.tzinfo is None


def test_what_is_not_iso_is_an_error_with_the_value() -> None:
    with pytest.raises(ValueError, match="'1 March'"):
        read_iso("1 March")


def test_weekdays_have_their_names() -> None:
    """20 July 1969 was a Sunday."""
    assert weekday_name(date(1969, 7, 20)) == "Sunday"


@pytest.mark.parametrize(
    ("end", "exclusive", "inclusive"),
    [
        pytest.param(date(2024, 3, 1), 1, 2, id="leap-year"),
        pytest.param(date(2024, 2, 29), 0, 1, id="same-day"),
        pytest.param(date(2024, 2, 27), -2, -3, id="backwards"),
    ],
)
def test_days_are_counted_with_or_without_the_first(end: date, exclusive: int, inclusive: int) -> None:
    start = date(2024, 2, 29)
    assert days_between(start, end) == exclusive
    assert days_between(start, end, inclusive=True) == inclusive


@given(DAYS, st.integers(-5, 400), st.booleans())
def test_working_days_are_those_a_walk_over_the_calendar_counts(start: date, length: int, inclusive: bool) -> None:
    end = start + timedelta(days=length)
    walked = [start + timedelta(days=step) for step in range(0 if inclusive else 1, length + 1)]
    expected = sum(day.weekday() < 5 for day in walked)
    assert working_days(start, end, inclusive=inclusive) == expected


@pytest.mark.parametrize(
    ("months", "expected"),
    [
        pytest.param(1, date(2024, 2, 29), id="clamped-to-the-leap-day"),
        pytest.param(13, date(2025, 2, 28), id="clamped"),
        pytest.param(-2, date(2023, 11, 30), id="backwards"),
        pytest.param(12, date(2025, 1, 31), id="year"),
    ],
)
def test_months_are_added_with_the_day_clamped(months: int, expected: date) -> None:
    assert add_months(date(2024, 1, 31), months) == expected


@given(DAYS, st.integers(-600, 600))
def test_adding_months_moves_by_just_so_many(day: date, months: int) -> None:
    moved = add_months(day, months)
    assert 12 * (moved.year - day.year) + moved.month - day.month == months
    assert moved.day <= day.day


@pytest.mark.parametrize(
    ("value", "iso", "day_first", "month_first"),
    [
        pytest.param(PartialDate(2023, 3, 5), "2023-03-05", "5 March 2023", "March 5, 2023", id="day"),
        pytest.param(PartialDate(2023, 3), "2023-03", "March 2023", "March 2023", id="month"),
        pytest.param(PartialDate(2023), "2023", "2023", "2023", id="year"),
        pytest.param(PartialDate(None, 3, 5), "--03-05", "5 March", "March 5", id="no-year"),
    ],
)
def test_dates_are_written_as_far_as_they_are_known(
    value: PartialDate, iso: str, day_first: str, month_first: str
) -> None:
    assert (format_date(value, "iso"), format_date(value), format_date(value, "month_first")) == (
        iso,
        day_first,
        month_first,
    )
