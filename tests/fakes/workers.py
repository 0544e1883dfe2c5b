"""Opens workers for tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, Traits
from recollect.memories.worker.adapter import AdapterSystem
from recollect.memories.worker.links import PipeLink
from recollect.memories.worker.memory import Patience, WorkerMemory, open_worker
from recollect.memories.worker.process import ProcessEnvironment

FAKES = Path(__file__).parent
OVERLAP = FAKES / "overlap_adapter.py"
ALL = frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET})
OVERLAP_TRAITS = Traits(can=ALL, keeps="all", score="similarity", snapshot_deterministic=True)


def room(folder: Path) -> Room:
    """A room in *folder*, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    return Room(folder=folder, namespace="n1", seed=7)


def overlap(folder: Path, patience: Patience | None = None) -> WorkerMemory:
    """The overlap adapter in a process."""
    adapted = AdapterSystem(who="overlap", adapter=OVERLAP, patience=patience or Patience(open_s=30, request_s=30))
    return cast("WorkerMemory", adapted.open(OVERLAP_TRAITS, {}, room(folder)))


def bad(
    folder: Path, how: str, *, request_s: float = 30, env: tuple[str, ...] = (), memory_mb: int | None = None
) -> WorkerMemory:
    """A worker that misbehaves when it is searched."""
    command = (sys.executable, str(FAKES / "bad_worker.py"), how)
    around = ProcessEnvironment(command=command, env=env, memory_mb=memory_mb)
    link = PipeLink(around.start_in(room(folder)), "the worker")
    return open_worker(link, Traits(provenance="none"), Patience(open_s=30, request_s=request_s), {}, room(folder))
