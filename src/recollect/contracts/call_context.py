"""What a model call is made for. The engine sets it, the ledger and the cache read it, systems never see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock

from recollect.domain.errors import RecollectError


@dataclass(slots=True, kw_only=True)
class CallContext:
    """One piece of work of the engine, and what its model calls did. May be used by several threads at once."""

    stage: str
    """`open`, `observe`, `settle`, `converse`, `evolve`, `recall`, `answer`, `judge`, `probe`, `make`."""
    key: str = ""
    """Key of the record that the work will fill: at temperatures above 0 the cache tells calls apart by it."""
    replicate: int = 0
    """Differs between all repeats of the same work, whichever stage is repeated: none may get the reply of another."""
    trial: str = ""
    row: str = ""
    task: str = ""
    history: str = ""
    question: str = ""
    checkpoint: str = ""
    arm: str = ""
    failed: dict[str, RecollectError] = field(default_factory=dict)
    """Prompt (its digest) -> why it got no reply, also where the system swallowed the error."""
    _counts: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def ordinal(self, prompt: str) -> int:
        """How often *prompt* (its digest) was sent on this occasion before; counts it."""
        with self._lock:
            seen = self._counts.get(prompt, 0)
            self._counts[prompt] = seen + 1
            return seen

    def note(self, prompt: str, error: RecollectError | None) -> None:
        """*prompt* failed for good, or, asked again, got its reply after all."""
        with self._lock:
            if error is not None:
                self.failed[prompt] = error
            else:
                self.failed.pop(prompt, None)


_current: ContextVar[CallContext | None] = ContextVar("occasion", default=None)


@contextmanager
def in_context(occasion: CallContext) -> Iterator[CallContext]:
    """Model calls made inside the block, by this thread, belong to *occasion*."""
    token = _current.set(occasion)
    try:
        yield occasion
    finally:
        _current.reset(token)


def current_context() -> CallContext | None:
    """The occasion of this thread, if there is one."""
    return _current.get()
