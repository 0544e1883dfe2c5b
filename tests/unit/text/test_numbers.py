"""Numbers in digits and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.numbers import ORDINALS, TENS, UNITS, find_numbers, number_of

ONES = {value: name for name, value in UNITS.items()}
ROUND = {value: name for name, value in TENS.items()}


def spelled(number: int) -> str:
    """English words of a number, by the school rule; independent of the parser's own reading."""
    for size, name in ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            joint = " and " if 0 < rest < 100 else " "
            return (f"{spelled(number // size)} {name}" + (joint + spelled(rest) if rest else "")).strip()
    if number < 20:
        return ONES[number]
    return ROUND[number - number % 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


@given(st.integers(0, 999_999_999))
def test_number_words_are_read_back(number: int) -> None:
    assert number_of(spelled(number)) == number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a hundred", 100, id="a-hundred"),
        pytest.param("two dozen", 24, id="dozen"),
        pytest.param("nineteen ninety-five", 1995, id="year"),
        pytest.param("twenty twenty-three", 2023, id="year-2023"),
        pytest.param("fifteen hundred", 1500, id="hundreds"),
        pytest.param("twenty-first", 21, id="ordinal"),
        pytest.param("one hundred and second", 102, id="long-ordinal"),
        pytest.param("1,250.5", 1250.5, id="separators"),
        pytest.param("12th", 12, id="digits-ordinal"),
        pytest.param("5k", 5000, id="kilo"),
        pytest.param("1.5 million", 1_500_000, id="scaled"),
        pytest.param("-7", -7, id="negative"),
        pytest.param("apples", None, id="none"),
        pytest.param("two three", None, id="two-numbers"),
        pytest.param("12pm", None, id="part-of-a-word"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_text_that_is_one_number_is_read(text: str, expected: float | None) -> None:
    assert number_of(text) == expected


def test_numbers_are_found_with_their_places() -> None:
    text = "She sold 1,200 cups, two hundred and five plates and one thousand thousand pins; between twenty and five."
    found = [(number.value, text[number.start : number.end]) for number in find_numbers(text)]
    assert found == [
        (1200, "1,200"), (205, "two hundred and five"), (1000, "one thousand"), (1000, "thousand"), (20, "twenty"),
        (5, "five"),
    ]  # fmt: skip


def test_ordinals_say_that_they_are() -> None:
    assert [number.ordinal for number in find_numbers("third 3rd three 3")] == [True, True, False, False]


def test_ordinal_words_follow_english_spelling() -> None:
    wanted = {"first", "second", "third", "fifth", "eighth", "ninth", "twelfth", "twentieth", "fortieth", "hundredth"}
    assert wanted <= ORDINALS.keys()


@given(st.text(alphabet=st.one_of(st.sampled_from("0123456789.,-k and"), st.characters()), max_size=40))
def test_any_text_is_read_and_places_do_not_overlap(text: str) -> None:
    place = 0
    for number in find_numbers(text):
        assert place <= number.start < number.end <= len(text)
        place = number.end


def test_digits_without_end_are_no_number() -> None:
    assert find_numbers("9" * 5000) == []
