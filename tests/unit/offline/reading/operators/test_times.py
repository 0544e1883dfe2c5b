"""Lengths of time."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat

from tests.unit.offline.reading.one_line import Said, ask

# 1 March 2024 was a Friday; the numbers below are counted on a calendar.
TALK: list[Said] = [
    ("2024-03-01T09:00", "Mia", "The audit of the Merton account started today."),
    ("2024-03-08T09:00", "Tom", "The audit of the Merton account ended this morning."),
    ("2024-03-09T09:00", "Tom", "The ride to Drammen took three hours."),
    ("2024-03-10T09:00", "Mia", "I have lived in Lima for two years."),
    ("2024-03-20T09:00", "Mia", "I sold my canoe."),
    ("2024-05-20T09:00", "Mia", "I bought a yacht."),
]
AUDIT = "between the start of the Merton audit and the end of the Merton audit"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("How many days are there between 1 March 2024 and 8 March 2024?", "7 days", id="nights"),
        pytest.param(
            "How many days are there from 1 March 2024 to 8 March 2024, counting both days?", "8 days", id="inclusive"
        ),
        pytest.param(
            "How many days are there between 1 March 2024 and 8 March 2024, excluding both?", "6 days", id="strictly"
        ),
        pytest.param("How many working days are there from 1 March 2024 to 8 March 2024?", "6 working days", id="work"),
        pytest.param(
            "How many working days are there from 1 March 2024 to 8 March 2024, not counting the first day?",
            "5 working days",
            id="work-without-the-first",
        ),
        pytest.param(f"How many days passed {AUDIT}?", "7 days", id="two-events"),
        pytest.param(f"How many days lie {AUDIT}? Count both days.", "8 days", id="convention-behind-the-question"),
        pytest.param("How many weeks lie between 1 March 2024 and 22 March 2024?", "3 weeks", id="weeks"),
        pytest.param("How many weeks lie between 1 March 2024 and 18 March 2024?", "2 weeks and 3 days", id="rest"),
        pytest.param("How many months lie between 31 January 2024 and 29 February 2024?", "1 month", id="short-month"),
        pytest.param("How many days after selling the canoe did Mia buy the yacht?", "61 days", id="after"),
        pytest.param("How long did the ride to Drammen take?", "three hours", id="named"),
        pytest.param("How many minutes did the ride to Drammen take?", "180 minutes", id="named-in-another-unit"),
        pytest.param("How long has Mia lived in Lima?", "two years", id="how-long-lived"),
    ],
)
def test_the_length_is_counted_as_the_question_says(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


def test_a_number_is_bare() -> None:
    reply = ask(TALK, f"How many days passed {AUDIT}?", answer_format=AnswerFormat.NUMBER)
    assert reply.text == "7"


def test_ago_is_counted_from_when_the_question_is_put() -> None:
    assert ask(TALK, "How many days ago did Mia sell the canoe?", asked_at="2024-03-30T00:00").text == "10 days"


def test_something_without_a_length_is_answered_in_words() -> None:
    """The rule finds no date and no length, and the statement is still what is held about it."""
    assert not ask(["The quarrel went on and on."], "How long did the quarrel go on?").abstained
