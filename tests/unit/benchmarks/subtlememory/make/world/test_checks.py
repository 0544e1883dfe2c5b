"""Every rule of a reply about the world: replies that keep them all, and mutants that break one each."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.make.checks import names_date, qualified, qualifiers, states, telling
from recollect.benchmarks.subtlememory.make.pipeline import WORLD
from recollect.benchmarks.subtlememory.make.world import fact_checks as facts
from recollect.benchmarks.subtlememory.make.world import question_checks as asking
from recollect.benchmarks.subtlememory.make.world import session_checks as talks
from recollect.making.steps import Check, Step

from tests.unit.benchmarks.subtlememory.make.world_replies import ALL, SESSION, Mutate, Sound

GROUPS = {
    "complementary": facts.COMPLEMENTARY_CHECKS,
    "temporal": facts.TEMPORAL_CHECKS,
    "context": facts.CONTEXT_CHECKS,
    "contradictory": facts.CONTRADICTORY_CHECKS,
    "plan": talks.PLAN_CHECKS,
    "session": talks.SESSION_CHECKS,
    "question": asking.QUESTION_CHECKS,
    "answer": asking.ANSWER_CHECKS,
}
SHARED = {"sentences", "differ", "question_leak", "betrays", "identifying", "offensive"}
"""The same function in all groups of facts; its mutants are those of complementary ones."""
TABLE = [
    pytest.param(sound, name, mutate, id=f"{number:02d}-{name}")
    for number, sound in enumerate(ALL)
    for name, mutate in sound.mutants.items()
]


def broken(rules: Sequence[Check], reply: Any, given: Any) -> set[str]:
    return {check.name for check in rules if list(check.find(reply, given))}


@pytest.mark.parametrize("sound", ALL, ids=range(len(ALL)))
def test_a_sound_reply_breaks_no_rule(sound: Sound) -> None:
    assert broken(sound.rules, sound.reply, sound.given) == set()


@pytest.mark.parametrize(("sound", "name", "mutate"), TABLE)
def test_a_mutant_is_caught_by_its_rule(sound: Sound, name: str, mutate: Mutate) -> None:
    reply = deepcopy(sound.reply)
    mutate(reply)
    assert name.partition("-")[0] in broken(sound.rules, reply, sound.given)


def test_every_rule_has_a_mutant_that_it_catches() -> None:
    """Counted, so that a rule without a mutant cannot slip in."""
    caught = {
        group: {name.partition("-")[0] for sound in ALL if sound.rules is rules for name in sound.mutants}
        for group, rules in GROUPS.items()
    }
    missing = {
        (group, check.name)
        for group, rules in GROUPS.items()
        for check in rules
        if check.name not in caught[group]
        and not (check.name in SHARED and group in ("temporal", "context", "contradictory"))
    }
    assert missing == set()
    assert {group: len(rules) for group, rules in GROUPS.items()} == {
        "complementary": 15, "temporal": 11, "context": 12, "contradictory": 11,
        "plan": 6, "session": 15, "question": 15, "answer": 9,
    }  # fmt: skip
    assert len(TABLE) == 106


def test_most_mutants_break_their_rule_alone() -> None:
    """What a mutant breaks beside its rule hangs together with it, such as a hard question that names its date."""
    together = []
    for sound in ALL:
        for name, mutate in sound.mutants.items():
            reply = deepcopy(sound.reply)
            mutate(reply)
            if broken(sound.rules, reply, sound.given) != {name.partition("-")[0]}:
                together.append(name)
    assert len(together) == 6


def test_the_checks_of_the_table_are_those_of_the_steps() -> None:
    asked = [step.checks for step in WORLD.pipeline.stages if isinstance(step, Step) and step.checks]
    assert asked == list(GROUPS.values())


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("He bats right, as they say.", "Right", False),
        ("Press the button on the right.", "Right", False),
        ("They live near Quarl.", "Quarl", True),
        ("It was the sea thistle again.", "sea thistle", True),
        ("There were 854 of them.", "854", True),
        ("There were 8540 of them.", "854", False),
        ("Go to step 0 first.", "0", False),
    ],
)
def test_one_usual_word_does_not_count_as_somebody_elses_value(text: str, value: str, found: bool) -> None:
    assert telling(text, value) is found


def test_statements_that_differ_in_their_value_alone_are_told_apart() -> None:
    """The published example of figure 12: snapshots of one club, nine of ten words alike."""
    mine = "As of 2024-06-01, the clubs had won 854 trophies."
    assert states(mine, "As of 2024-08-01, the clubs had won 858 trophies.", ["858"]) == ""
    assert states(f"Well. {mine}", mine, ["854"]) == mine


def test_parts_with_the_value_of_ones_own_are_not_taken_for_the_whole_answer() -> None:
    """Two towns have the lupin: a talk about the one does not tell of the other. Found in published records."""
    given = {**SESSION.given, "others": [], "parts": {"Borvand": ["lupin"], "Quarl": ["the lupin"]}}
    assert broken(SESSION.rules, SESSION.reply, given) == set()


def test_a_day_is_found_in_any_wording() -> None:
    assert [names_date(text, "2024-07-01") for text in ("as of 2024-07-01", "on 1 July 2024", "in July 2024")] == [
        True,
        True,
        False,
    ]


def test_what_tells_two_questions_apart_would_settle_a_conflict() -> None:
    found = qualifiers("Who played Batman?", ["Who played Batman on film?", "Who voiced Batman on radio?"], ["A", "B"])
    assert found == [["film"], ["radio", "voic"]]
    assert list(qualified("Who played Batman on film?", found))
    assert list(qualified("Who played Batman?", found)) == []
