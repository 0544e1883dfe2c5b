"""A registered memory inside an agent: how its row becomes part of the agent's, and how the agent's writes reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import cast

from recollect.contracts.memory import Forget, Listing, Memory, Readback, Room, Snapshot
from recollect.contracts.systems import over
from recollect.contracts.traits import Traits, WriteUnit
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.engine.feeding.feeder import feed
from recollect.engine.rows import Row
from recollect.engine.systems.validation import check_methods

FOLDER = "memory"
FEW = (WriteUnit.MESSAGE, WriteUnit.PAIR, WriteUnit.MESSAGES)
"""What a memory must take to be written to by an agent, a few messages at a time."""
REST: Mapping[WriteUnit, str] = {
    WriteUnit.SESSION: "takes sessions as a whole",
    WriteUnit.DOCUMENT: "takes documents",
    WriteUnit.TOKENS: "takes pieces of so many tokens",
    WriteUnit.WHOLE_HISTORY: "takes whole histories",
}
"""What the others take, as an error says it."""


def row_over(agent: Row, memory: Row) -> Row:
    """The row of an *agent* that writes to the system of *memory*.

    Raises:
        UsageError: That memory cannot be written to or searched as an agent does it.
    """
    traits, opened, opens = memory.traits, memory.open_memory, agent.open_agent
    if traits.takes not in FEW or traits.limit == "tokens":
        why = REST.get(traits.takes, "counts its limit in tokens")
        raise UsageError(
            f"`{agent.label}`: `{memory.label}` {why}; an agent writes a few messages at a time and asks for a number "
            "of memories. Name another `memory`, such as `bm25` or `dense`."
        )
    if opened is None or opens is None:
        raise ValueError(f"rows {agent.label!r} and {memory.label!r} are no agent and its memory")
    return replace(
        agent,
        fingerprint={**agent.fingerprint, "memory": memory.fingerprint},
        traits=over(agent.traits, traits),
        open_agent=lambda room: opens(replace(room, memory=lambda given: _opened(memory, given))),
        gateway=agent.gateway or memory.gateway,
        stands_in=agent.stands_in or memory.stands_in,
    )


def _opened(row: Row, room: Room) -> Memory:
    folder = room.folder / FOLDER
    folder.mkdir()
    opened = row.open_memory
    if opened is None:
        raise ValueError(f"row {row.label!r} opens no memory")
    memory = opened(replace(room, folder=folder, memory=None))
    check_methods(row, memory)
    return FedMemory(memory, row.traits)


@dataclass(frozen=True, slots=True)
class FedMemory:
    """A memory whose writes are grouped and worded as its traits say, as the engine does it for rows of their own."""

    memory: Memory
    traits: Traits

    def write(self, batch: Batch) -> Receipt:
        """Write session by session; the last receipt stands for all."""
        receipt = Receipt.nothing()
        for name, messages in groupby(batch.messages, key=lambda message: message.session_id):
            for fed in feed(Session(session_id=name, messages=tuple(messages)), self.traits):
                receipt = self.memory.write(fed.batch)
        return receipt

    def settle(self) -> None:
        """The memory's."""
        self.memory.settle()

    def search(self, cue: Cue) -> Recall:
        """The memory's."""
        return self.memory.search(cue)

    def close(self) -> None:
        """The memory's."""
        self.memory.close()

    def units(self) -> Iterator[Unit]:
        """The memory's, where it can list."""
        return cast("Listing", self.memory).units()

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The memory's, where it can tell."""
        return cast("Readback", self.memory).stored_from(sources)

    def save(self, folder: Path) -> None:
        """The memory's, where it can be saved."""
        cast("Snapshot", self.memory).save(folder)

    def load(self, folder: Path) -> None:
        """The memory's, where it can be saved."""
        cast("Snapshot", self.memory).load(folder)

    def forget(self, sources: Set[MessageId]) -> None:
        """The memory's, where it can forget."""
        cast("Forget", self.memory).forget(sources)
