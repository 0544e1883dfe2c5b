"""Keeps nothing: the floor, what a reader answers without any memory."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS


@dataclass(frozen=True, slots=True)
class NoneConfig:
    """There is nothing to set."""


class NoneMemory:
    """Takes everything and keeps nothing."""

    def write(self, batch: Batch) -> Receipt:  # noqa: ARG002 - nothing is looked at
        """Let the batch pass by."""
        return Receipt.nothing()

    def settle(self) -> None:
        """There is nothing to wait for."""

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002 - nothing is looked at
        """Nothing."""
        return Recall()

    def close(self) -> None:
        """There is nothing to let go of."""

    def units(self) -> Iterator[Unit]:
        """None."""
        return iter(())

    def stored_from(self, sources: Set[MessageId]) -> Recall:  # noqa: ARG002 - nothing is looked at
        """Nothing."""
        return Recall(order="time")

    def save(self, folder: Path) -> None:
        """An empty folder says it all."""

    def load(self, folder: Path) -> None:
        """There is nothing to bring back."""

    def forget(self, sources: Set[MessageId]) -> None:
        """It has forgotten already."""


def _traits(_: NoneConfig) -> Traits:
    return Traits(can=KEEPS, snapshot_deterministic=True, holds_nothing=True)


def _open(_config: NoneConfig, _room: Room) -> Memory:
    return NoneMemory()


KIND = MemoryKind(
    name="none",
    version=1,
    summary="keeps nothing: what the reader answers without a memory",
    config=NoneConfig,
    traits=_traits,
    open=_open,
)
