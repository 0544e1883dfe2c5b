"""A memory inside an agent is written to as its traits say, and refused where an agent cannot write to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Batch
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.engine.rows import Row
from recollect.runs.setup.rows import FedMemory, row_over

from tests.fakes.toy_systems import TOY, BufferAgent, ToyMemory

AGENT = Traits(can=frozenset(Capability), keeps="all", snapshot_deterministic=True)


@dataclass
class Noting(ToyMemory):
    """Notes the texts of each write."""

    writes: list[list[str]] = field(default_factory=list)

    def write(self, batch: Batch) -> Any:
        self.writes.append([message.text for message in batch.messages])
        return super().write(batch)


def messages(*sessions: str) -> Iterator[Message]:
    for number, session in enumerate(sessions):
        yield Message(
            message_id=MessageId(f"m{number}"),
            session_id=SessionId(session),
            text=f"text {number}",
            speaker="Ann",
            said_at="2024-03-01",
        )


def batch(*sessions: str) -> Batch:
    return Batch(messages=tuple(messages(*sessions)), text="")


def memory_row(traits: Traits = TOY, **more: Any) -> Row:
    return Row(
        label="toy",
        kind="memory",
        fingerprint={"name": "toy"},
        traits=traits,
        open_memory=lambda room: Noting(),
        **more,
    )


def agent_row(opened: list[Room] | None = None) -> Row:
    def open_it(room: Room) -> BufferAgent:
        if opened is not None:
            opened.append(room)
        return BufferAgent()

    return Row(label="agent", kind="agent", fingerprint={"name": "agent"}, traits=AGENT, open_agent=open_it)


@pytest.mark.parametrize(
    ("takes", "size", "wanted"),
    [
        (WriteUnit.MESSAGE, None, [1, 1, 1]),
        (WriteUnit.PAIR, None, [2, 1]),
        (WriteUnit.MESSAGES, 5, [2, 1]),
    ],
)
def test_a_batch_is_grouped_as_the_memory_takes_it_and_never_over_a_border(
    takes: WriteUnit, size: int | None, wanted: list[int]
) -> None:
    noting = Noting()
    FedMemory(noting, replace(TOY, takes=takes, unit_size=size)).write(batch("s1", "s1", "s2"))
    assert [len(texts) for texts in noting.writes] == wanted


def test_time_and_speaker_stand_where_the_memory_wants_them() -> None:
    noting = Noting()
    FedMemory(noting, replace(TOY, time="text", speaker="text")).write(batch("s1"))
    assert noting.writes == [["[2024-03-01] Ann: text 0"]]


@pytest.mark.parametrize(
    ("traits", "why"),
    [
        (replace(TOY, takes=WriteUnit.SESSION), "takes sessions"),
        (replace(TOY, takes=WriteUnit.WHOLE_HISTORY), "takes whole histor"),
        (replace(TOY, takes=WriteUnit.TOKENS, unit_size=9), "takes chunks of a fixed number of tokens"),
        (replace(TOY, limit="tokens"), "counts its limit in tokens"),
    ],
)
def test_a_memory_that_an_agent_cannot_use_is_refused(traits: Traits, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        row_over(agent_row(), memory_row(traits))


def test_the_agent_s_row_holds_the_memory_s() -> None:
    made = row_over(agent_row(), memory_row(gateway=True, stands_in="a fake"))
    assert made.fingerprint == {"name": "agent", "memory": {"name": "toy"}}
    assert (made.gateway, made.stands_in, made.label) == (True, "a fake", "agent")


def test_an_agent_can_and_keeps_only_what_its_memory_does_but_its_policy_is_its_own() -> None:
    weak = Traits(
        can=frozenset({Capability.LISTING}), provenance="difference", writes_when_asked=True, models_on_write=True
    )
    traits = row_over(agent_row(), memory_row(weak)).traits
    assert traits.can == {Capability.LISTING, Capability.POLICY}
    assert (traits.keeps, traits.provenance, traits.snapshot_deterministic) == ("some", "difference", False)
    assert (traits.writes_when_asked, traits.models_on_write, traits.models_on_search) == (True, True, False)


def test_the_memory_lives_in_a_folder_of_its_own_inside_the_room(tmp_path: Path) -> None:
    rooms: list[Room] = []
    made = row_over(agent_row(rooms), memory_row())
    assert made.open_agent is not None
    made.open_agent(Room(folder=tmp_path, namespace="n", seed=1))
    (room,) = rooms
    assert room.memory is not None
    opened = room.memory(room)
    opened.write(batch("s1"))
    assert (tmp_path / "memory").is_dir()


def test_a_memory_that_lacks_what_its_traits_promise_is_refused(tmp_path: Path) -> None:
    rooms: list[Room] = []
    made = row_over(agent_row(rooms), memory_row(replace(TOY, can=TOY.can | {Capability.FORGET})))
    assert made.open_agent is not None
    made.open_agent(Room(folder=tmp_path, namespace="n", seed=1))
    assert rooms[0].memory is not None
    with pytest.raises(UsageError, match="forget"):
        rooms[0].memory(rooms[0])
