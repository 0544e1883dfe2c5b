"""Answers to conflicts and to questions of several parts, as the rule judge weighs them."""

from __future__ import annotations

import pytest

from recollect.domain.exchange import Reply
from recollect.offline.judge.rule_judge import RuleJudge

from tests.unit.benchmarks.subtlememory.test_score import ASKED

BOTH = {
    "torn": [
        "Unclear, this needs clarification first: one thing you said fits the Larch Room, another the Tinsel Room.",
        "There is a conflict: Larch Room vs Tinsel Room. Which do you prefer?",
        "I cannot tell which you prefer: you once wanted it plain (Larch Room) and once ornate (Tinsel Room).",
    ],
    "torn_form": [
        '{"Room style": "unclear: plain or ornate"}',
        "Unclear, this needs clarification first: plain and ornate contradict each other.",
    ],
    "torn_flower": [
        "The records conflict: sorrel in one, milkwort in another.",
        "Unclear: sorrel or milkwort; the remembered answers contradict each other.",
    ],
}
WRONG = {
    "torn": [
        "Larch Room",
        "Take the Tinsel Room.",
        "The Larch Room, not the Tinsel Room.",
        "Larch Room, Tinsel Room, Depot Room or Meadow Room",
        "Unclear, this needs clarification first.",
        "Could you clarify which one you would like?",
        "I don't know.",
        "",
    ],
    "torn_form": ['{"Room style": "plain"}', '{"Room style": "plain / ornate / industrial / floral"}', "unclear"],
    "torn_flower": ["sorrel", "sorrel, milkwort, squill or toadflax", "It is not known.", "Which talk do you mean?"],
}
PLAIN = [
    ("room", "I would take the Larch Room because it is plain.", 1.0),
    ("room", "Larch Room: bare boards and one lamp", 1.0),
    ("room", "Take the Tinsel Room, it is as plain as you like it.", 0.0),
    ("room", "Larch Room or Tinsel Room", 0.0),
    ("form", '{"Room style": "bare", "Drink": "tea"}', 1.0),
    ("form", '{"Room style": "bare", "Drink": "cocoa"}', 0.0),
    ("flowers", "Squill for the Orle Regatta, toadflax for the Vint Regatta.", 1.0),
    ("flowers", "Squill for both.", 0.0),
]


def weighed(case: str, text: str) -> float | None:
    question, key = ASKED[case, "score"]
    return RuleJudge().judge(question, key, Reply(text=text)).value()


@pytest.mark.parametrize(("case", "text"), [(case, text) for case, texts in BOTH.items() for text in texts])
def test_an_answer_that_names_both_sides_and_nothing_else_is_right(case: str, text: str) -> None:
    assert weighed(case, text) == 1.0


@pytest.mark.parametrize(("case", "text"), [(case, text) for case, texts in WRONG.items() for text in texts])
def test_one_side_all_choices_or_a_mere_question_back_is_wrong(case: str, text: str) -> None:
    assert weighed(case, text) == 0.0


@pytest.mark.parametrize(("case", "text", "right"), PLAIN)
def test_where_nothing_is_torn_the_wanted_parts_must_be_named(case: str, text: str, right: float) -> None:
    assert weighed(case, text) == right


def test_published_conflicts_stay_undecided_by_rules() -> None:
    assert weighed("bags", "Your statements on bags contradict each other.") is None
