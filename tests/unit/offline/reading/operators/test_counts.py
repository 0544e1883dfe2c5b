"""How many, and how much in all."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat

from tests.unit.offline.reading.one_line import Said, ask

TALK: list[Said] = [
    ("2024-01-01", "Mia", "I have three bikes in the cellar."),
    ("2024-02-01", "Mia", "I went to the gym before work."),
    ("2024-02-03", "Mia", "Went to the gym again, it was empty."),
    ("2024-02-05", "Mia", "I went to the gym with Tom."),
    ("2024-02-06", "Tom", "I like the gym."),
    ("2024-03-01", "Mia", "I paid $120 for paint for the shed."),
    ("2024-03-02", "Mia", "I paid $80.50 for brushes for the shed."),
    ("2024-03-03", "Mia", "I paid $15 for lunch."),
    ("2024-04-01", "Mia", "Now I have four bikes in the cellar."),
    ("2024-04-02", "Tom", "On Monday I ran 5 miles."),
    ("2024-04-04", "Tom", "On Wednesday I ran 7 miles."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("How many bikes does Mia have in the cellar?", "4", id="newest-number"),
        pytest.param("How many times did Mia go to the gym?", "3", id="statements"),
        pytest.param("How much did Mia pay for the shed in total?", "$200.5", id="sum"),
        pytest.param("What is the total amount that Mia paid for the shed?", "$200.5", id="sum-other-words"),
        pytest.param("How many miles did Tom run in total?", "12", id="sum-of-a-noun"),
    ],
)
def test_numbers_are_found_counted_and_added(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("How much did Mia pay for the shed in total?", "200.5", id="sum"),
        pytest.param("How many bikes does Mia have in the cellar?", "4", id="count"),
        pytest.param("What did Mia pay for lunch?", "15", id="look-up"),
    ],
)
def test_a_number_has_no_sign_and_no_words(question: str, answer: str) -> None:
    assert ask(TALK, question, answer_format=AnswerFormat.NUMBER).text == answer


def test_a_statement_said_twice_counts_once() -> None:
    said = ["I paid $10 for tea.", "I paid $10 for tea.", "I paid $4 for tea at the kiosk."]
    assert ask(said, "How much did I pay for tea in total?").text == "$14"


def test_a_year_is_no_amount() -> None:
    said = ["In March 2024 I bought stamps for $3.", "On 5 May 2024 I bought stamps for $4."]
    assert ask(said, "How much were the stamps in total?").text == "$7"


def test_nothing_is_counted_where_nothing_is_held() -> None:
    assert ask(TALK, "How many zebras?").abstained
