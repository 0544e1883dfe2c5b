"""Text in the form in which it is compared, and in which it is searched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.normal import FUNCTION_WORDS, STOP_WORDS, fold, normalise, search_tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The Café!", "cafe", id="case-accent-article-sign"),
        pytest.param("Ｆｕｌｌ ﬁne", "full fine", id="compatibility-forms"),
        pytest.param("twenty-five percent", "25 percent", id="number-words"),
        pytest.param("25%", "25 percent", id="percent"),
        pytest.param("5 per cent", "5 percent", id="per-cent"),
        pytest.param("$1,250.50", "1250.5 dollars", id="money"),
        pytest.param("$5k", "5000 dollars", id="kilo"),
        pytest.param("€1.5 million", "1500000 euros", id="million"),
        pytest.param("the twelfth", "12", id="ordinal-word"),
        pytest.param("12th", "12", id="ordinal"),
        pytest.param("agent 007", "agent 007", id="leading-zeros"),
        pytest.param("-3 to 1-2", "-3 to 1 2", id="minus-and-hyphen"),
        pytest.param("Don’t, can't, won't", "do not can not will not", id="not"),
        pytest.param("John's and the dogs' toys", "john and dogs toys", id="possessives"),
        pytest.param("O'Neil", "oneil", id="apostrophe-inside"),
        pytest.param("state_of-the-art", "state of art", id="joined-words"),
        pytest.param("A", "a", id="an-option-letter-stays"),
        pytest.param("...", "", id="signs-only"),
        pytest.param("がくせい", "がくせい", id="japanese-marks-stay"),
    ],
)
def test_answers_are_brought_to_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text(alphabet=st.one_of(st.sampled_from("aA1 .,'-%$½é the"), st.characters()), max_size=40))
def test_the_form_has_single_spaces_and_no_capitals(text: str) -> None:
    form = normalise(text)
    assert form == " ".join(form.split())
    assert form == form.casefold()


@given(st.text(alphabet="abcdef  ,.!?", max_size=40))
def test_the_form_of_plain_words_is_its_own_form(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_words_are_those_of_the_form() -> None:
    assert words("The two cats") == ["2", "cats"]


def test_folding_keeps_plain_text_but_its_case() -> None:
    assert fold("It's 5 O'Clock") == "it's 5 o'clock"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The running dogs of my sisters", ["run", "dog", "sister"], id="stop-words-and-stems"),
        pytest.param("1,250 km and 3.5 or 2nd", ["1250", "km", "3.5", "2nd"], id="numbers"),
        pytest.param("Don't you remember?", ["rememb"], id="contraction"),
        pytest.param("in May I might", ["may", "might"], id="names-stay"),
        pytest.param("東京駅 today", ["東京", "京駅", "today"], id="pairs-of-characters"),
        pytest.param("", [], id="empty"),
    ],
)
def test_search_tokens_are_stems_without_stop_words(text: str, expected: list[str]) -> None:
    assert search_tokens(text) == expected


def test_stop_words_and_stems_can_be_left_off() -> None:
    assert search_tokens("The dogs", stop=False, stemmed=False) == ["the", "dogs"]


def test_a_question_and_its_fact_share_their_stems() -> None:
    asked, said = search_tokens("Which languages does Maria speak?"), search_tokens("Maria's speaking two languages.")
    assert set(asked) <= set(said)


def test_word_lists_are_lower_case_single_words() -> None:
    assert all(word == word.casefold() and " " not in word for word in FUNCTION_WORDS | STOP_WORDS)
    assert {"the", "who", "not", "would", "because"} <= FUNCTION_WORDS
    assert "may" not in STOP_WORDS


def test_a_number_with_letters_behind_it_is_one_token() -> None:
    assert search_tokens("at 10am on the 21st", stop=False, stemmed=False) == ["at", "10am", "on", "the", "21st"]
    assert search_tokens("1,250.5 and 3", stop=False, stemmed=False)[0].startswith("1")
