"""Every rule of a reply about events: one reply that keeps them all, and a mutant of it for each."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from recollect.benchmarks.memoryagentbench.make import checks
from recollect.making.steps import Check

PASSAGE = (
    "It was cold. Old Mr. Brandt carried the iron chest down to the river,\nand nobody saw it. “Well,” said Ada "
    "Finch, and she burned the letters—all of them—in the stove. Then Ada slept."
)
EVENTS = {
    "events": [
        {
            "text": "Mr. Brandt took the iron chest down to the river unseen.",
            "quote": "carried the iron chest down to the river, and nobody saw it",
            "characters": ["Mr. Brandt"],
        },
        {
            "text": "Ada Finch burned all of the letters in the stove.",
            "quote": '"Well," said Ada Finch, and she burned the letters',
            "characters": ["Ada Finch"],
        },
    ]
}
GIVEN = {"passage": PASSAGE}
TEXT, QUOTE, PEOPLE = "text", "quote", "characters"


def problems(rules: Sequence[Check], reply: Any, given: Any) -> dict[str, list[str]]:
    found = {check.name: list(check.find(reply, given)) for check in rules}
    return {name: told for name, told in found.items() if told}


def test_events_that_keep_all_rules_pass() -> None:
    """Also a quote whose line break, quotes and dashes are set otherwise than in the book."""
    assert problems(checks.EVENT_CHECKS, EVENTS, GIVEN) == {}


@pytest.mark.parametrize(
    ("field", "value", "check"),
    [
        pytest.param(TEXT, "Mr. Brandt took the iron chest down to the\nriver unseen.", "sentence", id="two-lines"),
        pytest.param(TEXT, "Mr. Brandt took the iron chest down to the river", "sentence", id="no-stop"),
        pytest.param(TEXT, "He and Mr. Brandt took the iron chest to the river.", "sentence", id="pronoun"),
        pytest.param(TEXT, "Mr. Brandt took the iron chest away.", "length", id="short"),
        pytest.param(TEXT, f"Mr. Brandt took {'very ' * 30}heavy chests.", "length", id="long"),
        pytest.param(PEOPLE, ["Mr. Brandt", "Ada Finch"], "characters_in_text", id="absent-from-text"),
        pytest.param(QUOTE, "carried the iron chest up to the river", "quote", id="quote-altered"),
        pytest.param(QUOTE, "nobody saw it", "quote", id="quote-short"),
        pytest.param(TEXT, "Ada Finch then burned all the letters in the stove.", "distinct", id="told-twice"),
    ],
)
def test_a_mutant_of_an_event_is_caught_by_its_rule(field: str, value: Any, check: str) -> None:
    mutant = deepcopy(EVENTS)
    mutant["events"][0][field] = value
    assert check in problems(checks.EVENT_CHECKS, mutant, GIVEN)


def test_a_person_whom_the_passage_does_not_name_is_caught() -> None:
    mutant = deepcopy(EVENTS)
    mutant["events"][0].update(text="Mr. Holm took the iron chest down to the river unseen.", characters=["Mr. Holm"])
    assert set(problems(checks.EVENT_CHECKS, mutant, GIVEN)) == {"characters_in_passage"}


@pytest.mark.parametrize(("event", "same_as", "caught"), [(3, 1, False), (2, 2, True), (1, 3, True), (9, 1, True)])
def test_a_pair_of_duplicates_points_back_within_the_list(event: int, same_as: int, caught: bool) -> None:
    reply = {"same": [{"event": event, "same_as": same_as}]}
    assert bool(problems(checks.DUPLICATE_CHECKS, reply, {"numbers": [1, 2, 3]})) is caught


RIGHT = "Ada Finch burned all of the old letters in the kitchen stove."
OPTIONS = [
    "Ada Finch sold the iron chest to a passing tinker.",
    "Ada Finch locked the garden gate and threw its key into a well.",
    "Ada Finch wrote a long confession and pinned it to the chapel door.",
    "Old Mr. Brandt and Ada quarrelled about the price of the northern field.",
    "Miss Finch followed a stranger over the frozen bridge.",
]
SEEN = {
    "event": RIGHT,
    "people": ["Ada Finch"],
    "known": [RIGHT, "Mr. Brandt drowned the grey cat behind the mill."],
    "stay": [],
}


def test_options_that_keep_all_rules_pass() -> None:
    assert problems(checks.OPTION_CHECKS, {"distractors": OPTIONS}, SEEN) == {}


@pytest.mark.parametrize(
    ("options", "check"),
    [
        pytest.param([*OPTIONS[:4], "Ada Finch then sold the iron chest to a tinker passing."], "distinct", id="twins"),
        pytest.param([*OPTIONS[:4], "Ada Finch wept."], "length", id="short"),
        pytest.param([*OPTIONS[:4], f"Ada Finch {'walked and ' * 12}slept."], "length", id="long"),
        pytest.param(
            [*OPTIONS[:4], "Mr. Brandt followed a stranger over the frozen bridge."], "same_people", id="people"
        ),
        pytest.param(
            [*OPTIONS[:4], "Ada Finch burned the old letters in a stove, in the kitchen."], "not_an_event", id="true"
        ),
        pytest.param([one[:55] + "." for one in OPTIONS], "stands_out", id="all-shorter"),
        pytest.param([one + " That was long ago." for one in OPTIONS], "stands_out", id="all-longer"),
    ],
)
def test_a_mutant_of_the_options_is_caught_by_its_rule(options: list[str], check: str) -> None:
    assert check in problems(checks.OPTION_CHECKS, {"distractors": options}, SEEN)


def test_an_option_must_also_differ_from_those_that_stay() -> None:
    given = {**SEEN, "stay": OPTIONS[:4]}
    assert problems(checks.OPTION_CHECKS, {"distractors": OPTIONS[4:]}, given) == {}
    assert "distinct" in problems(checks.OPTION_CHECKS, {"distractors": [OPTIONS[0]]}, given)


@pytest.mark.parametrize(
    ("said", "caught"), [([1, 2, 3], False), ([3, 1, 2], False), ([1, 1, 3], True), ([1, 2], True)]
)
def test_each_option_gets_one_verdict(said: list[int], caught: bool) -> None:
    reply = {"verdicts": [{"option": one, "reason": "x", "happens": False} for one in said]}
    assert bool(problems(checks.VERDICT_CHECKS, reply, {"draft": ["a", "b", "c"]})) is caught


def test_every_rule_has_a_mutant() -> None:
    """The names above, against those there are."""
    named = {"sentence", "length", "characters_in_text", "characters_in_passage", "quote", "distinct"}
    assert {check.name for check in checks.EVENT_CHECKS} == named
    assert {check.name for check in checks.OPTION_CHECKS} == {
        *("distinct", "length", "same_people", "not_an_event", "stands_out")
    }
