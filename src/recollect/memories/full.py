"""Keeps everything and shows all of it: as much of the history as the reader can read at once."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog


@dataclass(frozen=True, slots=True)
class FullConfig:
    """No settings."""


@dataclass
class FullMemory(LoggedMemory):
    """Shows the whole history in the order of writing, whatever the question."""

    _recall: Recall | None = field(default=None, init=False)
    """The same object for every question after a write."""

    def write(self, batch: Batch) -> Receipt:
        self._recall = None
        return super().write(batch)

    def settle(self) -> None:
        """Make the recall, so that no question waits for it."""
        super().settle()
        self._recall = self._recall or Recall.of_messages(self.log, order="time")

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002 - the same for every cue
        """Everything; the harness cuts it from the front to what the reader can read."""
        self._recall = self._recall or Recall.of_messages(self.log, order="time")
        return self._recall

    def load(self, folder: Path) -> None:
        super().load(folder)
        self._recall = None

    def forget(self, sources: Set[MessageId]) -> None:
        super().forget(sources)
        self._recall = None


KIND = MemoryKind(
    name="full",
    version=1,
    summary="the whole history, cut from the front to what the reader can read at once",
    config=FullConfig,
    traits=lambda _: Traits(can=KEEPS, keeps="all", limit="fixed", bound="window", snapshot_deterministic=True),
    open=lambda _, room: FullMemory(MessageLog(room.folder)),
)
