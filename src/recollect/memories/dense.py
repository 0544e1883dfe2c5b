"""Ranks messages by the likeness of their vectors to the cue's."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.domain.exchange import Cue, Recall
from recollect.memories.prompt_files import check_counts
from recollect.memories.storage.message_log import WITH_MODELS, EmbeddedMemory, MessageLog


@dataclass(frozen=True, slots=True)
class DenseConfig:
    """How messages are embedded."""

    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""

    def __post_init__(self) -> None:
        check_counts(self, "piece_tokens")


@dataclass
class DenseMemory(EmbeddedMemory):
    """The nearest messages, best first; some are always nearest, so only an empty cue or memory finds nothing."""

    def search(self, cue: Cue) -> Recall:
        if not cue.text.strip() or cue.limit < 1:
            return Recall()
        return self.ranked(self.dense.search(self.dense.vector(cue.text), cue.limit))


def _open(config: DenseConfig, room: Room) -> Memory:
    from recollect.memories.storage.dense_index import DenseLogIndex

    dense = DenseLogIndex(room, "dense", piece_tokens=config.piece_tokens)
    return DenseMemory(MessageLog(room.folder), dense)


KIND = MemoryKind(
    name="dense",
    version=1,
    summary="messages ranked by the likeness of their vectors to the cue's",
    config=DenseConfig,
    traits=lambda _: replace(WITH_MODELS, score="similarity"),
    open=_open,
    needs=("embedder",),
)
