from __future__ import annotations

import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.contracts.models import ChatModel, Turn
from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.offline.chat import RuleChat, RuleReplier, best_sentence, take_apart
from recollect.offline.lexicon import ANSWER, GREETING, NO_MEMORY, NOTED, NOTED_BESIDE, NOTHING_SAID
from recollect.text.normal import words
from recollect.text.tokens import count

MEMORIES = ("Ann has a cat named Tux.", "Ann lives in Oslo.")
ASKED = "What is my cat called?"
TUX = ANSWER.format(memory="Ann has a cat named Tux.")


def turn(text: str, role: Literal["system", "user", "assistant"] = "user") -> Turn:
    return Turn(role=role, text=text)


LISTED = "\n".join(f"- {memory}" for memory in MEMORIES)


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param([turn(f"Be kind.\n\n## What you remember\n{LISTED}", "system"), turn(ASKED)], id="heading"),
        pytest.param([turn(f"Facts about the user:\n\n{LISTED}", "system"), turn(ASKED)], id="colon"),
        pytest.param([turn(LISTED, "system"), turn(ASKED)], id="bare-list"),
        pytest.param([turn("1. " + "\n2) ".join(MEMORIES), "system"), turn(ASKED)], id="numbers"),
        pytest.param([turn("[2024-01-01] " + "\n[2024-01-02] ".join(MEMORIES), "system"), turn(ASKED)], id="stamps"),
        pytest.param([turn("<memory>\n" + "\n".join(MEMORIES) + "\n</memory>\n" + ASKED)], id="tag"),
        pytest.param([turn("Context:\n" + "\n".join(MEMORIES) + f"\n\n{ASKED}")], id="plain-lines"),
        pytest.param([turn(f"Notes:\n{LISTED}\n\nUser: {ASKED}")], id="label"),
        pytest.param([turn("```memory\n" + "\n".join(MEMORIES) + f"\n```\n{ASKED}")], id="fence"),
    ],
)
def test_memories_are_found_by_their_form(turns: list[Turn]) -> None:
    parts = take_apart(turns)
    assert parts.memories == MEMORIES
    assert parts.said == ASKED
    assert RuleChat().complete(turns) == TUX


def test_orders_to_the_model_are_no_memories() -> None:
    turns = [
        turn("- Always be polite to the cat.\n- Ann has a cat named Tux.\n- Do not name the cat.", "system"),
        turn(ASKED),
    ]
    assert take_apart(turns).memories == ("Ann has a cat named Tux.",)


def test_a_list_that_the_user_makes_is_no_memory() -> None:
    parts = take_apart([turn("I need:\n- milk\n- eggs")])
    assert parts.memories == ()
    assert parts.said == "I need: - milk - eggs"


def test_only_the_last_user_turn_is_answered() -> None:
    turns = [turn("Who won?"), turn("I find nothing.", "assistant"), turn("My cat is ill today.")]
    assert RuleChat().complete(turns) == NOTED


def test_a_statement_is_thanked_for_beside_what_fits() -> None:
    turns = [turn(LISTED, "system"), turn("My cat is ill.")]
    assert RuleChat().complete(turns) == NOTED_BESIDE.format(memory=MEMORIES[0])


@pytest.mark.parametrize(
    ("said", "reply"),
    [("Hello there!", GREETING), ("Who won the cup?", NO_MEMORY), ("I bought a van.", NOTED), ("", NOTHING_SAID)],
)
def test_without_a_fitting_memory_it_says_so_or_takes_note(said: str, reply: str) -> None:
    assert RuleReplier().word(said, MEMORIES) == reply


def test_what_the_user_just_said_is_no_memory() -> None:
    said = "I bought a van."
    assert RuleReplier().word(said, [said]) == NOTED


def test_its_own_replies_and_those_of_assistants_are_no_memories() -> None:
    own = Message(message_id=MessageId("m"), session_id=SessionId("s"), text="The cat is called Max.", role="assistant")
    assert RuleReplier().reply(ASKED, Recall.of_messages([own])) == NO_MEMORY
    assert RuleReplier().word(ASKED, [TUX]) == NO_MEMORY


def test_a_recall_is_used_best_match_first() -> None:
    items = tuple(RecallItem(text=text, sources=(MessageId("m"),)) for text in reversed(MEMORIES))
    assert RuleReplier().reply(ASKED, Recall(items=items)) == TUX


def test_of_two_equal_memories_the_first_is_repeated() -> None:
    assert best_sentence("the cat", ["A cat sleeps.", "A cat eats."]) == "A cat sleeps."


def test_braces_in_a_memory_are_text() -> None:
    assert "{cat}" in RuleReplier().word("Where is my cat?", ["The cat is in {cat}."])


def test_a_reply_is_cut_to_the_tokens_asked_for_and_never_empty() -> None:
    turns = [turn(LISTED, "system"), turn(ASKED)]
    for limit in (0, 1, 5, 100):
        reply = RuleChat().complete(turns, max_tokens=limit)
        assert reply
        assert count(reply) <= max(1, limit)


def test_it_is_a_chat_model() -> None:
    model: ChatModel = RuleChat()
    assert model.fingerprint == RuleReplier().fingerprint == "rules-chat-1"


FRAMES = " ".join((ANSWER, NO_MEMORY, NOTED, NOTED_BESIDE, GREETING, NOTHING_SAID)).replace("{memory}", "")


@given(
    st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text()), max_size=4),
    st.text(alphabet="ab c?.\n-<>/:"),
)
def test_a_reply_says_nothing_that_is_not_in_the_prompt(
    said: list[tuple[Literal["system", "user", "assistant"], str]], last: str
) -> None:
    turns = [*(turn(text, role) for role, text in said), turn(last)]
    reply = RuleChat().complete(turns)
    assert reply == RuleChat().complete(turns)
    prompt = " ".join(one.text for one in turns)
    pieces = re.split("[“”]", reply)
    for quoted in pieces[1:-1:2]:
        assert "".join(quoted.split()) in "".join(prompt.split())
    for framed in pieces[::2] if len(pieces) % 2 else pieces[:1]:
        assert set(words(framed)) <= set(words(FRAMES))
