"""Lengths of time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.dates.durations import DAY, HOUR, MINUTE, MONTH, WEEK, YEAR, find_durations


def duration_of(text: str) -> float | None:
    """The seconds of the one length of time that *text* is."""
    found = find_durations(text)
    return found[0].seconds if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("3 days", 3 * DAY, id="digits"),
        pytest.param("two weeks", 2 * WEEK, id="words"),
        pytest.param("twenty-five minutes", 25 * MINUTE, id="two-words"),
        pytest.param("a year and a half", 1.5 * YEAR, id="and-a-half-behind"),
        pytest.param("one and a half years", 1.5 * YEAR, id="and-a-half-before"),
        pytest.param("half an hour", HOUR / 2, id="half"),
        pytest.param("three quarters of an hour", 45 * MINUTE, id="quarters"),
        pytest.param("2½ hours", 2.5 * HOUR, id="sign"),
        pytest.param("1h 20m", HOUR + 20 * MINUTE, id="letters"),
        pytest.param("1h20m", HOUR + 20 * MINUTE, id="letters-joined"),
        pytest.param("2 years, 3 months and 4 days", 2 * YEAR + 3 * MONTH + 4 * DAY, id="parts"),
        pytest.param("a couple of weeks", 2 * WEEK, id="couple"),
        pytest.param("a fortnight", 2 * WEEK, id="fortnight"),
        pytest.param("1,000 days", 1000 * DAY, id="separator"),
        pytest.param("one second", 1, id="second-is-a-unit"),
        pytest.param("a second", None, id="a-second-is-an-ordinal"),
        pytest.param("third day", None, id="ordinal"),
        pytest.param("5m", None, id="metres"),
        pytest.param("the 90s", None, id="decade"),
        pytest.param("twice a week", None, id="rate"),
        pytest.param("3 days 5 days", None, id="two"),
        pytest.param("soon", None, id="none"),
    ],
)
def test_a_text_that_is_one_length_of_time_is_read(text: str, expected: float | None) -> None:
    assert duration_of(text) == expected


def test_lengths_are_found_with_their_places() -> None:
    text = "We stayed for 3 days, then a two-week trip; it rained twice a week."
    assert [(one.days, text[one.start : one.end]) for one in find_durations(text)] == [(3, "3 days"), (14, "two-week")]


def test_a_year_and_a_month_are_means() -> None:
    """365.25 days, and a twelfth of that."""
    assert (YEAR / DAY, MONTH / DAY) == (365.25, 30.4375)


@given(st.integers(0, 500), st.integers(1, 23), st.integers(1, 59))
def test_parts_add_up(days: int, hours: int, minutes: int) -> None:
    text = f"{days} days, {hours} hours and {minutes} minutes"
    assert duration_of(text) == days * DAY + hours * HOUR + minutes * MINUTE


@given(st.text(alphabet=st.one_of(st.sampled_from("1 2 half and a day h m ½ week"), st.characters()), max_size=40))
def test_any_text_is_read_and_places_do_not_overlap(text: str) -> None:
    place = 0
    for one in find_durations(text):
        assert place <= one.start < one.end <= len(text)
        place = one.end
