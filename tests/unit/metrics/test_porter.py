from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.porter import stem


@pytest.mark.parametrize("word", ["by", "is", "a", ""])
def test_short_words_stay(word: str) -> None:
    assert stem(word) == word


def test_case_does_not_matter() -> None:
    assert stem("Running") == stem("running") == "run"


@pytest.mark.parametrize(("word", "kept"), [("feed", "feed"), ("bled", "bled"), ("sing", "sing"), ("rate", "rate")])
def test_a_suffix_without_a_stem_stays(word: str, kept: str) -> None:
    assert stem(word) == kept


@given(st.text(alphabet="abcdefgilmnorstuyz", max_size=14))
def test_a_stem_is_never_longer_by_more_than_the_restored_e(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1
