"""Ranks messages by words and by vectors together: the sum of the z-scores of both.

Up to a size `settle` embeds every message. In longer histories only the best messages of the search by words are
embedded, at the question, and kept for later questions: embedding all would cost more than it gives.
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
from recollect.memories.prompt_files import check_counts
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog
from recollect.memories.storage.sparse_index import SparseLogIndex
from recollect.text.tokens import count

if TYPE_CHECKING:
    from recollect.memories.storage.dense_index import DenseLogIndex


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
        check_counts(self, "piece_tokens")
        check_counts(self, "lazy_above_tokens", least=0)


@dataclass
class HybridMemory(LoggedMemory):
    """The best messages by both rankings, best first; equal sums in the order of writing."""

    config: HybridConfig
    sparse: SparseLogIndex
    dense: DenseLogIndex
    _tokens: int = field(default=0, init=False)

    def write(self, batch: Batch) -> Receipt:
        receipt = super().write(batch)
        self.sparse.append(batch.messages)
        self._tokens += sum(count(message.text) for message in batch.messages)
        return receipt

    def settle(self) -> None:
        """Commit the index, and embed what is new unless the history is too long for that."""
        super().settle()
        self.sparse.commit()
        if not self._is_lazy:
            self.dense.add(enumerate(self.log))

    def search(self, cue: Cue) -> Recall:
        from recollect.index.fusion import DEPTH, fuse

        if not cue.text.strip() or cue.limit < 1:
            return Recall()
        by_words, vector = self.sparse.search(cue.text, DEPTH), self.dense.vector(cue.text)
        if self._is_lazy:
            places = [place for place, _ in by_words]
            self.dense.add((place, self.log[place]) for place in places)
            by_meaning = self.dense.near(vector, places)
        else:
            by_meaning = self.dense.search(vector, DEPTH)
        return self.ranked(fuse(by_words, by_meaning, cue.limit))

    def close(self) -> None:
        self.sparse.close()

    def save(self, folder: Path) -> None:
        """Copy log and index, and the vectors of a short history."""
        self.settle()
        super().save(folder)
        self.sparse.save(folder)
        if not self._is_lazy:
            self.dense.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.sparse.load(folder, list(self.log))
        self._count()
        if not self._is_lazy:
            self.dense.load(folder, self.log)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*, and index and embed the rest again, so that no trace of them stays."""
        if self.log.forget(sources):
            self.sparse.become(list(self.log))
            self.dense.clear()
            self._count()
            self.settle()

    def _count(self) -> None:
        self._tokens = sum(count(message.text) for message in self.log)

    @property
    def _is_lazy(self) -> bool:
        return self._tokens > self.config.lazy_above_tokens


def _open(config: HybridConfig, room: Room) -> Memory:
    from recollect.memories.storage.dense_index import DenseLogIndex

    dense = DenseLogIndex(room, "hybrid", piece_tokens=config.piece_tokens)
    sparse = SparseLogIndex(room.folder, previous=config.previous)
    return HybridMemory(MessageLog(room.folder), config, sparse, dense)


KIND = MemoryKind(
    name="hybrid",
    version=1,
    summary="messages ranked by words and vectors together",
    config=HybridConfig,
    traits=lambda _: Traits(can=KEEPS, keeps="all", score="similarity", models_on_write=True, models_on_search=True),
    open=_open,
    needs=("embedder",),
)
