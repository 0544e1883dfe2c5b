"""Keeps everything and shows all of it: as much of the history as the reader can read at once."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog, stored


@dataclass(frozen=True, slots=True)
class FullConfig:
    """There is nothing to set."""


@dataclass
class FullMemory(LoggedMemory):
    """Shows the whole history in the order of writing, whatever is asked.

    The recall is made once after a write and is the same object for every question.
    """

    _all: Recall | None = field(default=None, init=False)

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch."""
        self.log.append(batch.messages)
        self._all = None
        return stored(batch.messages)

    def settle(self) -> None:
        """Make the recall, so that no question waits for it."""
        self.log.flush()
        self._everything()

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002 - the same for every cue
        """Everything; the harness cuts it from the front to what the reader can read."""
        return self._everything()

    def save(self, folder: Path) -> None:
        """Copy the log."""
        self.log.save(folder)

    def load(self, folder: Path) -> None:
        """Take over a copy of the log."""
        self.log.load(folder)
        self._all = None

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*."""
        self.log.forget(sources)
        self._all = None

    def _everything(self) -> Recall:
        if self._all is None:
            self._all = Recall.of_messages(self.log, order="time")
        return self._all


def _traits(_: FullConfig) -> Traits:
    return Traits(can=KEEPS, keeps="all", limit="fixed", bound="window", snapshot_deterministic=True)


def _open(_: FullConfig, room: Room) -> Memory:
    return FullMemory(MessageLog(room.folder))


KIND = MemoryKind(
    name="full",
    version=1,
    summary="the whole history, cut from the front to what the reader can read at once",
    config=FullConfig,
    traits=_traits,
    open=_open,
)
