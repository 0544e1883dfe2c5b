"""`awi` holds labelled notes that are always shown; a label that comes again gets the new value and time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.domain.errors import MalformedError
from recollect.domain.exchange import Batch
from recollect.domain.ids import MessageId

from tests.unit.memories.agents.opening import Able, asked, one_round, opened, said, texts, told
from tests.unit.memories.agents.test_awe import extracting
from tests.unit.memories.published.scripted_chat import between

MOVES = ("I live in Lisbon.", "I bought a boat in May.", "I live in Porto now.")


def shown(agent: Able) -> list[str]:
    recall = agent.answer(asked("Anything at all?")).recall
    return [item.text for item in recall.items] if recall else []


def test_by_rules_a_new_value_of_the_same_slot_replaces_the_old_one_and_is_the_newest(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awi", ns=0)
    told(agent, *MOVES)
    assert shown(agent) == ["Ana bought a boat in May.", "Ana lives in Porto now."]
    assert [unit.sources for unit in agent.units()] == [("u1",), ("u2",)]


def test_a_variable_that_a_system_message_names_holds_one_value(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awi", ns=0)
    system = said(99, "Keep track of: workout_time, diet", "system")
    agent.observe(Batch(messages=(system,), text=system.text))
    told(agent, "My workout happens in the mornings.", "I do my workout in the evenings now.")
    assert shown(agent) == ["workout time: Ana does Ana's workout in the evenings now."]


def test_all_notes_are_shown_whatever_is_asked_and_the_talk_behind_them(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "awi", ns=2), *MOVES)
    assert shown(agent) == [
        "Ana lives in Lisbon.",
        "Ana bought a boat in May.",
        MOVES[2],
        "I see.",
    ]


def test_a_policy_changes_what_is_noted(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awi", ns=0)
    agent.adopt("boats")
    told(agent, *MOVES)
    assert shown(agent) == ["Ana bought a boat in May."]


def test_a_model_s_object_is_merged_over_the_notes(tmp_path: Path) -> None:
    replies = iter([notes(job="nurse", pets="none"), notes(), notes(job="baker", age=31)])
    chat = extracting(lambda prompt: next(replies))
    agent = told(opened(tmp_path, "awi", chat, ns=0), *MOVES)
    assert shown(agent) == ["pets: none", "job: baker", "age: 31"]
    assert between("entries", chat.asked[2]) == "- job: nurse\n- pets: none"
    by_text = {unit.text: unit for unit in agent.units()}
    assert (by_text["job: baker"].sources, by_text["job: baker"].said_at) == (("u2", "a2"), "2024-03-02T10:00")


def notes(**by_label: object) -> str:
    """What a model replies."""
    return json.dumps({"notes": [{"label": label, "text": text} for label, text in by_label.items()]})


@pytest.mark.parametrize("bad", ["sorry", "[]", '{"a": "1"}', '{"notes": ["a"]}', notes(**{" ": "x"}), "null"])
def test_a_reply_that_cannot_be_used_keeps_the_batch_aside(bad: str, tmp_path: Path) -> None:
    chat = extracting(lambda p: bad if "boat" in p.split("<messages>")[-1] or "once more" in p else notes(job="x"))
    agent = told(opened(tmp_path, "awi", chat, ns=0), *MOVES[:2])
    assert shown(agent) == ["job: x", MOVES[1], "I see."]
    told(agent, MOVES[2], first=2)
    assert shown(agent) == [MOVES[1], "I see.", "job: x"]
    agent.forget({MessageId("u1")})
    assert shown(agent) == ["I see.", "job: x"]


def test_where_most_replies_cannot_be_used_it_is_a_fault(tmp_path: Path) -> None:
    agent = opened(tmp_path, "awi", extracting(lambda prompt: "sorry"), ns=0)
    agent.observe(one_round(0, MOVES[0]))
    with pytest.raises(MalformedError, match="1 of 1"):
        agent.settle()


def test_readback_gives_the_notes_that_came_of_messages(tmp_path: Path) -> None:
    agent = told(opened(tmp_path, "awi", ns=2), *MOVES)
    found = agent.stored_from({MessageId("u1"), MessageId("u2")})
    assert [item.text for item in found.items] == ["Ana bought a boat in May.", MOVES[2]]
    agent.forget({MessageId("u1")})
    assert texts(agent) == ["Ana lives in Lisbon.", MOVES[2], "I see."]


def test_a_saved_agent_goes_on_as_the_unbroken_one(tmp_path: Path) -> None:
    replies = {"Lisbon": notes(job="nurse"), "boat": "broken", "Porto": notes(job="baker")}

    def say(prompt: str) -> str:
        batch = prompt.rsplit("<messages>", maxsplit=1)[-1]
        return next((reply for word, reply in replies.items() if word in batch), "broken")

    whole = told(opened(tmp_path / "whole", "awi", extracting(say), ns=0), *MOVES[:2])
    whole.adopt("work")
    saved = [tmp_path / name for name in ("one", "two")]
    for folder in saved:
        folder.mkdir()
        whole.save(folder)
    again = opened(tmp_path / "again", "awi", extracting(say), ns=0)
    again.load(saved[0])
    for agent in (whole, again):
        told(agent, MOVES[2], first=2)
    assert list(again.units()) == list(whole.units())
    assert (shown(again), again.policy()) == (shown(whole), "work")
    assert {f.name: f.read_bytes() for f in saved[0].iterdir()} == {f.name: f.read_bytes() for f in saved[1].iterdir()}
