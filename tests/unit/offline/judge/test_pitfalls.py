"""Answers that look right to a measure of likeness and are wrong, and the other way round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recollect.domain.outcomes import Verdict
from recollect.metrics.text_match import substring_match

Ask = Callable[..., Verdict]
Code = Callable[[Verdict], str]

HOLDS_THE_ANSWER = [
    pytest.param("What does Milo play?", "tennis", "table tennis", "other_thing", id="compound"),
    pytest.param("Was he right?", "correct", "not correct", "polarity", id="not-correct"),
    pytest.param("Which colour?", "green", "anything but green", "negated", id="excluded"),
    pytest.param("Which nut?", "peanuts", "all nuts but peanuts", "negated", id="all-but"),
    pytest.param("How many pots?", "9", "9 plants in 14 pots", "number_other", id="number-of-another-thing"),
    pytest.param("Which colour?", "green", "It is not really green.", "negated", id="denied"),
    pytest.param("Which colour?", "green", "Green it is not.", "negated", id="denied-behind"),
    pytest.param("Which colour?", "green", "green or blue", "alternatives", id="one-of-two"),
    pytest.param("Which colour?", "green", "green, blue, red, black", "dumped", id="list-of-guesses"),
    pytest.param(
        "Where does she live?", "Oslo", "She used to live in Oslo and now lives in Bonn.", "superseded", id="old"
    ),
    pytest.param("How many?", "3", "13 or 3", "number_alternatives", id="one-of-two-numbers"),
    pytest.param("How many?", "3", "4, of which 3 are small", "number_later", id="second-number"),
    pytest.param("How many?", "3", "more than 3", "number_bound", id="bound"),
    pytest.param("When?", "5 May 2023", "5 May 2023 or 6 May 2023", "date_alternatives", id="one-of-two-dates"),
    pytest.param("When?", "5 May 2023", "before 5 May 2023", "date_side", id="before"),
]


@pytest.mark.parametrize(("question", "gold", "reply", "reason"), HOLDS_THE_ANSWER)
def test_holding_the_answer_is_not_giving_it(
    ask: Ask, code: Code, question: str, gold: str, reply: str, reason: str
) -> None:
    verdict = ask(question, gold, reply)
    assert (verdict.value(), code(verdict)) == (0.0, reason)


@pytest.mark.parametrize(("question", "gold", "reply", "reason"), HOLDS_THE_ANSWER)
def test_a_judge_by_containment_falls_into_the_same_pits(question: str, gold: str, reply: str, reason: str) -> None:
    """The twin that shows the pits are there."""
    assert substring_match(reply, gold)


@pytest.mark.parametrize(
    ("question", "gold", "reply"),
    [
        ("Is Karl married?", "yes", "way"),
        ("Is Karl married?", "yes", "Karl"),
        ("Is Karl married?", "yes", "He is single."),
        ("Is the shop open on Sundays?", "no", "There is no doubt it is open on Sundays."),
        ("What drink?", "decaf", "coffee"),
        ("Which medal?", "gold", "silver"),
        ("What did the doctor advise?", "more sleep and less sugar", "less sleep and more sugar"),
        ("Who called?", "Ann", "Anne"),
        ("Which language?", "C", "C++"),
        ("Which country?", "Austria", "Australia"),
        ("Which game?", "basketball", "baseball"),
        ("Where?", "Oslo", "not in Oslo but in Paris"),
        ("What car?", "a blue van with a roof rack", "a red van with a roof rack"),
    ],
)
def test_likeness_is_not_enough(ask: Ask, question: str, gold: str, reply: str) -> None:
    assert ask(question, gold, reply).value() == 0.0


@pytest.mark.parametrize(
    ("question", "gold", "reply"),
    [
        ("Where?", "Oslo", "Not Paris but Oslo"),
        ("Where?", "Oslo", "None other than Oslo"),
        ("What does he not eat?", "meat", "He does not eat meat."),
        ("How much is the rent?", "950 euros", "It rose from 900 to 950 euros."),
        ("How many children?", "3", "Since 2019 she has had three children."),
        ("Which country?", "United States of America", "the U.S."),
        ("Who called?", "May", "It was May who called."),
        ("Which scent?", "No. 5", "No. 5"),
        ("Does he smoke?", "no", "He quit smoking."),
        ("Where did she live before?", "Oslo", "She used to live in Oslo and now lives in Bonn."),
    ],
)
def test_other_words_may_say_the_same(ask: Ask, question: str, gold: str, reply: str) -> None:
    assert ask(question, gold, reply).value() == 1.0
