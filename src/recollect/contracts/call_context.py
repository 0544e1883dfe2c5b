"""The context of a model call. The engine sets it, the ledger and the cache read it, systems never see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock

from recollect.domain.errors import RecollectError


@dataclass(slots=True, kw_only=True)
class CallContext:
    """One operation of the engine, and the failures of its model calls. May be used by several threads at once."""

    stage: str
    """`open`, `observe`, `settle`, `converse`, `evolve`, `recall`, `answer`, `judge`, `probe`, `make`."""
    key: str = ""
    """Key of the record to be written: distinguishes calls in the cache at temperatures above 0."""
    replicate: int = 0
    """Differs between all repeats of the same work, of whichever stage, so that they share no reply."""
    trial: str = ""
    row: str = ""
    task: str = ""
    history: str = ""
    question: str = ""
    checkpoint: str = ""
    arm: str = ""
    failed: dict[str, RecollectError] = field(default_factory=dict)
    """Digest of a prompt -> why it got no reply, also where the system swallowed the error."""
    _counts: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def ordinal(self, prompt: str) -> int:
        """How often *prompt* (its digest) was sent in this context before; counts it."""
        with self._lock:
            seen = self._counts.get(prompt, 0)
            self._counts[prompt] = seen + 1
            return seen

    def note(self, prompt: str, error: RecollectError | None) -> None:
        """*prompt* failed for good, or, without *error*, got its reply in the end."""
        with self._lock:
            if error is None:
                self.failed.pop(prompt, None)
            else:
                self.failed[prompt] = error


_current: ContextVar[CallContext | None] = ContextVar("call_context", default=None)


@contextmanager
def in_context(context: CallContext) -> Iterator[CallContext]:
    """Model calls of this thread inside the block belong to *context*."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


def current_context() -> CallContext | None:
    """The context of this thread, if there is one."""
    return _current.get()
