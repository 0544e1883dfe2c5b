"""Ranks messages by words and by vectors together: the sum of the z-scores of both.

Up to a size every message is embedded when it is settled. Above it only the best that the words find are embedded, at
the question, and kept for later questions: embedding all would cost more than it gives.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog, stored
from recollect.memories.storage.sparse_index import SparseLogIndex
from recollect.text.tokens import count

if TYPE_CHECKING:
    from recollect.memories.storage.dense_index import DenseLogIndex

Hits = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """What is indexed and embedded of a message."""

    previous: bool = False
    """Search each message by words together with the one before it in its session; it is still shown alone."""
    piece_tokens: int = 128
    """A longer message is embedded in pieces of at most so many tokens; the nearest piece counts."""
    lazy_above_tokens: int = 1_000_000
    """Histories with more tokens of text are embedded at the question only."""

    def __post_init__(self) -> None:
        if self.piece_tokens < 1:
            raise ValueError(f"piece_tokens starts at 1, got {self.piece_tokens}")
        if self.lazy_above_tokens < 0:
            raise ValueError(f"lazy_above_tokens starts at 0, got {self.lazy_above_tokens}")


@dataclass
class HybridMemory(LoggedMemory):
    """The best messages by both rankings, best first; equal sums in the order of writing."""

    config: HybridConfig
    sparse: SparseLogIndex
    dense: DenseLogIndex
    _tokens: int = field(default=0, init=False)

    def write(self, batch: Batch) -> Receipt:
        """Keep and index the batch; it is embedded with others by `settle`."""
        self.log.append(batch.messages)
        self.sparse.append(batch.messages)
        self._tokens += sum(count(message.text) for message in batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        """Commit the index, and embed what is new unless the history is too long for that."""
        self.log.flush()
        self.sparse.commit()
        if not self._is_lazy:
            self.dense.add(enumerate(self.log))

    def search(self, cue: Cue) -> Recall:
        """The best messages that were settled."""
        from recollect.index.fusion import DEPTH, fuse

        if not cue.text.strip() or cue.limit < 1:
            return Recall()
        by_words = self.sparse.search(cue.text, DEPTH)
        found = fuse(by_words, self._by_meaning(cue.text, by_words, DEPTH), cue.limit)
        return Recall.of_messages((self.log[place] for place, _ in found), scores=[score for _, score in found])

    def close(self) -> None:
        """Let go of the index."""
        self.sparse.close()

    def save(self, folder: Path) -> None:
        """Copy log and index, and the vectors unless they are made at the question anyway."""
        self.settle()
        self.log.save(folder)
        self.sparse.save(folder)
        if not self._is_lazy:
            self.dense.save(folder)

    def load(self, folder: Path) -> None:
        """Take over copies of log, index and vectors."""
        self.log.load(folder)
        self.sparse.load(folder, list(self.log))
        self._count()
        if not self._is_lazy:
            self.dense.load(folder, self.log)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*, and index and embed the rest anew, so that no trace of them stays."""
        if self.log.forget(sources):
            self.sparse.become(list(self.log))
            self.dense.clear()
            self._count()
            self.settle()

    @property
    def _is_lazy(self) -> bool:
        return self._tokens > self.config.lazy_above_tokens

    def _count(self) -> None:
        self._tokens = sum(count(message.text) for message in self.log)

    def _by_meaning(self, cue: str, by_words: Hits, depth: int) -> Hits:
        vector = self.dense.vector(cue)
        if not self._is_lazy:
            return self.dense.search(vector, depth)
        places = [place for place, _ in by_words]
        self.dense.add((place, self.log[place]) for place in places)
        return self.dense.near(vector, places)


def _traits(_: HybridConfig) -> Traits:
    return Traits(can=KEEPS, keeps="all", score="similarity", models_on_write=True, models_on_search=True)


def _open(config: HybridConfig, room: Room) -> Memory:
    from recollect.memories.storage.dense_index import DenseLogIndex

    dense = DenseLogIndex.open(room, "hybrid", piece_tokens=config.piece_tokens)
    sparse = SparseLogIndex(room.folder, previous=config.previous)
    return HybridMemory(MessageLog(room.folder), config, sparse, dense)


KIND = MemoryKind(
    name="hybrid",
    version=1,
    summary="messages ranked by words and vectors together",
    config=HybridConfig,
    traits=_traits,
    open=_open,
    needs=("embedder",),
)
