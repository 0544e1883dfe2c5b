"""JSON templates and state probes."""

from __future__ import annotations

import json

import pytest

from recollect.domain.errors import NotAvailableError
from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import RuleReader
from recollect.offline.reading.operators.states import spoken
from recollect.offline.reading.operators.templates import choices_in, in_json
from recollect.text.tokens import count

from tests.unit.offline.reading.one_line import SYNONYMS, Said, WordEmbedder, ask

TALK: list[Said] = [
    ("2024-01-01", "Mia", "I open the stall on weekends only."),
    ("2024-02-01", "Mia", "My favourite tea is oolong."),
    ("2024-03-01", "Mia", "From today the stall is open daily."),
    ("2024-04-01", "Mia", "My favourite tea is sencha."),
    ("2024-05-01", "Mia", "I bought a kiln for $300 on 2 May 2024."),
]


def filled(said: list[Said], template: dict[str, str], reader: RuleReader | None = None) -> dict[str, str]:
    reply = ask(said, "Fill in what holds.", reader, answer_format=AnswerFormat.JSON, template=template)
    found: dict[str, str] = json.loads(reply.text)
    return found


def test_each_field_goes_to_the_operator_of_its_description() -> None:
    template = {
        "favourite_tea": "the tea that Mia likes",
        "kiln_price": "what the kiln was bought for",
        "kiln_date": "when the kiln was bought",
        "stall_opening": "one of: weekends, weekday_mornings, daily",
        "submarine": "the name of the submarine",
    }
    assert filled(TALK, template) == {
        "favourite_tea": "sencha",
        "kiln_price": "$300",
        "kiln_date": "2 May 2024",
        "stall_opening": "daily",
        "submarine": "",
    }


@pytest.mark.parametrize(
    "about",
    [
        "one of: weekends, weekday_mornings, daily",
        "weekends | weekday_mornings | daily",
        "[weekends, weekday_mornings, daily]",
    ],
)
def test_a_state_probe_takes_the_newest_value(about: str) -> None:
    assert filled(TALK, {"stall_opening": about}) == {"stall_opening": "daily"}


def test_a_denied_value_does_not_hold() -> None:
    said: list[Said] = [("2024-01-01", "Mia", "I am vegetarian now."), ("2024-02-01", "Mia", "I am not vegan.")]
    assert filled(said, {"diet": "one of: vegan, vegetarian, omnivore"}) == {"diet": "vegetarian"}


def test_a_value_told_in_other_words_is_found_by_its_meaning() -> None:
    said: list[Said] = [("2024-01-01", "Mia", "the doctor said hello"), ("2024-01-02", "Tom", "rain again")]
    reader = RuleReader(WordEmbedder(groups=SYNONYMS.groups))
    assert filled(said, {"visitor": "one of: physician, plumber, painter"}, reader) == {"visitor": "physician"}


def test_numbered_facts_fill_a_template_too() -> None:
    facts: list[Said] = ["0. The capital of Orvalia is Denn.\n1. The capital of Orvalia is Marl."]
    assert filled(facts, {"capital": "the capital of Orvalia"}) == {"capital": "Marl"}


def test_an_object_of_which_nothing_is_held_abstains() -> None:
    reply = ask(TALK, "zzz", answer_format=AnswerFormat.JSON, template={"submarine": "its name"})
    assert reply.abstained


def test_json_without_a_template_is_not_available() -> None:
    with pytest.raises(NotAvailableError, match="template"):
        ask(TALK, "Return JSON.", answer_format=AnswerFormat.JSON)


def test_values_are_shortened_until_the_object_fits() -> None:
    text = in_json({"a": "word " * 50, "b": "x"}, 30)
    assert count(text) <= 30
    assert json.loads(text)["b"] == "x"


@pytest.mark.parametrize(
    ("about", "choices"),
    [
        pytest.param("one of: a, b or c", ["a", "b", "c"], id="one-of"),
        pytest.param("the mode (slow | fast)", ["slow", "fast"], id="bars"),
        pytest.param("choices: 'in town', 'at sea'", ["in town", "at sea"], id="quotes"),
        pytest.param("the city where Mia lives", [], id="none"),
    ],
)
def test_choices_are_read_from_a_description(about: str, choices: list[str]) -> None:
    assert choices_in(about) == choices


@pytest.mark.parametrize(
    ("name", "words"), [("one_helper", "one helper"), ("oneHelper", "one helper"), ("a-b", "a b"), ("plain", "plain")]
)
def test_names_are_spoken(name: str, words: str) -> None:
    assert spoken(name) == words
