"""Feedback survives being written as lines, and says nothing that it was not given."""

from __future__ import annotations

from recollect.records.lessons import Lesson, Lessons, lessons_of, lines_of

FULL = Lesson(
    question="Which | bread?\nAnd “why”?",
    options={"1": "Rye.", "2": "None."},
    answer="1",
    remembered=("Ana bakes.", '{"odd": 1}'),
    right=("2",),
)


def test_lines_are_read_again_as_they_were() -> None:
    bare = Lesson(question="Which bread?")
    assert lessons_of(lines_of([FULL, bare], {"oven": "gas"})) == Lessons([FULL, bare], {"oven": "gas"})


def test_what_is_not_told_is_in_no_line() -> None:
    (line,) = lines_of([Lesson(question="Which bread?")], {})
    assert line == '{"question": "Which bread?"}'


def test_each_line_is_one_line() -> None:
    assert all("\n" not in line for line in lines_of([FULL], {"a": "b\nc"}))


def test_a_line_that_is_no_json_is_a_question() -> None:
    for line in ("Which bread?", "[1]", "12"):
        assert lessons_of([line]).asked == [Lesson(question=line)]


def test_an_answer_is_right_by_its_letter_with_or_without_marks() -> None:
    said = {"2": True, " (2). ": True, "1": False, "22": False}
    assert {text: Lesson(question="", answer=text, right=("2",)).was_right for text in said} == said
    assert not Lesson(question="", answer="2").was_right
    assert not Lesson(question="", right=("2",)).was_right
