"""One interface to memories and agents: open, write, settle, list, fingerprint, save, load, close."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast

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


class _System(Protocol):
    def settle(self) -> None: ...
    def close(self) -> None: ...


class Driver:
    """An open system in its room."""

    def __init__(self, row: Row, room: Room, desk: CurrentCall | None = None, gateway: Gateway | None = None) -> None:
        self.row, self.room = row, room
        self.desk, self._gateway = desk or CurrentCall(), gateway
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
    def _system(self) -> _System:
        system = self.memory if self.memory is not None else self.agent
        if system is None:
            raise ValueError(f"row {self.row.label!r} opens neither a memory nor an agent")
        return system

    def can(self, capability: Capability) -> bool:
        """As its traits say."""
        return capability in self.row.traits.can

    def write(self, batch: Batch) -> Receipt:
        """Feed one batch."""
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
        """Its readback face."""
        return cast("Readback", self._system)

    def policy(self) -> Policy:
        """Its policy face."""
        return cast("Policy", self._system)

    def policy_maker(self) -> PolicyMaker | None:
        """The agent's own model, asked for policies."""
        return self.row.policy_maker(self.room) if self.row.policy_maker else None

    def save(self, folder: Path) -> None:
        """Write everything into *folder*."""
        cast("Snapshot", self._system).save(folder)

    def load(self, folder: Path) -> None:
        """Become what *folder* holds."""
        cast("Snapshot", self._system).load(folder)

    def units(self) -> Iterator[Unit]:
        """All it holds."""
        return cast("Listing", self._system).units()

    def look(self) -> StoredState | None:
        """All it holds, if it can list that; read once for all checks of an Ask."""
        if not self.can(Capability.LISTING):
            return None
        units = validate_units(self.units())
        return StoredState(units=units, policy=self.policy().policy() if self.can(Capability.POLICY) else None)

    def fingerprint(self, held: StoredState | None = None) -> tuple[Digest | None, int | None]:
        """A digest of what it holds and how many things that are; `None` where that cannot be proven."""
        held = held or self.look()
        if held is not None:
            return held.fingerprint, len(held.units)
        if self.can(Capability.SNAPSHOT) and self.row.traits.snapshot_deterministic:
            return self._digest_of_snapshot(), None
        return None, None

    def close(self) -> None:
        """Let go of the system and its room."""
        try:
            self._system.close()
        finally:
            if self._gateway is not None and self.room.access is not None:
                self._gateway.close(self.room.access.token)
            shutil.rmtree(self.room.folder, ignore_errors=True)

    def _digest_of_snapshot(self) -> Digest:
        aside = self.room.folder.with_name(f"{self.room.folder.name}-look")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        try:
            self.save(aside)
            return Digest(digest(sorted(_file_digest(aside, file) for file in aside.rglob("*") if file.is_file())))
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _file_digest(root: Path, file: Path) -> list[Any]:
    return [file.relative_to(root).as_posix(), digest(file.read_bytes().hex())]


Line = tuple[str, tuple[str, ...], str]


@dataclass(frozen=True, kw_only=True)
class StoredState:
    """The units of a system that can list them."""

    units: Sequence[Unit]
    policy: str | None = None

    @property
    def fingerprint(self) -> Digest:
        """Of all that is held, in the order in which it is listed."""
        lines = [[unit.text, list(unit.sources), unit.said_at] for unit in self.units]
        return Digest(digest({"units": lines, "policy": self.policy}))

    @cached_property
    def content(self) -> Digest:
        """Of all that is held, in whatever order: a state that was loaded may list the same otherwise."""
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
        """A write was acknowledged."""
        self.statuses[receipt.status] += 1
        if receipt.unit_ids:
            self.named.append((receipt.unit_ids, batch.sources))

    def seen(self) -> None:
        """What was named is there: that it goes later on is the system's own affair."""
        self.named.clear()
