"""Every rule of a reply: one reply that keeps them all, and mutants for each that are caught by it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.make.pipeline import USERS
from recollect.making.steps import Check, Step

from tests.unit.benchmarks.subtlememory.make.replies import MUTANTS, SETTLED, SOUND, Mutate


def broken(rules: Sequence[Check], reply: Any, given: Any) -> set[str]:
    return {check.name for check in rules if list(check.find(reply, given))}


@pytest.mark.parametrize("name", list(SOUND))
def test_a_reply_that_keeps_all_rules_passes(name: str) -> None:
    one = SOUND[name]
    assert broken(one.rules, one.reply, one.given) == set()


@pytest.mark.parametrize(
    ("step", "rule", "mutate"),
    [pytest.param(step, rule, how, id=f"{step}-{rule}-{what}") for step, rule, what, how in MUTANTS],
)
def test_a_mutant_is_caught_by_its_rule(step: str, rule: str, mutate: Mutate) -> None:
    one = SOUND[step]
    reply = deepcopy(one.reply)
    mutate(reply)
    assert rule in broken(one.rules, reply, one.given)


def test_every_rule_of_every_step_has_a_mutant_and_all_are_counted() -> None:
    """A rule without a mutant proves nothing; the count is that of the table."""
    stages = [one for one in USERS.pipeline.stages if isinstance(one, Step)]
    asked = {step.name: {check.name for check in step.checks} for step in stages}
    asked = {"session" if name == "session_1" else name: rules for name, rules in asked.items() if rules}
    asked = {name: rules for name, rules in asked.items() if name not in {"session_2", "session_3", "session_4"}}
    names = {"conflict": "case", "conflict_answers": "answers"}
    covered = {name: set[str]() for name in asked}
    for step, rule, _, _ in MUTANTS:
        covered[names.get(step, step)].add(rule)
    assert asked == covered
    assert len(MUTANTS) == 83


def test_a_form_about_a_contradiction_has_one_field_for_both_sides() -> None:
    reply = deepcopy(SOUND["questions"].reply)
    reply["questions"][1]["fields"].append({"field": "Meal", "choices": ["tea", "soup", "bread", "fruit"]})
    assert broken(SOUND["questions"].rules, reply, SETTLED) == set()
    assert broken(SOUND["questions"].rules, reply, {**SETTLED, "subtype": "contradictory"}) == {"form"}


def test_a_text_that_is_written_may_be_said_again_by_the_assistant() -> None:
    """Where a text is written, its last version repeats the ones before."""
    line = "The harbour festival begins on Friday with lanterns along the whole quay."
    reply = deepcopy(SOUND["session"].reply)
    for place in (3, 9):
        reply["messages"][place]["content"] += f" {line}"
    one = SOUND["session"]
    assert broken(one.rules, reply, one.given) == {"repeated"}
    reply["selected_conversation_type"] = "artifact_production"
    assert broken(one.rules, reply, one.given) == set()
