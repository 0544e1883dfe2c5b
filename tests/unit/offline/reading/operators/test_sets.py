"""All that is asked for, each once."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat

from tests.unit.offline.reading.one_line import Said, ask

TALK: list[Said] = [
    ("2024-01-03", "Mia", "I adopted two cats named Pim and Pom."),
    ("2024-01-05", "Tom", "The committee members are Ida Holt, Bo Lind and Jon Falk."),
    ("2024-02-01", "Tom", "The committee members are Ida Holt and Eve Stroud."),
    ("2024-02-02", "Mia", "I planted roses."),
    ("2024-03-02", "Mia", "I planted tulips."),
    ("2024-03-09", "Mia", "I planted roses again."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("What are the names of Mia's cats?", "Pim, Pom", id="one-statement"),
        pytest.param("List all committee members.", "Ida Holt, Bo Lind, Jon Falk, Eve Stroud", id="union"),
        pytest.param("Name all things that Mia planted.", "roses, tulips, roses again", id="in-time"),
    ],
)
def test_a_set_is_the_union_in_order_of_time(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


def test_a_list_of_n_has_a_number_before_each_and_stops_at_n() -> None:
    reply = ask(TALK, "Which committee members are there?", answer_format=AnswerFormat.LIST, items=3)
    assert [line.split(". ")[0] for line in reply.text.splitlines()] == ["1", "2", "3"]
    assert {line.split(". ")[1] for line in reply.text.splitlines()} <= {
        "Ida Holt",
        "Bo Lind",
        "Jon Falk",
        "Eve Stroud",
    }


def test_an_open_list_has_all() -> None:
    reply = ask(TALK, "Which committee members are there?", answer_format=AnswerFormat.LIST)
    assert len(reply.text.splitlines()) == 4


def test_a_list_that_is_too_short_is_filled_with_names() -> None:
    """Recommendations: names from the dialogues that are nearest to what is asked."""
    said = [
        "User: any films like Solaris? System: You may like Stalker.",
        "User: I love Stalker. System: See Mirror too.",
    ]
    reply = ask(said, "User: I love Stalker and films of that kind.", answer_format=AnswerFormat.LIST, items=5)
    assert "Mirror" in reply.text


def test_a_list_of_what_is_not_held_abstains() -> None:
    assert ask(TALK, "zebras?", answer_format=AnswerFormat.LIST, items=3).abstained
