"""What the sparse index takes for one term."""

from __future__ import annotations

import pytest

from recollect.index.sparse import STOP_WORDS, analyzer, readable


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        pytest.param("The dogs were running", ["dog", "run"], id="stems-without-function-words"),
        pytest.param("Café CRÈME", ["cafe", "creme"], id="no-case-no-accents"),
        pytest.param("What's yours isn't mine", ["mine"], id="tails-of-apostrophes"),
        pytest.param(
            "born in May, US citizen", ["born", "may", "us", "citizen"], id="names-that-look-like-function-words"
        ),
        pytest.param("a" * 101 + " short", ["short"], id="longer-than-any-word"),
        pytest.param("where is he", [], id="nothing-but-function-words"),
    ],
)
def test_terms_are_english_stems_without_function_words(text: str, terms: list[str]) -> None:
    assert analyzer().analyze(readable(text)) == terms


def test_scripts_without_spaces_become_overlapping_pairs() -> None:
    """Chinese and Japanese would otherwise be one term a sentence, and never found again."""
    assert analyzer().analyze(readable("我住在北京 ok")) == ["我住", "住在", "在北", "北京", "ok"]
    assert readable("京") == " 京 "


def test_a_lone_surrogate_is_replaced() -> None:
    assert readable("a\ud800b") == "a?b"


def test_stop_words_are_single_lower_case_words() -> None:
    assert all(word.isalpha() and word.islower() for word in STOP_WORDS)
    assert len(set(STOP_WORDS)) == len(STOP_WORDS)
