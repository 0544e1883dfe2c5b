"""Keeps nothing: the floor, what a reader answers without any memory."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.memories.storage.message_log import KEEPS


@dataclass(frozen=True, slots=True)
class NoneConfig:
    """No settings."""


class NoneMemory:
    """Accepts every write and keeps nothing."""

    def write(self, batch: Batch) -> Receipt:  # noqa: ARG002
        return Receipt.nothing()

    def settle(self) -> None:
        """Nothing to wait for."""

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002
        return Recall()

    def close(self) -> None:
        """Nothing to close."""

    def units(self) -> Iterator[Unit]:
        return iter(())

    def stored_from(self, sources: Set[MessageId]) -> Recall:  # noqa: ARG002
        return Recall(order="time")

    def save(self, folder: Path) -> None:
        """The folder stays empty."""

    def load(self, folder: Path) -> None:
        """Nothing to restore."""

    def forget(self, sources: Set[MessageId]) -> None:
        """Nothing to drop."""


KIND = MemoryKind(
    name="none",
    version=1,
    summary="keeps nothing: what the reader answers without a memory",
    config=NoneConfig,
    traits=lambda _: Traits(can=KEEPS, snapshot_deterministic=True, holds_nothing=True),
    open=lambda _config, _room: NoneMemory(),
)
