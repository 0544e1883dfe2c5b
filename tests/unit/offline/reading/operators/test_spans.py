"""Open questions answered in the words of the context."""

from __future__ import annotations

import pytest

from tests.unit.offline.reading.one_line import Said, ask

TALK: list[Said] = [
    ("2024-03-01T09:00", "Mia", "Hey Tom! I adopted a puppy named Toby yesterday."),
    ("2024-03-02T09:00", "Tom", "Great! My flat is in Grünerløkka, near the park."),
    ("2024-03-03T09:00", "Mia", "My sister Ana works as a carpenter."),
    ("2024-03-04T09:00", "Tom", "I do not eat peanuts."),
    ("2024-03-05T09:00", "Mia", "What do you cook on Sundays?"),
    ("2024-03-05T09:01", "Tom", "On Sundays I cook dal with rice."),
    ("2024-03-06T09:00", "Tom", "My favourite tea is oolong."),
    ("2024-06-06T09:00", "Tom", "My favourite tea is sencha."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("What is the name of Mia's puppy?", "Toby", id="clause"),
        pytest.param("Where is Tom's flat?", "Grünerløkka", id="where"),
        pytest.param("Who works as a carpenter?", "Ana", id="who"),
        pytest.param("What does Tom cook on Sundays?", "dal with rice", id="not-the-question"),
        pytest.param("What is Tom's favourite tea?", "sencha", id="newest-of-equals"),
        pytest.param("Which tea does Tom call his favourite?", "sencha", id="newest-in-other-words"),
        pytest.param("Does Tom eat peanuts?", "no", id="denied"),
        pytest.param("Did Mia adopt a puppy?", "yes", id="affirmed"),
        pytest.param("Is Ana a carpenter or a baker?", "a carpenter", id="one-of-two"),
    ],
)
def test_the_words_that_answer_are_found(question: str, answer: str) -> None:
    assert ask(TALK, question).text == answer


def test_a_question_of_which_no_word_is_held_is_not_answered() -> None:
    reply = ask(TALK, "Which submarine surfaced?")
    assert reply.abstained
    assert "not mentioned" in reply.text


def test_a_question_of_which_a_word_is_held_is_answered() -> None:
    assert not ask(TALK, "Which submarine did Mia like?").abstained


def test_an_opening_word_is_no_name() -> None:
    assert ask(["Yep, the roof leaks.", "Ida fixed the roof."], "Who fixed the roof?").text == "Ida"


def test_a_year_of_distractors_does_not_move_the_answer() -> None:
    """The evidence alone and among 200 other sentences gives the same answer; the others alone do not."""
    evidence: list[Said] = [("2024-03-03T09:00", "Mia", "My locker code is hidden behind the blue vase.")]
    others: list[Said] = [("2024-04-03T09:00", "Tom", f"Report {n} about the garden is done.") for n in range(200)]
    question = "Where is Mia's locker code hidden?"
    assert ask(evidence, question).text == ask([*others, *evidence], question).text
    assert "vase" in ask(evidence, question).text
    assert "vase" not in ask(others, question).text
