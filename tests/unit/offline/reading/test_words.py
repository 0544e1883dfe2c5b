"""Words, roots and tidy answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.offline.reading.words import alike, content, cut, stem, tidy, words


@pytest.mark.parametrize(
    ("text", "lows"),
    [
        pytest.param("Bob's 1,200 co-op’s", ["bob", "'s", "1,200", "co-op", "’s"], id="possessive-and-numbers"),
        pytest.param("O'Neil at 10:30", ["o'neil", "at", "10:30"], id="inner-quote-and-clock"),
        pytest.param("", [], id="empty"),
    ],
)
def test_words_are_split(text: str, lows: list[str]) -> None:
    assert [w.low for w in words(text)] == lows


@given(st.text(max_size=200))
def test_words_stand_where_they_say(text: str) -> None:
    assert all(text[w.start : w.end] == w.text for w in words(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(" Denn. ", "Denn", id="stop"),
        pytest.param("Washington, D.C..", "Washington, D.C.", id="abbreviation"),
        pytest.param('"Salt"', "Salt", id="quotes"),
        pytest.param("he said 'no'!", "he said 'no'", id="inner-quotes-stay"),
    ],
)
def test_answers_are_tidy(text: str, told: str) -> None:
    assert tidy(text) == told


def test_the_sign_of_a_currency_stays_with_its_number() -> None:
    text = "It cost $30 then."
    assert cut(text, words(text)[2:3]) == "$30"


@pytest.mark.parametrize(
    ("one", "other", "sure"),
    [("citizen", "citizenship", 0.9), ("found", "founder", 0.9), ("red", "red", 1.0), ("cat", "category", 0.0)],
)
def test_words_of_one_root_are_alike(one: str, other: str, sure: float) -> None:
    assert alike(one, other) == sure


def test_irregular_forms_have_the_stem_of_their_base() -> None:
    assert stem("bought") == stem("buying")
    assert content(words("They were sold to the women")) == (stem("sell"), stem("woman"))
