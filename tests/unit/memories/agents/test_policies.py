"""Policies are made from feedback, by rules and by a model, and a reply that is none is asked for once more."""

from __future__ import annotations

import json

import pytest

from recollect.domain.errors import MalformedError
from recollect.memories.agents.asking import Chat
from recollect.memories.agents.policies import MOST_LINES, ModelMaker, RuleMaker, first_policy
from recollect.memories.agents.topics import EVERYTHING

from tests.unit.memories.likes.scripted_chat import ScriptedChat, between

ASKED = "Question: What sport suits my evenings?"


def test_rules_add_the_words_of_a_question_as_a_topic() -> None:
    assert RuleMaker().propose(first_policy("rules"), [ASKED]) == f"{EVERYTHING}\nsport suits evenings"


def test_rules_add_nothing_for_what_was_answered_right() -> None:
    right, wrong = (f"{ASKED} | Your answer: {said} | Right answer: 2" for said in ("2", "3"))
    assert RuleMaker().propose("food", [right]) == "food"
    assert RuleMaker().propose("food", [wrong]) == "food\nsport suits evenings"


def test_rules_add_a_topic_once() -> None:
    once = RuleMaker().propose("food", [ASKED])
    assert RuleMaker().propose(once, [ASKED, "Question: My evenings and sport?"]) == once


def test_rules_drop_the_oldest_topics_and_never_what_keeps_everything() -> None:
    old = "\n".join([EVERYTHING, *(f"topic{n}" for n in range(MOST_LINES - 1))])
    made = RuleMaker().propose(old, [ASKED]).split("\n")
    assert (len(made), made[0], made[1], made[-1]) == (MOST_LINES, EVERYTHING, "topic1", "sport suits evenings")


def test_a_model_is_shown_policy_and_feedback_and_gives_lines() -> None:
    chat = ScriptedChat(lambda _: json.dumps({"policy": ["- food", "sport"], "changes": ["added sport"]}))
    assert ModelMaker(Chat(chat)).propose("food", [ASKED]) == "- food\n- sport"
    assert between("policy", chat.asked[0]) == "food"
    assert between("feedback", chat.asked[0]) == f"- {ASKED}"


@pytest.mark.parametrize("bad", ["none", '{"policy": "food"}', '{"policy": [" "], "changes": []}'])
def test_a_policy_that_cannot_be_used_is_asked_for_once_more_and_then_a_fault(bad: str) -> None:
    chat = ScriptedChat(lambda _: bad)
    with pytest.raises(MalformedError, match="prompt `policy`"):
        ModelMaker(Chat(chat)).propose("food", [ASKED])
    assert len(chat.asked) == 2


def test_makers_are_told_apart_by_their_fingerprint() -> None:
    chat = ScriptedChat(lambda _: "")
    assert RuleMaker().fingerprint != ModelMaker(Chat(chat)).fingerprint
    assert chat.fingerprint in ModelMaker(Chat(chat)).fingerprint
