"""Ranks messages by the likeness of their vectors to the cue's."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.message_log import KEEPS, LoggedMemory, MessageLog, stored

if TYPE_CHECKING:
    from recollect.memories.dense_part import DensePart


@dataclass(frozen=True, slots=True)
class DenseConfig:
    """How messages are embedded."""

    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""

    def __post_init__(self) -> None:
        if self.piece_tokens < 1:
            raise ValueError(f"piece_tokens starts at 1, got {self.piece_tokens}")


@dataclass
class DenseMemory(LoggedMemory):
    """The nearest messages, best first; some are always nearest, so only an empty cue or memory finds nothing."""

    dense: DensePart

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch; it is embedded with others by `settle`."""
        self.log.append(batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        """Embed what is new."""
        self.log.flush()
        self.dense.add(enumerate(self.log))

    def search(self, cue: Cue) -> Recall:
        """The nearest messages that were settled."""
        if not cue.text.strip() or cue.limit < 1:
            return Recall()
        found = self.dense.search(self.dense.vector(cue.text), cue.limit)
        return Recall.of_messages((self.log[place] for place, _ in found), scores=[score for _, score in found])

    def save(self, folder: Path) -> None:
        """Copy log and vectors."""
        self.settle()
        self.log.save(folder)
        self.dense.save(folder)

    def load(self, folder: Path) -> None:
        """Take over copies of log and vectors."""
        self.log.load(folder)
        self.dense.load(folder, self.log)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources* and embed the rest anew, so that no trace of them stays."""
        if self.log.forget(sources):
            self.dense.clear()
            self.settle()


def _traits(_: DenseConfig) -> Traits:
    return Traits(
        can=KEEPS,
        keeps="all",
        score="similarity",
        models_on_write=True,
        models_on_search=True,
        snapshot_deterministic=True,
    )


def _open(config: DenseConfig, room: Room) -> Memory:
    from recollect.memories.dense_part import DensePart

    part = DensePart.open(room, "dense", piece_tokens=config.piece_tokens)
    return DenseMemory(MessageLog(room.folder), part)


KIND = MemoryKind(
    name="dense",
    version=1,
    summary="messages ranked by the likeness of their vectors to the cue's",
    config=DenseConfig,
    traits=_traits,
    open=_open,
    needs=("embedder",),
)
