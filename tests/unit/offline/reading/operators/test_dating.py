"""When something happened."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat

from tests.unit.offline.reading.one_line import Said, ask

# 11 March 2024 was a Monday.
TALK: list[Said] = [
    ("2024-03-01T09:00:00+02:00", "Mia", "I bought a blue kayak yesterday."),
    ("2024-03-10T09:00:00+02:00", "Mia", "My daughter Ana turned seven on 5 March."),
    ("2024-03-11T09:00:00+02:00", "Tom", "I moved to Oslo last week."),
    ("2024-04-02T10:00:00+02:00", "Tom", "We finished the Merton report."),
    ("2024-04-20T10:00:00+02:00", "Tom", "The ferry to Bergen left three weeks ago."),
    ("2024-05-20T10:00:00+02:00", "Mia", "I was born in Lima in 1988."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("When did Mia buy the kayak?", "29 February 2024", id="relative-day"),
        pytest.param("On what date did Ana turn seven?", "5 March 2024", id="day-and-month"),
        pytest.param("When did Tom move to Oslo?", "the week of 4 March 2024", id="week"),
        pytest.param("When was the Merton report finished?", "2 April 2024", id="said-time"),
        pytest.param("In which year was Mia born?", "1988", id="year"),
        pytest.param("What year was the kayak bought in?", "2024", id="year-of-a-day"),
        pytest.param("In which month did Ana turn seven?", "March 2024", id="month"),
        pytest.param("On which day of the week did Ana turn seven?", "Tuesday", id="weekday"),
        pytest.param("When did the ferry to Bergen leave?", "the week of 30 March 2024", id="weeks-ago"),
    ],
)
def test_the_date_is_told_as_exactly_as_it_is_known(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("When did Ana turn seven?", "2024-03-05", id="day"),
        pytest.param("When did Tom move to Oslo?", "2024-03-04 to 2024-03-10", id="week"),
    ],
)
def test_a_date_span_is_iso(question: str, answer: str) -> None:
    assert ask(TALK, question, answer_format=AnswerFormat.DATE_SPAN).text == answer


def test_a_date_that_the_question_names_is_no_answer() -> None:
    said: list[Said] = [("2024-05-01", "Mia", "The show of 3 April 2024 was moved to 9 June 2024.")]
    assert ask(said, "When was the show of 3 April 2024 moved to?").text == "9 June 2024"


def test_without_any_time_the_words_answer() -> None:
    assert ask(["The bakery opens before dawn."], "When does the bakery open?").text
