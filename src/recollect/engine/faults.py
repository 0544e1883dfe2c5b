"""Turns any error of a system into a named fault; errors of the harness and of the disk are raised."""

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
    """Why a call failed."""

    cause: str
    error: str
    message: str


class DivergedError(Exception):
    """A replayed step did not do what its record says."""


_NO_FAULT = (
    StoreError,
    UsageError,
    NotAvailableError,
    OverBudgetError,
    DeadModelError,
    InterruptedRunError,
    DivergedError,
)
"""No faults of the system that was called: they end the run, or are recorded in another way."""


def attempt(call: Callable[[], T]) -> T | Failure:
    """The result of *call*, or how it failed."""
    try:
        return call()
    except _NO_FAULT:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise DiskError(f"{error}. What was recorded is kept; make room, then run again.") from error
        return _broken(error)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001  # its fault, never its score
        return _broken(error)


def close_safely(close: Callable[[], None]) -> None:
    """Close something; errors are ignored."""
    with suppress(UsageError, NotAvailableError):
        attempt(close)


NOTHING_STORED = Failure(
    cause="nothing_stored",
    error="EmptyStore",
    message="the system took in messages and, after settling, lists not one unit",
)
STATE_CHANGED = Failure(
    cause="state_changed",
    error="StateChanged",
    message="what it holds differs before and after the questions, though by its traits asking writes nothing",
)


def _broken(error: BaseException) -> Failure:
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  # a message that cannot be made is no reason to stop
        message = "(its message cannot be read)"
    message = message.encode("utf-8", "replace").decode()
    named = error.cause if isinstance(error, CallError) else ""
    cause = named or next((name for kind, name in _CAUSES if isinstance(error, kind)), "raised")
    return Failure(cause=cause, error=type(error).__name__, message=message[:2000])
