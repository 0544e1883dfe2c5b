"""Times of sessions, and pictures in words: there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.locomo.rows import apart, in_words, read_time, say_time


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("1:56 pm on 8 May, 2023", "2023-05-08T13:56", id="published"),
        pytest.param("12:09 am on 13 September, 2023", "2023-09-13T00:09", id="midnight"),
        pytest.param("12:30 PM on 1 Jan 2024", "2024-01-01T12:30", id="noon-short-month"),
        pytest.param("13:56 pm on 8 May, 2023", None, id="no-such-hour"),
        pytest.param("1:56 pm on 31 June, 2023", None, id="no-such-day"),
        pytest.param("1:56 pm on 8 Mayo, 2023", None, id="no-such-month"),
        pytest.param("8 May, 2023", None, id="no-hour"),
    ],
)
def test_a_time_is_read(said: str, expected: str | None) -> None:
    assert read_time(said) == expected


@given(st.datetimes())
def test_a_time_comes_back(time: object) -> None:
    iso = time.replace(second=0, microsecond=0).isoformat(timespec="minutes")  # type: ignore[attr-defined]
    assert read_time(say_time(iso)) == (iso if int(iso[:4]) >= 1000 else None)


def test_a_picture_stands_in_brackets_behind_the_words() -> None:
    assert in_words("Look!", "a photo of a kite") == "Look! [shows: a photo of a kite]"
    assert in_words("", "a photo of a kite") == "[shows: a photo of a kite]"
    assert apart("Look! [shows: a photo of a kite]") == ("Look!", "a photo of a kite")
    assert apart("No picture [here]") == ("No picture [here]", None)


@given(st.text(alphabet="a [shows:]\n", max_size=30), st.text(alphabet="b [shows:]\n", max_size=20))
def test_words_and_picture_make_the_same_text_again(text: str, caption: str) -> None:
    whole = in_words(text, caption)
    said, shown = apart(whole)
    assert in_words(said, shown or "") == whole
