"""Dates that English text names. The anchor is Thursday, 20 July 2023; expected days are from a printed calendar."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.dates.calendars import PartialDate, Style, format_date, weekday_name
from recollect.text.dates.mentions import find_dates
from recollect.text.dates.phrases import Lean

ANCHOR = date(2023, 7, 20)
_CLOCK = re.compile(r",?\s*(?:at\s+)?\d{1,2}(?::\d{2}){1,2}\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*[ap]m", re.IGNORECASE)
_FILLER = re.compile(r"\b(?:on|in|at|the|it|was|is|about|around|during|early|mid|late)\b", re.IGNORECASE)


def parse_date(
    text: str, anchor: date | None = None, *, lean: Lean = "past", day_first: bool = False
) -> PartialDate | None:
    """The one date that *text* is; a clock time beside it does not matter."""
    found = find_dates(text, anchor, lean=lean, day_first=day_first)
    if len(found) != 1:
        return None
    rest = f"{text[: found[0].start]} {text[found[0].end :]}"
    return None if re.search(r"\w", _FILLER.sub("", _CLOCK.sub("", rest))) else found[0].value


def iso_of(text: str, anchor: date | None = ANCHOR, *, lean: Lean = "past") -> str | None:
    value = parse_date(text, anchor, lean=lean)
    return None if value is None else format_date(value, "iso")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("12 March 2023", "2023-03-12", id="day-month-year"),
        pytest.param("March 12th, 2023", "2023-03-12", id="month-day-year"),
        pytest.param("the 12th of March, 2023", "2023-03-12", id="the-of"),
        pytest.param("the twenty-first of June 2022", "2022-06-21", id="ordinal-words"),
        pytest.param("Sunday, 12 Mar. 2023", "2023-03-12", id="weekday-and-short-month"),
        pytest.param("2023/03/12", "2023-03-12", id="slashes-year-first"),
        pytest.param("12.03.2023", "2023-03-12", id="dots"),
        pytest.param("03/12/2023", "2023-03-12", id="slashes-month-first"),
        pytest.param("25/12/2023", "2023-12-25", id="slashes-that-must-be-day-first"),
        pytest.param("1/2/23", "2023-01-02", id="short-year"),
        pytest.param("12-Mar-2023", "2023-03-12", id="hyphens"),
        pytest.param("2023 March 12", "2023-03-12", id="year-first"),
        pytest.param("2023-03-12T09:30:00+02:00", "2023-03-12", id="iso-time"),
        pytest.param("1:56 pm on 8 May, 2023", "2023-05-08", id="clock-before"),
        pytest.param("8 May, 2023 at 5:05 pm", "2023-05-08", id="clock-behind"),
        pytest.param("12-14 March 2023", "2023-03-12", id="range-is-its-first-day"),
        pytest.param("in March 2023", "2023-03", id="month"),
        pytest.param("2023-03", "2023-03", id="iso-month"),
        pytest.param("in 2023", "2023", id="year"),
        pytest.param("1999", "1999", id="bare-year"),
        pytest.param("March 12", "--03-12", id="no-year"),
        pytest.param("March", "--03", id="bare-month"),
        pytest.param("31 February", None, id="no-such-day"),
        pytest.param("3.14.2023", None, id="no-such-month"),
        pytest.param("yesterday", None, id="relative-without-anchor"),
        pytest.param("You may go", None, id="verb"),
        pytest.param("the second may be", None, id="verb-behind-an-ordinal"),
        pytest.param("12 March 2023 or 2024", None, id="more-than-one"),
        pytest.param("a party on 12 March 2023", None, id="more-than-a-date"),
        pytest.param("", None, id="empty"),
    ],
)
def test_absolute_dates_need_no_anchor(text: str, expected: str | None) -> None:
    assert iso_of(text, None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("today", "2023-07-20", id="today"),
        pytest.param("yesterday", "2023-07-19", id="yesterday"),
        pytest.param("last night", "2023-07-19", id="last-night"),
        pytest.param("the day before yesterday", "2023-07-18", id="day-before-yesterday"),
        pytest.param("tomorrow", "2023-07-21", id="tomorrow"),
        pytest.param("the following day", "2023-07-21", id="following-day"),
        pytest.param("3 days ago", "2023-07-17", id="days-ago"),
        pytest.param("3 weeks ago", "2023-06-29", id="weeks-ago"),
        pytest.param("a couple of weeks ago", "2023-07-06", id="couple"),
        pytest.param("two months ago", "2023-05", id="months-ago"),
        pytest.param("a year and a half ago", "2022-01", id="year-and-a-half"),
        pytest.param("10 years ago", "2013", id="years-ago"),
        pytest.param("in three days' time", "2023-07-23", id="in-days"),
        pytest.param("two days from now", "2023-07-22", id="from-now"),
        pytest.param("last Friday", "2023-07-14", id="last-weekday"),
        pytest.param("last Thursday", "2023-07-13", id="last-weekday-of-the-same-name"),
        pytest.param("this Friday", "2023-07-21", id="this-weekday"),
        pytest.param("next Thursday", "2023-07-27", id="next-weekday"),
        pytest.param("Monday of last week", "2023-07-10", id="weekday-of-week"),
        pytest.param("on Sunday", "2023-07-16", id="bare-weekday"),
        pytest.param("last week", "2023-07-10", id="last-week-is-its-monday"),
        pytest.param("the week before last", "2023-07-03", id="week-before-last"),
        pytest.param("last weekend", "2023-07-15", id="last-weekend"),
        pytest.param("the weekend before", "2023-07-15", id="weekend-before"),
        pytest.param("two weekends ago", "2023-07-08", id="weekends-ago"),
        pytest.param("next weekend", "2023-07-22", id="next-weekend"),
        pytest.param("next month", "2023-08", id="next-month"),
        pytest.param("last year", "2022", id="last-year"),
        pytest.param("last March", "2023-03", id="last-march"),
        pytest.param("next March", "2024-03", id="next-march"),
        pytest.param("March 12", "2023-03-12", id="no-year-leans-back"),
        pytest.param("in August", "2022-08", id="month-leans-back"),
        pytest.param("March 12 last year", "2022-03-12", id="other-year"),
        pytest.param("29 February", "2020-02-29", id="leap-day"),
        pytest.param("the Friday before 20 July 2023", "2023-07-14", id="weekday-before-date"),
        pytest.param("the weekend before 17 July 2023", "2023-07-15", id="weekend-before-date"),
        pytest.param("the week of 9 June 2023", "2023-06-05", id="week-of"),
        pytest.param("two days after 12 March 2023", "2023-03-14", id="days-after-date"),
        pytest.param("the month before March 2023", "2023-02", id="month-before-month"),
        pytest.param("first weekend of August 2023", "2023-08-05", id="nth-weekend"),
        pytest.param("the last Friday of May 2023", "2023-05-26", id="last-weekday-of-month"),
        pytest.param("the last week of July 2023", "2023-07-24", id="last-week-of-month"),
        pytest.param("the second Monday in March 2024", "2024-03-11", id="nth-weekday"),
        pytest.param("a few days ago", None, id="vague"),
        pytest.param("recently", None, id="vague-word"),
        pytest.param("two days before my birthday", None, id="hangs-on-something-else"),
        pytest.param("5000 years ago", None, id="outside-the-calendar"),
        pytest.param("the fifth Friday of May 2023", None, id="no-such-friday"),
    ],
)
def test_relative_dates_hang_on_the_anchor_or_on_a_date(text: str, expected: str | None) -> None:
    """`no-such-friday`: May 2023 had four Fridays, and what is left of the phrase is more than a date."""
    assert iso_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Sunday", "2023-07-23", id="weekday"),
        pytest.param("March 12", "2024-03-12", id="day"),
        pytest.param("in August", "2023-08", id="month"),
        pytest.param("Thursday", "2023-07-20", id="the-day-itself"),
    ],
)
def test_a_lean_to_the_future_takes_what_comes(text: str, expected: str) -> None:
    assert iso_of(text, lean="future") == expected


@pytest.mark.parametrize(
    ("text", "grain", "first", "last"),
    [
        pytest.param("last week", "week", date(2023, 7, 10), date(2023, 7, 16), id="week"),
        pytest.param("3 weeks ago", "week", date(2023, 6, 26), date(2023, 7, 2), id="weeks-ago"),
        pytest.param("last weekend", "weekend", date(2023, 7, 15), date(2023, 7, 16), id="weekend"),
        pytest.param("next month", "month", date(2023, 8, 1), date(2023, 8, 31), id="month"),
        pytest.param("in 2022", "year", date(2022, 1, 1), date(2022, 12, 31), id="year"),
        pytest.param("yesterday", "day", date(2023, 7, 19), date(2023, 7, 19), id="day"),
    ],
)
def test_a_mention_says_which_time_it_means(text: str, grain: str, first: date, last: date) -> None:
    mention = find_dates(text, ANCHOR)[0]
    assert (mention.grain, mention.first, mention.last) == (grain, first, last)


def test_mentions_have_their_places_in_the_text() -> None:
    text = "We met last night, then on 3 May 2021; the Friday before 20 July 2023 I may be away."
    found = [(text[one.start : one.end], one.relative) for one in find_dates(text, ANCHOR)]
    assert found == [("last night", True), ("3 May 2021", False), ("the Friday before 20 July 2023", True)]


def test_slashes_are_read_day_first_where_asked() -> None:
    assert parse_date("3/4/2023", day_first=True) == PartialDate(2023, 4, 3)
    assert parse_date("3/4/2023") == PartialDate(2023, 3, 4)


@given(
    st.dates(date(1000, 1, 1), date(2199, 12, 31)),
    st.sampled_from(["iso", "day_first", "month_first"]),
    st.booleans(),
)
def test_days_are_read_back_as_they_were_written(day: date, style: Style, weekday: bool) -> None:
    written = format_date(day, style)
    assert parse_date(f"{weekday_name(day)}, {written}" if weekday else written) == PartialDate.of(day)


@given(st.integers(1900, 2099), st.integers(1, 12), st.sampled_from(["iso", "day_first"]))
def test_months_are_read_back_as_they_were_written(year: int, month: int, style: Style) -> None:
    value = PartialDate(year, month)
    assert parse_date(format_date(value, style)) == value


@given(st.dates(date(2000, 1, 1), date(2030, 12, 31)), st.integers(1, 400))
def test_days_ago_and_days_before_a_date_agree(anchor: date, days: int) -> None:
    ago = parse_date(f"{days} days ago", anchor)
    assert ago == parse_date(f"{days} days before {format_date(anchor)}")


PIECES = [
    *("the", "last", "next", "Friday", "week", "12", "March", "2023", "before", "ago", "two", "days", "weekend", "of"),
    *("in", "-", "/", ".", "3", "month", "year", "after", "first"),
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=10).map(" ".join))
def test_any_text_is_read_and_places_do_not_overlap(text: str) -> None:
    place = 0
    for mention in find_dates(text, ANCHOR):
        assert place <= mention.start < mention.end <= len(text)
        place = mention.end


@given(st.sampled_from([date.min, date.max]), st.sampled_from(["last week", "next weekend", "next month", "last year"]))
def test_the_edge_of_the_calendar_is_no_error(anchor: date, text: str) -> None:
    assert len(find_dates(text, anchor)) <= 1
