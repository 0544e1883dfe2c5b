from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.parsing import option_letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        pytest.param(" c ", "C", id="alone"),
        pytest.param("**C**", "C", id="bold"),
        pytest.param("(B) 20 minutes", "B", id="with-its-text"),
        pytest.param("The correct option is (D).", "D", id="stated"),
        pytest.param("A reasonable reading suggests the answer is C", "C", id="an-article-is-no-option"),
        pytest.param("Option A is wrong; option C is right.", "C", id="what-is-wrong-is-not-chosen"),
        pytest.param('{"choice": "A", "reason": "a b c"}', "A", id="json"),
        pytest.param("Based on a review, C", "C", id="at-the-end"),
        pytest.param("A or B", None, id="two"),
        pytest.param("Answer: B. No, answer: C", None, id="two-answers"),
        pytest.param("Vitamin C is mentioned, but I do not know.", None, id="another-c"),
        pytest.param("E", None, id="no-such-option"),
        pytest.param("", None, id="empty"),
        pytest.param("I'd take a walk", None, id="no-letter"),
    ],
)
def test_the_letter_a_reply_commits_to(reply: str, letter: str | None) -> None:
    assert option_letter(reply) == letter


def test_more_options_need_more_letters() -> None:
    assert option_letter("Answer: F", letters="ABCDEF") == "F"
    assert option_letter("Answer: F") is None


@given(st.text(max_size=80))
def test_any_text_gives_a_letter_or_none(reply: str) -> None:
    assert option_letter(reply) in {"A", "B", "C", "D", None}


@given(
    st.sampled_from("ABCD"), st.sampled_from(["{}", "{}.", "({})", "**{}**", "Answer: {}", "The answer is {}.", "{}\n"])
)
def test_a_plain_commitment_is_always_read(letter: str, frame: str) -> None:
    assert option_letter(frame.format(letter)) == letter
