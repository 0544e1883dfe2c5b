"""Which of several; never by what is mentioned most."""

from __future__ import annotations

import pytest

from recollect.domain.errors import NotAvailableError
from recollect.domain.ids import QuestionId
from recollect.domain.questions import AnswerFormat, Question
from recollect.offline.reading.operators.comparisons import named_rivals
from recollect.offline.reading.question import ParsedQuestion

from tests.unit.offline.reading.one_line import Said, ask

TALK: list[Said] = [
    ("2024-01-01T08:00", "Mia", "The boat trip took 5 hours."),
    ("2024-01-03T08:00", "Tom", "The bike ride took three hours."),
    ("2024-01-05T08:00", "Mia", "The lamp cost $40 and looks great."),
    ("2024-01-06T08:00", "Mia", "The desk cost $90."),
    ("2024-01-07T08:00", "Tom", "Lamp, lamp, lamp: the lamp is all I see."),
    ("2024-02-01T08:00", "Mia", "My aunt Bea is 61 years old."),
    ("2024-02-02T08:00", "Mia", "My uncle Leo is 58 years old."),
    ("2024-02-03T08:00", "Tom", "The red oak was planted on 3 May 1990."),
    ("2024-02-04T08:00", "Tom", "The tall pine was planted on 9 May 1985."),
    ("2024-02-05T08:00", "Tom", "I read 12 books in spring."),
    ("2024-02-06T08:00", "Mia", "I read 9 books in spring."),
    ("2024-02-07T08:00", "Mia", "The express needs 40 minutes, the express is fine."),
    ("2024-02-08T08:00", "Mia", "The coach needs 70 minutes."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Which took longer, the boat trip or the bike ride?", "the boat trip", id="length"),
        pytest.param("Which was shorter: the boat trip or the bike ride?", "the bike ride", id="shorter"),
        pytest.param("Which was cheaper, the lamp or the desk?", "the lamp", id="money"),
        pytest.param("What cost more, the desk or the lamp?", "the desk", id="more"),
        pytest.param("Who is older, Bea or Leo?", "Bea", id="age"),
        pytest.param("Who is younger, Bea or Leo?", "Leo", id="younger"),
        pytest.param("Which tree is older, the red oak or the tall pine?", "the tall pine", id="age-by-date"),
        pytest.param("Which was planted first, the red oak or the tall pine?", "the tall pine", id="first"),
        pytest.param("Who read more books, Tom or Mia?", "Tom", id="count"),
        pytest.param("Which is faster, the express or the coach?", "the express", id="speed"),
        pytest.param("Is the boat trip longer than the bike ride?", "yes", id="than-yes"),
        pytest.param("Is the bike ride longer than the boat trip?", "no", id="than-no"),
        pytest.param("What happened first, the boat trip or the bike ride?", "the boat trip", id="said-first"),
    ],
)
def test_the_rivals_are_measured(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Who is taller, Bea or Leo?", id="not-measured"),
        pytest.param("Which is heavier, the lamp or the desk?", id="measured-otherwise"),
        pytest.param("Which was cheaper, the lamp or the boat trip?", id="only-one-measured"),
        pytest.param("Which mountain is the highest?", id="nothing-to-rank"),
    ],
)
def test_what_is_not_measured_alike_is_not_available(question: str) -> None:
    """The lamp is mentioned most; that must not win."""
    with pytest.raises(NotAvailableError, match="compares"):
        ask(TALK, question)


def test_the_extreme_of_a_set_is_found_without_rivals() -> None:
    said = ["The blue tent weighs 4 kilos.", "The green tent weighs 6 kilos.", "The red tent weighs 5 kilos."]
    assert "green" in ask(said, "Which tent is the heaviest?").text


def test_equal_rivals_are_both_named() -> None:
    said = ["The oak is 30 years old.", "The elm is 30 years old."]
    assert ask(said, "Which is older, the oak or the elm?").text == "the same: the oak and the elm"


def test_the_newest_measure_counts() -> None:
    said: list[Said] = [
        ("2024-01-01", "", "The lamp costs $40."),
        ("2024-01-02", "", "The desk costs $90."),
        ("2024-06-01", "", "The lamp costs $140."),
    ]
    assert ask(said, "Which is cheaper, the lamp or the desk?").text == "the desk"


def test_newest_is_no_comparison() -> None:
    """*Latest* asks for what holds now."""
    assert ask(["The latest build is 4.2."], "What is the latest build?").text


@pytest.mark.parametrize(
    ("question", "rivals"),
    [
        pytest.param("Which is older, the oak table or the pine desk?", ["the oak table", "the pine desk"], id="comma"),
        pytest.param("Who is older: Ann, Bob or Cy Marr?", ["Ann", "Bob", "Cy Marr"], id="three"),
        pytest.param("Did I see Rome or Oslo first?", ["Rome", "Oslo"], id="names"),
        pytest.param("Between the oak and the elm, which is older?", ["the oak", "the elm"], id="between"),
        pytest.param("Is Ann older than Bob?", ["Ann", "Bob"], id="than"),
        pytest.param("Which tree is the oldest?", [], id="none"),
    ],
)
def test_the_rivals_of_a_question_are_told(question: str, rivals: list[str]) -> None:
    asked = Question(question_id=QuestionId("q"), text=question, answer_format=AnswerFormat.TEXT)
    assert named_rivals(ParsedQuestion(asked, question)) == rivals
