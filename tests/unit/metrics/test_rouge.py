from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.rouge import rouge_l, rouge_lsum, words

TEXT = st.lists(st.sampled_from(["red", "blue", "runs", "running", "42", "\n"]), max_size=14).map(" ".join)


def test_words_are_ascii_runs_with_long_ones_stemmed() -> None:
    assert words("Running, dogs; café-bar 1,522") == ["run", "dog", "caf", "bar", "1", "522"]
    assert words("Running", stemmed=False) == ["running"]


def test_other_scripts_have_no_words() -> None:
    assert rouge_l("東京", "東京").f1 == 0


def test_line_order_matters_to_rouge_l_and_not_to_rouge_lsum() -> None:
    """Of four words in a row two, such as `line one`, come in the same order."""
    said, wanted = "line two\nline one", "line one\nline two"
    assert rouge_l(said, wanted).f1 == 0.5
    assert rouge_lsum(said, wanted).f1 == 1


def test_a_word_said_once_counts_once() -> None:
    """Two wanted lines ask for `red`; one `red` was said: recall 1/2."""
    assert rouge_lsum("red", "red\nred").recall == 0.5


def test_nothing_said_is_zero_not_an_error() -> None:
    for measure in (rouge_l, rouge_lsum):
        assert measure("", "red") == (0, 0, 0)
        assert measure("red", "") == (0, 0, 0)


@given(TEXT, TEXT)
def test_swapping_the_texts_swaps_precision_and_recall(first: str, second: str) -> None:
    one, other = rouge_l(first, second), rouge_l(second, first)
    assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision))


@given(TEXT, TEXT)
def test_the_bits_count_what_the_table_counts(first: str, second: str) -> None:
    """On one line each both measures are the same subsequence, found in two ways."""
    one_line, other_line = first.replace("\n", " "), second.replace("\n", " ")
    assert rouge_l(one_line, other_line) == pytest.approx(rouge_lsum(one_line, other_line))
