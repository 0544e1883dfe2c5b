"""What a trial needs from outside: folder, cast, conditions, the pool for calls, and a way to be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from recollect.domain.errors import InterruptedRunError
from recollect.engine.rows import Cast, Conditions
from recollect.store.run_folder import RunFolder

Watch = Callable[[str, int], None]
"""(kind of record, how many): called after each."""


def unwatched(kind: str, count: int) -> None:
    """Nobody is looking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Shared by all trials of a process."""

    folder: RunFolder
    cast: Cast
    conditions: Conditions
    calls: Executor
    """Where readers and judges are called; its size bounds the calls in flight."""
    watch: Watch = unwatched
    stop: threading.Event = field(default_factory=threading.Event)

    def check_stop(self) -> None:
        """Raise if somebody asked the run to stop."""
        if self.stop.is_set():
            raise InterruptedRunError
