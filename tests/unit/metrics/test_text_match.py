from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.text_match import (
    TextScores,
    best_scores,
    contained_share,
    exact_match,
    flat_aliases,
    normalise,
    substring_match,
    text_scores,
    token_f1,
    word_match,
)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        pytest.param("The  Quick, brown FOX!", "quick brown fox", id="all-four-rules"),
        pytest.param("A.B.C.", "abc", id="stops-go-before-articles"),
        pytest.param("theatre banana Anthem", "theatre banana anthem", id="articles-inside-words-stay"),
        pytest.param("¿Qué?", "¿qué", id="only-ascii-punctuation"),
        pytest.param("The the THE", "", id="nothing-left"),
    ],
)
def test_normalisation(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(st.text())
def test_normalising_twice_changes_white_space_and_punctuation_no_more(text: str) -> None:
    """Articles may appear when others go (`a-` becomes `a`), so the second pass may only shorten."""
    once = normalise(text)
    assert len(normalise(once)) <= len(once) or once != once.lower()


def test_an_answer_inside_a_word_matches_as_substring_only() -> None:
    assert substring_match("the party", "art")
    assert not word_match("the party", "art")
    assert word_match("modern art, of course", "Art")


def test_an_empty_gold_is_in_everything_for_the_papers_and_in_nothing_else_for_us() -> None:
    assert substring_match("x", "the")
    assert not word_match("x", "the")
    assert word_match("a", "the")


def test_half_a_no_is_no_answer() -> None:
    assert token_f1("no one", "no").f1 == 0
    assert token_f1("No.", "no").f1 == 1


def test_words_are_compared_as_bags() -> None:
    """Two words of which one matches, one wanted: precision 1/2, recall 1, F 2/3."""
    assert token_f1("apple apple", "apple") == pytest.approx((2 / 3, 0.5, 1.0))


def test_the_best_alias_counts_for_each_measure_by_itself() -> None:
    """`Bay` is equal to one alias; the other shares half its words and holds it."""
    found = text_scores("Bay", ["Quill Bay", "bay"])
    assert (found.exact_match, found.f1, found.rouge_l_recall) == (1, 1, 1)


def test_nested_aliases_keep_their_letters_together() -> None:
    """The reference falls apart here: a list first makes the string behind it a list of letters."""
    assert flat_aliases([["xyz"], "abc"]) == ["xyz", "abc"]
    assert text_scores("b", [["xyz"], "abc"]).exact_match == 0


def test_no_gold_is_refused_not_scored_zero() -> None:
    with pytest.raises(ValueError, match="no gold"):
        text_scores("x", [])
    with pytest.raises(ValueError, match="no gold"):
        text_scores("x", [[]])


@pytest.mark.parametrize("wrong", [None, 42, [42], {"a": 1}])
def test_gold_that_is_no_text_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="gold answer"):
        text_scores("42", wrong)  # type: ignore[arg-type]


def test_an_answer_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        text_scores(None, "x")  # type: ignore[arg-type]


def test_the_best_of_several_readings() -> None:
    raw, parsed = text_scores("Answer: Denn", "Denn"), text_scores("Denn", "Denn")
    assert best_scores([raw, parsed]) == parsed


def test_the_best_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no scores"):
        best_scores([])


def test_contained_share_counts_values_and_looks_for_no_letters() -> None:
    assert contained_share("the KEY is 77 and 88", ["77", "88", "99"]) == pytest.approx(2 / 3)
    assert contained_share("x", []) is None
    with pytest.raises(TypeError, match="'abc'"):
        contained_share("cab", "abc")


@given(st.text(max_size=40), st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_all_measures_are_ratios_and_ignore_the_order_of_aliases(prediction: str, answers: list[str]) -> None:
    found = text_scores(prediction, answers)
    assert isinstance(found, TextScores)
    assert all(0 <= value <= 1 for value in found)
    assert found == text_scores(prediction, answers[::-1])


@given(st.text(max_size=40))
def test_the_gold_itself_is_an_exact_match(answer: str) -> None:
    assert exact_match(answer, answer)
    assert word_match(answer, answer)
