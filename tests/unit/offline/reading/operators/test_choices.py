"""Letters."""

from __future__ import annotations

import pytest

from recollect.domain.errors import NotAvailableError
from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import RuleReader
from recollect.offline.reading.operators.choices import says

from tests.unit.offline.reading.one_line import SYNONYMS, Said, ask

TALK: list[Said] = [
    ("2024-03-01T09:00", "Mia", "I adopted a grey parrot from the shelter."),
    ("2024-03-02T09:00", "Tom", "We painted the fence green last weekend."),
    ("2024-03-05T09:00", "Mia", "My meeting room was booked for Friday."),
    ("2024-03-09T09:00", "Tom", "Did you like the soup? I put ginger in it."),
]


@pytest.mark.parametrize("reader", [RuleReader(), RuleReader(SYNONYMS)], ids=["words", "embedder"])
@pytest.mark.parametrize(
    ("question", "options", "letter"),
    [
        pytest.param("Which animal did Mia adopt?", ["a cat", "a grey parrot", "a goat"], "B", id="content"),
        pytest.param(
            "What colour did Tom choose for the fence?", ["white", "blue", "black", "green"], "D", id="colour"
        ),
        pytest.param("What did Tom put into the soup?", ["ginger", "garlic", "salt"], "A", id="turn-with-question"),
    ],
)
def test_the_option_that_the_context_supports_wins(
    reader: RuleReader, question: str, options: list[str], letter: str
) -> None:
    assert ask(TALK, question, reader, options=options, answer_format=AnswerFormat.LETTER).text == letter


def test_the_order_of_the_options_does_not_matter() -> None:
    options = ["a cat", "a grey parrot", "a goat"]
    for turn in range(3):
        turned = options[turn:] + options[:turn]
        reply = ask(TALK, "Which animal did Mia adopt?", options=turned, answer_format=AnswerFormat.LETTER)
        assert turned["ABC".index(reply.text)] == "a grey parrot"


def test_the_value_that_was_said_last_holds_now() -> None:
    said: list[Said] = [
        ("2024-01-01", "Mia", "My tea is oolong, always oolong."),
        ("2024-05-01", "Mia", "I switched my tea to sencha."),
        ("2024-02-01", "Mia", "Oolong tea again this morning."),
    ]
    reply = ask(
        said, "Which tea does Mia drink now?", options=["oolong", "sencha", "assam"], answer_format=AnswerFormat.LETTER
    )
    assert reply.text == "B"


def test_what_another_operator_works_out_is_found_among_the_options() -> None:
    said: list[Said] = [("2024-03-01", "Tom", "We signed the lease."), ("2024-03-08", "Tom", "We got the keys.")]
    reply = ask(
        said,
        "How many days lie between signing the lease and getting the keys?",
        options=["5 days", "6 days", "7 days", "8 days"],
        answer_format=AnswerFormat.LETTER,
    )
    assert reply.text == "C"


def test_a_fact_that_was_replaced_is_not_picked() -> None:
    facts = ["0. The capital of Orvalia is Denn.\n1. The capital of Orvalia is Marl.\n2. Tam lives in Denn."]
    reply = ask(facts, "What is the capital of Orvalia?", options=["Denn", "Marl"], answer_format=AnswerFormat.LETTER)
    assert reply.text == "B"


def test_a_comparison_is_worked_out_and_not_counted() -> None:
    """The fence is mentioned more often, and cost less."""
    said = ["The fence cost $90.", "The fence, the fence, nice fence.", "The gate cost $120."]
    reply = ask(said, "Which cost more?", options=["the fence", "the gate"], answer_format=AnswerFormat.LETTER)
    assert reply.text == "B"


def test_a_comparison_that_nothing_measures_is_not_available() -> None:
    with pytest.raises(NotAvailableError, match="compares"):
        ask(TALK, "Which is heavier?", options=["the parrot", "the fence"], answer_format=AnswerFormat.LETTER)


def test_without_a_context_the_letter_leans_to_none() -> None:
    """A letter cannot decline: 400 questions without evidence spread over four letters, 100 +- 40 each."""
    letters = [
        ask([], f"Question {n}?", options=["one", "two", "three", "four"], answer_format=AnswerFormat.LETTER).text
        for n in range(400)
    ]
    assert all(60 <= letters.count(letter) <= 140 for letter in "ABCD")


def test_the_longest_option_has_no_advantage() -> None:
    """No measure looks at the options alone: of unsupported ones the length does not decide."""
    picked = [
        ask(
            TALK,
            f"What did Mia say about topic{n}?",
            options=["short", "a very long option indeed, with many unheard words", "mid size"],
            answer_format=AnswerFormat.LETTER,
        ).text
        for n in range(60)
    ]
    assert set(picked) == {"A", "B", "C"}


@pytest.mark.parametrize(
    ("option", "computed", "same"),
    [
        pytest.param("7 days", "7 days", True, id="number"),
        pytest.param("seven days", "7 days", True, id="number-word"),
        pytest.param("17 days", "7 days", False, id="other-number"),
        pytest.param("on 5 March 2024", "5 March 2024", True, id="date"),
        pytest.param("6 March 2024", "5 March 2024", False, id="other-date"),
        pytest.param("the city of Marl", "Marl", True, id="words"),
        pytest.param("Denn", "Marl", False, id="other-words"),
    ],
)
def test_an_option_says_what_was_worked_out(option: str, computed: str, same: bool) -> None:
    assert says(option, computed) is same
