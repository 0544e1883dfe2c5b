"""Third-party systems as they are, each in its own environment, offline: they store, find, keep, and leave no trace.

What they find says nothing about them, for rules stand in for their models. It says that the way there and back works.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import registry
from recollect.cli.gateways import chatting_of, serving
from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability, Traits
from recollect.domain.errors import MissingExtraError
from recollect.domain.exchange import Cue
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.engine.feeding.feeder import feed
from recollect.gateway.embeddings import EmbedderEmbedding
from recollect.gateway.server import GatewayServer
from recollect.memories.worker.installations import versions_of
from recollect.memories.worker.memory import WorkerMemory
from recollect.offline.embedder.model import Embedder

pytestmark = pytest.mark.systems

TOLD = ("My cat Rex is grey.", "I moved to Lisbon in May.", "My sister Clara is a nurse in Oslo.", "I sold my car.")
CUE = Cue(text="Where does the sister Clara work as a nurse?", limit=2)
HISTORY = [
    Session(
        session_id=SessionId(f"s{n}"),
        messages=(
            Message(
                message_id=MessageId(f"m{n}"),
                session_id=SessionId(f"s{n}"),
                text=text,
                speaker="Ann",
                said_at=f"2024-03-0{n + 1}T09:30",
            ),
        ),
    )
    for n, text in enumerate(TOLD)
]


class Idle:
    """A work of no occasion: nothing here is noted or paid for."""

    def occasion(self) -> CallContext | None:
        return None


@pytest.fixture(scope="module")
def gateway() -> Iterator[GatewayServer]:
    """Rules for chats, the bundled weights for vectors."""
    try:
        embedding = EmbedderEmbedding(Embedder())
    except MissingExtraError as error:
        pytest.skip(str(error))
    server = GatewayServer(chatting_of(None), embedding)
    with serving(server):
        yield server


@pytest.fixture(params=sorted(registry.SYSTEMS))
def kind(request: pytest.FixtureRequest) -> MemoryKind:
    """A system whose environment is there."""
    found = registry.memory(request.param)
    assert found.environment is not None
    try:
        versions_of(found.environment)
    except MissingExtraError as error:
        pytest.skip(f"systems: {error}")
    return found


@pytest.fixture
def opened(kind: MemoryKind, gateway: GatewayServer, tmp_path: Path) -> Iterator[list[WorkerMemory]]:
    """Two of them, in rooms of their own."""
    made: list[WorkerMemory] = []
    try:
        for number in range(2):
            folder = tmp_path / f"room{number}"
            folder.mkdir()
            room = Room(folder=folder, namespace=f"n{number}", seed=7, access=gateway.open(Idle()))
            memory = kind.open(kind.config(), room)
            assert isinstance(memory, WorkerMemory)
            made.append(memory)
        yield made
    finally:
        for memory in made:
            memory.close()


def tell(memory: WorkerMemory, traits: Traits) -> None:
    """Feed the whole history."""
    for session in HISTORY:
        for fed in feed(session, traits):
            memory.write(fed.batch)
    memory.settle()


def test_a_real_system_finds_what_it_was_told_and_no_other_room_does(
    kind: MemoryKind, opened: list[WorkerMemory], tmp_path: Path
) -> None:
    """Written, found, read back by its source, saved, taken over by another; apart the whole time."""
    traits, (one, other) = kind.traits(kind.config()), opened
    tell(one, traits)
    found = one.search(CUE)
    assert "Clara" in found.items[0].text
    assert MessageId("m2") in found.items[0].sources
    assert list(other.units()) == []
    assert any("Clara" in item.text for item in one.stored_from({MessageId("m2")}).items)
    saved = tmp_path / "saved"
    saved.mkdir()
    held = list(one.units())
    one.save(saved)
    other.load(saved)
    assert list(other.units()) == held == list(one.units())
    assert [item.unit_id for item in other.search(CUE).items] == [item.unit_id for item in found.items]


def test_the_same_history_gives_the_same_names_and_order(kind: MemoryKind, opened: list[WorkerMemory]) -> None:
    """So that a step that is done again does what its record says."""
    traits, (one, other) = kind.traits(kind.config()), opened
    tell(one, traits)
    tell(other, traits)
    assert list(one.units()) == list(other.units())
    assert one.search(CUE) == other.search(CUE)


def test_what_a_real_system_is_told_to_forget_is_gone(kind: MemoryKind, opened: list[WorkerMemory]) -> None:
    """Where it can forget."""
    traits, memory = kind.traits(kind.config()), opened[0]
    if Capability.FORGET not in traits.can:
        pytest.skip("systems: it cannot forget")
    tell(memory, traits)
    memory.forget({MessageId("m2")})
    assert not any("Clara" in unit.text for unit in memory.units())
    assert not any("Clara" in item.text for item in memory.search(CUE).items)
