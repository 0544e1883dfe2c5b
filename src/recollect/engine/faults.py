"""The one place where any error of a system becomes a named fault; what is ours, or the disk's, goes through."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from recollect.domain.errors import (
    CallError,
    DiskError,
    InterruptedRunError,
    MalformedError,
    NotAvailableError,
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
class Broken:
    """A call that broke, and why."""

    cause: str
    error: str
    message: str


class DivergedError(Exception):
    """A replayed step did not do what its record says."""


def tried(call: Callable[[], T]) -> T | Broken:
    """The result of *call*, or how it broke."""
    try:
        return call()
    except (StoreError, UsageError, NotAvailableError, InterruptedRunError, DivergedError):
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise DiskError(f"{error}. What was recorded is kept; make room, then run again.") from error
        return _broken(error)
    except Exception as error:  # noqa: BLE001  # whatever a third-party system raises is its fault, not its score
        return _broken(error)


def nothing_stored() -> Broken:
    """A whole history left nothing behind."""
    return Broken(
        cause="nothing_stored",
        error="EmptyStore",
        message="the system took in messages and, after settling, lists not one unit",
    )


def state_changed() -> Broken:
    """Asking changed a system that promised to stay as it is."""
    return Broken(
        cause="state_changed",
        error="StateChanged",
        message="what it holds differs before and after the questions, though by its traits asking writes nothing",
    )


def _broken(error: BaseException) -> Broken:
    cause = next((name for kind, name in _CAUSES if isinstance(error, kind)), "raised")
    return Broken(cause=cause, error=type(error).__name__, message=str(error)[:2000])
