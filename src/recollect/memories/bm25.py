"""Ranks messages by BM25 over stems: the baseline that every other search must beat."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog
from recollect.memories.storage.sparse_index import SparseLogIndex


@dataclass(frozen=True, slots=True)
class Bm25Config:
    """What is indexed of a message."""

    previous: bool = False
    """Index each message together with the one before it in its session; it is still shown alone."""


@dataclass
class Bm25Memory(LoggedMemory):
    """Messages that share a word with the cue, best first; equal scores in the order of writing."""

    sparse: SparseLogIndex

    def write(self, batch: Batch) -> Receipt:
        receipt = super().write(batch)
        self.sparse.append(batch.messages)
        return receipt

    def settle(self) -> None:
        super().settle()
        self.sparse.commit()

    def search(self, cue: Cue) -> Recall:
        return self.ranked(self.sparse.search(cue.text, cue.limit))

    def close(self) -> None:
        self.sparse.close()

    def save(self, folder: Path) -> None:
        super().save(folder)
        self.sparse.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.sparse.load(folder, list(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources* and index the rest again, as if they had never been written."""
        if self.log.forget(sources):
            self.sparse.become(list(self.log))


KIND = MemoryKind(
    name="bm25",
    version=1,
    summary="messages ranked by the words they share with the cue",
    config=Bm25Config,
    traits=lambda _: Traits(can=KEEPS, keeps="all", score="similarity"),
    open=lambda config, room: Bm25Memory(
        MessageLog(room.folder), SparseLogIndex(room.folder, previous=config.previous)
    ),
)
