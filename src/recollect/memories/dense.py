"""Ranks messages by the likeness of their vectors to the cue's."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog, stored


@dataclass(frozen=True, slots=True)
class DenseConfig:
    """How messages are embedded."""

    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""

    def __post_init__(self) -> None:
        if self.piece_tokens < 1:
            raise ValueError(f"piece_tokens starts at 1, got {self.piece_tokens}")


@dataclass
class DenseMemory(EmbeddedMemory):
    """The nearest messages, best first; some are always nearest, so only an empty cue or memory finds nothing."""

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch; it is embedded with others by `settle`."""
        self.log.append(batch.messages)
        return stored(batch.messages)

    def search(self, cue: Cue) -> Recall:
        """The nearest messages that were settled."""
        if not cue.text.strip() or cue.limit < 1:
            return Recall()
        found = self.dense.search(self.dense.vector(cue.text), cue.limit)
        return Recall.of_messages((self.log[place] for place, _ in found), scores=[score for _, score in found])


def _traits(_: DenseConfig) -> Traits:
    return replace(WITH_MODELS, score="similarity")


def _open(config: DenseConfig, room: Room) -> Memory:
    from recollect.memories.storage.dense_index import DenseLogIndex

    part = DenseLogIndex.open(room, "dense", piece_tokens=config.piece_tokens)
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
