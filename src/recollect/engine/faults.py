"""The one place where any error of a system becomes a named fault; what is ours, or the disk's, goes through."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from recollect.domain.errors import (
    CallError,
    DeadModelError,
    DiskError,
    InterruptedRunError,
    MalformedError,
    NotAvailableError,
    OverBudgetError,
    RefusedError,
    RetryableError,
    StoreError,
    UsageError,
)

T = TypeVar("T")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)
_CAUSES: tuple[tuple[type[BaseException], str], ...] = (
    (RetryableError, "unreachable"),
    (RefusedError, "refused"),
    (MalformedError, "malformed"),
    (CallError, "call_failed"),
    (TimeoutError, "timeout"),
    (ConnectionError, "unreachable"),
    (MemoryError, "out_of_memory"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A call that broke, and why."""

    cause: str
    error: str
    message: str


class DivergedError(Exception):
    """A replayed step did not do what its record says."""


_OURS = (
    StoreError,
    UsageError,
    NotAvailableError,
    OverBudgetError,
    DeadModelError,
    InterruptedRunError,
    DivergedError,
)
"""What is no fault of the system that was called: it ends the run, or is told in another way."""


def attempt(call: Callable[[], T]) -> T | Failure:
    """The result of *call*, or how it broke."""
    try:
        return call()
    except _OURS:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise DiskError(f"{error}. What was recorded is kept; make room, then run again.") from error
        return _broken(error)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001  # its fault, never its score
        return _broken(error)


def close_safely(close: Callable[[], None]) -> None:
    """Close something, whatever it says to that."""
    with suppress(UsageError, NotAvailableError):
        attempt(close)


def nothing_stored() -> Failure:
    """A whole history left nothing behind."""
    return Failure(
        cause="nothing_stored",
        error="EmptyStore",
        message="the system took in messages and, after settling, lists not one unit",
    )


def state_changed() -> Failure:
    """Asking changed a system that promised to stay as it is."""
    return Failure(
        cause="state_changed",
        error="StateChanged",
        message="what it holds differs before and after the questions, though by its traits asking writes nothing",
    )


def _broken(error: BaseException) -> Failure:
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  # a message that cannot be made is no reason to stop
        said = "(its message cannot be read)"
    said = said.encode("utf-8", "replace").decode()
    named = error.cause if isinstance(error, CallError) else ""
    cause = named or next((name for kind, name in _CAUSES if isinstance(error, kind)), "raised")
    return Failure(cause=cause, error=type(error).__name__, message=said[:2000])
