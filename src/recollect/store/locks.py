"""Advisory locks: one process per trial, and which processes are working on a run."""

from __future__ import annotations

import fcntl
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from recollect.domain.errors import BusyError
from recollect.store.files import disk_errors
from recollect.store.run_folder import RunFolder


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
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 200, 0).decode("utf-8", "replace") or "another process"
            raise BusyError(
                f"{what} is being worked on by {holder}. Wait for it, stop it, or split the work with `--shard i/n`."
            ) from None
        with disk_errors(path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        yield
    finally:
        os.close(handle)


def workers(folder: RunFolder) -> list[str]:
    """The processes that run *folder* now, such as `process 12 on here (part 1/2)`; on this machine only."""
    found = []
    for file in sorted(folder.path.glob(".lock-*")):
        holder = _holder(file)
        part = re.fullmatch(r"\.lock-(\d+)-(\d+)", file.name)
        if holder is not None:
            found.append(f"{holder} (part {part[1]}/{part[2]})" if part else holder)
    return found


def _holder(lock: Path) -> str | None:
    try:
        handle = os.open(lock, os.O_RDONLY)
    except OSError:
        return None
    try:
        said = os.pread(handle, 200, 0).decode("utf-8", "replace")
        return said if _is_alive(said) and _is_held(handle) else None
    finally:
        os.close(handle)


def _is_alive(said: str) -> bool:
    """The process that wrote its name lives here; asked first, since trying a free lock could make a starter fail."""
    named = re.fullmatch(r"process (\d+) on (.+)", said)
    if named is None or named[2] != socket.gethostname():
        return False
    with suppress(PermissionError):
        try:
            os.kill(int(named[1]), 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True


def _is_held(handle: int) -> bool:
    """Its number may by now be that of another process: only the lock itself knows."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
