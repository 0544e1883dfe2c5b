"""One process per trial: an advisory lock that goes with the process, whatever ends it."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.domain.errors import BusyError
from recollect.store.files import disk_errors


@contextmanager
def hold(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at *path*.

    Raises:
        BusyError: Another process holds it; the message says which.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(handle, what)
        with disk_errors(path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, what: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(handle, 200, 0).decode("utf-8", "replace") or "another process"
        raise BusyError(
            f"{what} is being worked on by {holder}. Wait for it, stop it, or split the work with `--shard i/n`."
        ) from None
