from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.parsing import lenient_answer, strict_answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        pytest.param("answer:42\nmore", "42", id="to-the-end-of-the-line"),
        pytest.param("ANSWER:   Quill Bay  \nAnswer: Denn", "Quill Bay", id="the-first-one"),
        pytest.param("Answer: Answer: Denn", "Denn", id="one-repetition-goes"),
        pytest.param("Answer: answer:ANSWER: deep", "ANSWER: deep", id="only-one"),
        pytest.param("no prefix\nsecond", "no prefix", id="else-the-first-line"),
        pytest.param("\n\nlate text", "", id="an-empty-first-line-is-an-empty-answer"),
        pytest.param("Answer:\nnext line", "", id="never-the-next-line"),
        pytest.param("label: 43", "label: 43", id="no-other-label"),
    ],
)
def test_strict_reading(reply: str, answer: str) -> None:
    assert strict_answer(reply) == answer


@pytest.mark.parametrize("reply", [None, 7, ["Answer: x"]])
def test_a_reply_that_is_no_text_is_refused(reply: object) -> None:
    with pytest.raises(TypeError):
        strict_answer(reply)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "answer", "rule"),
    [
        pytest.param("label: 43", "43", "label", id="label"),
        pytest.param("The answer is 7", "7", "label", id="label-in-words"),
        pytest.param('{"answer": "Denn", "reason": "clue"}', "Denn", "json", id="json"),
        pytest.param('```json\n{"answer": 42}\n```', "42", "json", id="fenced-json"),
        pytest.param('{"answer": "no"} so {"Answer": "yes"}', "yes", "json", id="last-json"),
        pytest.param("so \\boxed{\\text{Denn}}", "Denn", "box", id="box"),
        pytest.param("<answer>Denn</answer>", "Denn", "tags", id="tags"),
        pytest.param("**Answer:** Denn", "Denn", "wrapping", id="bold-label"),
        pytest.param('Answer: "Denn".', "Denn", "wrapping", id="quoted"),
        pytest.param("Answer: `Denn`", "Denn", "wrapping", id="backticks"),
        pytest.param("Answer:\nnext line", "next line", "next line", id="next-line"),
        pytest.param("<think>Answer: no</think>\nAnswer: yes", "yes", "cleaning", id="thinking-is-not-said"),
        pytest.param("Quill Bay, I think", "Quill Bay, I think", "strict", id="nothing-to-free"),
        pytest.param('"a" and "b"', '"a" and "b"', "strict", id="quotes-around-parts-stay"),
        pytest.param('{"answer": {"x": 1}}', '{"answer": {"x": 1}}', "strict", id="an-object-is-no-answer"),
        pytest.param("", "", "strict", id="empty"),
    ],
)
def test_lenient_reading_says_by_which_rule(reply: str, answer: str, rule: str) -> None:
    assert lenient_answer(reply) == (answer, rule)


@given(st.text(alphabet=st.sampled_from('Answer: {}"*`\\boxed\n<>/label42'), max_size=60))
def test_a_reading_called_strict_is_the_strict_one(reply: str) -> None:
    found = lenient_answer(reply)
    assert (found.rule == "strict") == (found.text == strict_answer(reply))


@given(st.text(max_size=80))
def test_a_strict_answer_is_one_line_of_the_reply(reply: str) -> None:
    found = strict_answer(reply)
    assert "\n" not in found
    assert found in reply
