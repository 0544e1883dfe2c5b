"""One interface to memories and agents: open, write, settle, list, fingerprint, save, load, close."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import cast

from recollect.contracts.agent import Agent, Policy, PolicyMaker
from recollect.contracts.gateway import Gateway
from recollect.contracts.memory import Listing, Memory, Readback, Room, Snapshot
from recollect.contracts.traits import Capability
from recollect.domain.exchange import Batch, Receipt, Unit
from recollect.domain.ids import Digest, MessageId, UnitId
from recollect.engine.faults import close_safely
from recollect.engine.rows import Row
from recollect.engine.systems.call_context import CurrentCall
from recollect.engine.systems.validation import check_methods, validate_units
from recollect.records.digests import digest


class Driver:
    """An open system in its room."""

    def __init__(
        self, row: Row, room: Room, current: CurrentCall | None = None, gateway: Gateway | None = None
    ) -> None:
        self.row, self.room = row, room
        self.current, self._gateway = current or CurrentCall(), gateway
        shutil.rmtree(room.folder, ignore_errors=True)
        room.folder.mkdir(parents=True)
        self.memory: Memory | None = None
        self.agent: Agent | None = None
        try:
            self.memory = row.open_memory(room) if row.open_memory else None
            self.agent = row.open_agent(room) if row.open_agent else None
            check_methods(row, self.memory if self.memory is not None else self.agent)
        except BaseException:
            close_safely(self.close)
            raise

    @property
    def _system(self) -> Memory | Agent:
        system = self.memory if self.memory is not None else self.agent
        if system is None:
            raise ValueError(f"row {self.row.label!r} opens neither a memory nor an agent")
        return system

    def can(self, capability: Capability) -> bool:
        """As its traits say."""
        return capability in self.row.traits.can

    def write(self, batch: Batch) -> Receipt:
        """Write one batch."""
        return self.memory.write(batch) if self.memory is not None else self.the_agent.observe(batch)

    @property
    def the_agent(self) -> Agent:
        """The agent, where the row is one."""
        if self.agent is None:
            raise ValueError(f"row {self.row.label!r} is no agent")
        return self.agent

    def settle(self) -> None:
        """Wait until all that was fed can be found."""
        self._system.settle()

    def readback(self) -> Readback:
        """The system, which can read back."""
        return cast("Readback", self._system)

    def policy(self) -> Policy:
        return cast("Policy", self._system)

    def policy_maker(self) -> PolicyMaker | None:
        """The agent's own model, for policies."""
        return self.row.policy_maker(self.room) if self.row.policy_maker else None

    def save(self, folder: Path) -> None:
        cast("Snapshot", self._system).save(folder)

    def load(self, folder: Path) -> None:
        cast("Snapshot", self._system).load(folder)

    def units(self) -> Iterator[Unit]:
        return cast("Listing", self._system).units()

    def look(self) -> StoredState | None:
        """Its listing, if it has one; read once for all checks of an Ask."""
        if not self.can(Capability.LISTING):
            return None
        units = validate_units(self.units())
        return StoredState(units=units, policy=self.policy().policy() if self.can(Capability.POLICY) else None)

    def fingerprint(self, stored: StoredState | None = None) -> tuple[Digest | None, int | None]:
        """A digest of its state, and the number of its units; `None` where there is none."""
        stored = stored or self.look()
        if stored is not None:
            return stored.fingerprint, len(stored.units)
        if self.can(Capability.SNAPSHOT) and self.row.traits.snapshot_deterministic:
            folder = self.room.folder.with_name(f"{self.room.folder.name}-look")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                self.save(folder)
                files = [file for file in folder.rglob("*") if file.is_file()]
                digests = [[file.relative_to(folder).as_posix(), digest(file.read_bytes().hex())] for file in files]
                return Digest(digest(sorted(digests))), None
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        return None, None

    def close(self) -> None:
        """Close the system and delete its room."""
        try:
            self._system.close()
        finally:
            if self._gateway is not None and self.room.access is not None:
                self._gateway.close(self.room.access.token)
            shutil.rmtree(self.room.folder, ignore_errors=True)


@dataclass(frozen=True, kw_only=True)
class StoredState:
    """The units of a system that can list them."""

    units: Sequence[Unit]
    policy: str | None = None

    @property
    def fingerprint(self) -> Digest:
        """Digest of the units in the order of the listing."""
        lines = [[unit.text, list(unit.sources), unit.said_at] for unit in self.units]
        return Digest(digest({"units": lines, "policy": self.policy}))

    @cached_property
    def content(self) -> Digest:
        """Digest of the units in any order: a loaded state may be listed in another."""
        lines = sorted((unit.text, tuple(unit.sources), unit.said_at or "") for unit in self.units)
        return Digest(digest({"held": lines, "policy": self.policy}))


NOTHING_TO_STORE = "nothing_to_store"


@dataclass
class Receipts:
    """Statuses of all writes, and the units that were named since the last Ask."""

    statuses: Counter[str] = field(default_factory=Counter)
    named: list[tuple[tuple[UnitId, ...], tuple[MessageId, ...]]] = field(default_factory=list)
    """Units of a write, and the messages in it."""

    def note(self, batch: Batch, receipt: Receipt) -> None:
        """Add the receipt of a write."""
        self.statuses[receipt.status] += 1
        if receipt.unit_ids:
            self.named.append((receipt.unit_ids, batch.sources))

    def seen(self) -> None:
        """Forget the names: they were checked, and the system may drop them later."""
        self.named.clear()
