"""`awe` keeps what was extracted, by rules or by its model, and loses nothing where an extraction cannot be used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.domain.errors import MalformedError, RetryableError
from recollect.domain.exchange import Batch
from recollect.domain.ids import MessageId
from recollect.memories.agents.agent import PolicyAgent
from recollect.memories.agents.memory_stores import FactStore
from recollect.memories.agents.topics import EVERYTHING

from tests.unit.memories.agents.opening import asked, one_round, opened, said, texts, told
from tests.unit.memories.published.scripted_chat import ScriptedChat, between

TALK = ("I moved to Lisbon in March.", "Thanks, fine.", "My sister Vera plays the cello.", "How are you?")


def facts(*found: tuple[str, list[int]]) -> str:
    return json.dumps({"facts": [{"text": text, "from": numbers} for text, numbers in found]})


def extracting(say: Callable[[str], str]) -> ScriptedChat:
    """A model that extracts as *say* does, and answers `fine` to all else."""
    return ScriptedChat(lambda prompt: say(prompt) if "<messages>" in prompt or "could not be" in prompt else "fine")


def test_by_rules_sentences_that_tell_something_are_kept_in_their_own_name(tmp_path: Path) -> None:
    """The assistant's words and the small talk are gone; with ns=0 nothing is local."""
    agent = told(opened(tmp_path, "awe", memory="bm25", ns=0), *TALK)
    assert texts(agent) == ["Ana moved to Lisbon in March.", "Ana's sister Vera plays the cello."]
    assert [unit.sources for unit in agent.units()] == [("u0",), ("u2",)]


def test_by_rules_what_the_assistant_says_is_no_fact(tmp_path: Path) -> None:
    """It repeats what it was told, and an old value would come back as a new one."""
    agent = opened(tmp_path, "awe", memory="bm25", ns=0)
    agent.observe(one_round(0, "Thanks, fine.", "You moved to Lisbon in March, I remember."))
    assert texts(agent) == []


def test_a_policy_changes_what_is_kept_from_then_on(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awe", memory="bm25", ns=0)
    assert agent.policy() == EVERYTHING
    agent.adopt("music and cello")
    told(agent, *TALK)
    assert texts(agent) == ["Ana's sister Vera plays the cello."]
    assert texts(told(opened(tmp_path / "b", "awe", memory="bm25", ns=0, policy="the city of Lisbon"), *TALK)) == [
        "Ana moved to Lisbon in March."
    ]


def test_a_fact_is_found_with_the_messages_it_came_from_and_is_no_message(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "awe", memory="bm25", ns=0), *TALK)
    recall = agent.answer(asked("Where to was the move?")).recall
    assert recall is not None
    assert [(item.sources, item.message, item.said_at) for item in recall.items] == [
        (("u0",), None, "2024-03-01T10:00")
    ]


def test_a_model_s_facts_name_the_messages_of_the_batch(tmp_path: Path) -> None:
    chat = extracting(lambda prompt: facts(("Ana lives in Lisbon.", [1]), ("Both greeted.", [2, 1])))
    agent = told(opened(tmp_path, "awe", chat, memory="bm25", ns=0), TALK[0])
    assert [(unit.text, unit.sources) for unit in agent.units()] == [
        ("Ana lives in Lisbon.", ("u0",)),
        ("Both greeted.", ("u0", "a0")),
    ]
    assert between("messages", chat.asked[0]) == (
        f"1. [2024-03-01T10:00] Ana: {TALK[0]}\n2. [2024-03-01T10:00] assistant: I see."
    )


def test_a_model_is_shown_the_policy_and_the_names_that_a_system_message_told(tmp_path: Path) -> None:
    chat = extracting(lambda prompt: facts())
    agent = opened(tmp_path, "awe", chat, memory="bm25", ns=0)
    agent.observe(Batch(messages=(said(40, "Keep these: home_town, diet", "system"),), text=""))
    agent.adopt("- the weather")
    told(agent, TALK[0])
    assert "- the weather" in chat.asked[0]
    assert "home town; diet" in chat.asked[0]
    assert texts(agent) == [], "the system message is no memory"


BAD = (
    "no json",
    "[]",
    '{"facts": "none"}',
    facts(("", [1])),
    facts(("x", [])),
    facts(("x", [3])),
    facts(("x", [0])),
    '{"facts": [{"text": "x", "from": [true]}]}',
)


@pytest.mark.parametrize("bad", BAD)
def test_an_extraction_that_cannot_be_used_keeps_the_batch_as_it_was_said(bad: str, tmp_path: Path) -> None:
    """One batch of three is broken: it is held raw, found, counted, and the agent goes on."""
    chat = extracting(
        lambda prompt: bad if "Lisbon" in prompt or "could not be" in prompt else facts(("Vera plays.", [1]))
    )
    agent = told(opened(tmp_path, "awe", chat, memory="bm25", ns=0), TALK[2], first=7)
    told(agent, TALK[2], first=8)
    told(agent, TALK[0])
    assert texts(agent) == ["Vera plays.", "Vera plays.", TALK[0], "I see."]
    assert isinstance(agent, PolicyAgent)
    assert isinstance(agent.store, FactStore)
    assert (agent.store.writes, agent.store.broken) == (3, 1)
    recall = agent.answer(asked("Lisbon")).recall
    assert recall is not None
    assert recall.items[0].message is not None
    assert agent.stored_from({MessageId("u0")}).items[0].text == TALK[0]


def test_a_reply_that_cannot_be_used_is_asked_for_once_more_with_what_was_wrong(tmp_path: Path) -> None:
    chat = extracting(lambda prompt: facts(("Ana lives in Lisbon.", [1])) if "once more" in prompt else "no json")
    agent = told(opened(tmp_path, "awe", chat, memory="bm25", ns=0), TALK[0])
    assert texts(agent) == ["Ana lives in Lisbon."]
    assert "not one JSON object" in chat.asked[1]


def test_where_most_extractions_broke_it_is_a_fault(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awe", extracting(lambda prompt: "no json"), memory="bm25", ns=0)
    agent.observe(one_round(0, TALK[0]))
    with pytest.raises(MalformedError, match="1 of 1 batches") as caught:
        agent.settle()
    assert caught.value.cause == "extraction_broken"
    assert texts(agent) == [TALK[0], "I see."], "and still nothing is lost"


def test_a_model_that_gives_no_reply_breaks_the_write_and_leaves_the_batch_local(tmp_path: Path) -> None:
    def gone(prompt: str) -> str:
        raise RetryableError("the model is gone")

    agent = opened(tmp_path, "awe", extracting(gone), memory="bm25", ns=0)
    with pytest.raises(RetryableError):
        agent.observe(one_round(0, TALK[0]))
    assert texts(agent) == [TALK[0], "I see."]


def test_forgetting_a_message_drops_what_came_of_it(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "awe", memory="bm25", ns=0), *TALK)
    agent.forget({MessageId("u0")})
    assert texts(agent) == ["Ana's sister Vera plays the cello."]


@pytest.mark.parametrize("memory", ["bm25", "dense", "full"])
def test_a_saved_agent_goes_on_as_the_unbroken_one(memory: str, tmp_path: Path) -> None:
    whole = told(opened(tmp_path / "whole", "awe", memory=memory), *TALK)
    whole.adopt("music")
    (tmp_path / "saved").mkdir()
    whole.save(tmp_path / "saved")
    again = opened(tmp_path / "again", "awe", memory=memory)
    again.load(tmp_path / "saved")
    for agent in (whole, again):
        told(agent, "I sing in a choir in Porto, music is my life.", "I bought a boat in May.", first=10)
        told(agent, "One.", "Two.", first=20)
    assert list(again.units()) == list(whole.units())
    assert again.policy() == "music"
    assert again.answer(asked("What music is there?")) == whole.answer(asked("What music is there?"))
