"""Frozen results of AMemGym's agents: what is written when, what stays local, how notes merge and memories are ordered.

Where ours differs on purpose, the case is named in `DEVIATIONS` with the effect.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.models import Turn
from recollect.domain.exchange import RecallItem
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.judging.parsing import Unusable, one_object
from recollect.memories.agents.agent import BufferedAgent, check_buffer
from recollect.memories.agents.memory_stores import in_time
from recollect.memories.agents.notebook import Note, Notes, labelled
from recollect.memories.agents.responders import turns_of

from tests.unit.memories.agents.written import Recorder

DATA = os.environ.get("RECOLLECT_DATA")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not DATA, reason="RECOLLECT_DATA names no folder with the source data"),
]
Case = dict[str, Any]

REFUSED = {
    **{f"buffer-0{number}": "a batch of 1: the local list grows for ever" for number in (17, 18, 25, 26)},
    **{f"buffer-0{number}": "a batch of 0: empty batches are written, nothing leaves" for number in (29, 30, 31, 32)},
    "buffer-033": "a negative local length: the same as 0 is said in a way that cannot be meant",
    "buffer-034": "the same",
}
"""Settings that ours refuses."""
DEVIATIONS = {
    **REFUSED,
    "buffer-051": "rounds of 1, 3 and 0 messages: the reference raises and loses them, ours takes them as they come",
    "buffer-054": "the same",
    "buffer-055": "a role that is unknown: the reference raises and loses the batch, ours writes it",
    "awi_merge-065": "JSON in a fence: the reference ends the run, ours reads it",
    "awi_merge-066": "a label twice in one reply: the reference takes the last, ours asks again",
    "awi_merge-069": "a blank label: the reference keeps it, ours asks again",
    "memory_text-074": "the reference drops parts of a second, so such times are equal; ours are in order",
    "memory_text-076": "the reference passes over time zones; ours go by the instant where all times have one",
    "memory_text-078": "no time: the reference raises, ours go by the order of writing",
    "memory_text-079": "the same",
}


@cache
def fixture() -> list[Case]:
    path = Path(str(DATA)) / "parity" / "amemgym_buffer.json"
    found: list[Case] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def cases(kind: str) -> Iterator[Case]:
    """The cases of a kind that are not named as deviations."""
    found = [case for case in fixture() if case["kind"] == kind]
    assert found, f"no case of {kind}"
    yield from (case for case in found if case["id"] not in DEVIATIONS)


def case_of(name: str) -> Case:
    return next(case for case in fixture() if case["id"] == name)


def message(name: str, text: str, role: str) -> Message:
    return Message(message_id=MessageId(name), session_id=SessionId("s"), text=text, role=role)  # type: ignore[arg-type]


def rounds_of(case: Case) -> list[list[Message]]:
    roles = case["input"].get("roles", ("user", "assistant"))
    return [
        [message(f"r{number}-{place}", text, roles[place % 2]) for place, text in enumerate(texts)]
        for number, texts in enumerate(case["input"]["rounds"])
    ]


def marked(case: Case, batch: Sequence[Message]) -> list[str]:
    marks = {"user": "USER INPUT: ", "assistant": "ASSISTANT RESPONSE: "}
    return [f"{marks[m.role] if case['input']['agent'] == 'mem0' else ''}{m.text}" for m in batch]


def test_all_of_the_87_cases_are_of_a_kind_that_is_compared() -> None:
    assert len(fixture()) == 87
    assert {case["kind"] for case in fixture()} == {"buffer", "awi_merge", "memory_text"}
    assert DEVIATIONS.keys() <= {case["id"] for case in fixture()}


def test_batches_are_written_when_the_reference_writes_them() -> None:
    compared = 0
    for case in cases("buffer"):
        if case["input"]["agent"] == "native":
            continue
        recorder = Recorder()
        agent = BufferedAgent(
            store=recorder,
            responder=recorder,
            freq=case["input"]["update_bsz"],
            ns=case["input"]["local_length"],
            topk=1,
            keeps_all=True,
        )
        for held, wanted in zip(rounds_of(case), case["expected"]["value"]["rounds"], strict=True):
            recorder.batches.clear()
            recorder.hold(agent, held, by_reply=case["input"]["mode"] == "act")
            assert [marked(case, batch) for batch in recorder.batches] == (
                [wanted["written"]] if wanted["written"] is not None else []
            ), case["id"]
            assert [m.text for m in agent.local] == wanted["local"], case["id"]
        assert roles((), agent.local) == case["expected"]["value"]["question_prompt_roles"], case["id"]
        compared += 1
    assert compared == 43


def roles(memories: Sequence[RecallItem] | None, talk: Sequence[Message]) -> list[str]:
    return [turn.role for turn in turns_of("answer", memories, talk, Turn(role="user", text="?"))]


def test_the_native_agent_sends_the_whole_talk_and_no_system_text() -> None:
    for case in (case for case in cases("buffer") if case["input"]["agent"] == "native"):
        talk: list[Message] = []
        for held, wanted in zip(rounds_of(case), case["expected"]["value"]["rounds"], strict=True):
            talk += held
            assert (wanted["written"], [m.text for m in talk]) == (None, wanted["local"]), case["id"]
        assert roles(None, talk) == case["expected"]["value"]["question_prompt_roles"], case["id"]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_settings_under_which_the_reference_goes_wrong_are_refused(name: str) -> None:
    said = case_of(name)["input"]
    with pytest.raises(ValueError, match=r"freq starts at 2|ns starts at 0"):
        check_buffer(said["update_bsz"], said["local_length"])


def test_a_round_that_is_no_pair_is_taken_as_it_comes() -> None:
    """Eight messages in rounds of 2, 1, 3, 0 and 2: the reference has lost four of them."""
    for name in ("buffer-051", "buffer-054"):
        case, recorder = case_of(name), Recorder()
        agent = BufferedAgent(store=recorder, responder=recorder, freq=2, ns=2, topk=1, keeps_all=True)
        for held in rounds_of(case):
            recorder.hold(agent, held, by_reply=False)
        kept = [m for batch in recorder.batches for m in batch] + agent.local
        assert [m.text for m in kept] == [text for texts in case["input"]["rounds"] for text in texts]
        last = case["expected"]["value"]["rounds"][-1]
        assert len(kept) - len(last["written"]) - len(last["local"]) == 4


def test_a_role_that_the_reference_does_not_know_is_written_like_any_other() -> None:
    """To `rag` a system message is one like any other; `awe` and `awi` take it as names of what to keep."""
    case, recorder = case_of("buffer-055"), Recorder()
    agent = BufferedAgent(store=recorder, responder=recorder, freq=2, ns=0, topk=1, keeps_all=True)
    for held in rounds_of(case):
        recorder.hold(agent, held, by_reply=False)
    assert [[m.text for m in batch] for batch in recorder.batches] == case["input"]["rounds"]
    assert {wanted["error"] for wanted in case["expected"]["value"]["rounds"]} == {"ValueError"}


def test_notes_merge_as_in_the_reference() -> None:
    """A value that is no text is kept as its JSON; the reference keeps it as it is."""
    for case in cases("awi_merge"):
        notes = Notes()
        for reply, wanted in zip(case["input"]["replies"], case["expected"]["value"], strict=True):
            said = one_object(reply)
            assert isinstance(said, Unusable) == ("error" in wanted), case["id"]
            if not isinstance(said, Unusable):
                notes.merge([Note(label=k, value=v, sources=(), said_at=None) for k, v in labelled(said).items()])
            assert [(n.label, n.value, n.written) for n in notes.by_label.values()] == [
                (n["label"], n["value"] if isinstance(n["value"], str) else json.dumps(n["value"]), n["step"])
                for n in wanted["memory"]
            ], case["id"]


@pytest.mark.parametrize("name", ["awi_merge-066", "awi_merge-069"])
def test_replies_that_ours_asks_for_again(name: str) -> None:
    (reply,) = case_of(name)["input"]["replies"]
    said = one_object(reply)
    if not isinstance(said, Unusable):
        with pytest.raises(ValueError, match="blank"):
            labelled(said)


def test_a_fenced_reply_is_read() -> None:
    (reply,) = case_of("awi_merge-065")["input"]["replies"]
    assert one_object(reply) == {"a": 1}


def items(case: Case) -> list[RecallItem]:
    return [
        RecallItem(text=one["memory"], sources=(), said_at=one["updated_at"] or one["created_at"])
        for one in case["input"]["memories"]
    ]


def shown(case: Case) -> str:
    return "\n".join(f"- {item.text}" for item in in_time(items(case), lambda _: 0))


def test_memories_are_shown_in_the_order_of_the_reference() -> None:
    for case in cases("memory_text"):
        assert shown(case) == case["expected"]["value"], case["id"]


def test_times_are_compared_to_the_part_of_a_second_and_by_their_instant() -> None:
    assert shown(case_of("memory_text-074")) == "- tie0\n- tie1"
    assert shown(case_of("memory_text-076")) == "- zone a\n- zone b"
    assert shown(case_of("memory_text-079")) == "- none\n- x"
