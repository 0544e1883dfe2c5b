"""Feedback survives being written as lines, and says nothing that it was not given."""

from __future__ import annotations

from recollect.records.feedback import Feedback, QuestionFeedback, feedback_lines, read_feedback

FULL = QuestionFeedback(
    question="Which | bread?\nAnd “why”?",
    options={"1": "Rye.", "2": "None."},
    answer="1",
    remembered=("Ana bakes.", '{"odd": 1}'),
    right=("2",),
)


def test_lines_are_read_again_as_they_were() -> None:
    bare = QuestionFeedback(question="Which bread?")
    assert read_feedback(feedback_lines([FULL, bare], {"oven": "gas"})) == Feedback([FULL, bare], {"oven": "gas"})


def test_what_is_not_told_is_in_no_line() -> None:
    (line,) = feedback_lines([QuestionFeedback(question="Which bread?")], {})
    assert line == '{"question": "Which bread?"}'


def test_each_line_is_one_line() -> None:
    assert all("\n" not in line for line in feedback_lines([FULL], {"a": "b\nc"}))


def test_a_line_that_is_no_json_is_a_question() -> None:
    for line in ("Which bread?", "[1]", "12"):
        assert read_feedback([line]).asked == [QuestionFeedback(question=line)]


def test_an_answer_is_right_by_its_letter_with_or_without_marks() -> None:
    said = {"2": True, " (2). ": True, "1": False, "22": False}
    assert {text: QuestionFeedback(question="", answer=text, right=("2",)).was_right for text in said} == said
    assert not QuestionFeedback(question="", answer="2").was_right
    assert not QuestionFeedback(question="", right=("2",)).was_right
