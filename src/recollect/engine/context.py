"""The execution context that all trials of a process share: folder, roles, conditions, call pool, and a stop flag."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from recollect.domain.errors import InterruptedRunError
from recollect.engine.rows import Conditions, Roles
from recollect.store.run_folder import RunFolder

ProgressCallback = Callable[[str, int], None]
"""(kind of record, how many): called after each."""


def ignore_progress(kind: str, count: int) -> None:
    """Nobody is looking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionContext:
    """Shared by all trials of a process."""

    folder: RunFolder
    cast: Roles
    conditions: Conditions
    calls: Executor
    """Where readers and judges are called; its size bounds the calls in flight."""
    watch: ProgressCallback = ignore_progress
    stop: threading.Event = field(default_factory=threading.Event)

    def check_stop(self) -> None:
        """Raise if somebody asked the run to stop."""
        if self.stop.is_set():
            raise InterruptedRunError
