"""A log whose messages are embedded one by one: what the memories have in common that keep nothing else."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.ids import MessageId
from recollect.memories.message_log import LoggedMemory

if TYPE_CHECKING:
    from recollect.memories.dense_part import DensePart


@dataclass
class EmbeddedMemory(LoggedMemory):
    """Messages and their vectors; how they are searched is a memory's own."""

    dense: DensePart

    def settle(self) -> None:
        """Embed what is new."""
        self.log.flush()
        self.dense.add(enumerate(self.log))

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
