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
    """Hold the lock file at *path*."""
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
    """The processes on this machine that are running *folder*, such as `process 12 on here (part 1/2)`."""
    found = []
    for file in sorted(folder.path.glob(".lock-*")):
        holder = _holder(file)
        part = re.fullmatch(r"\.lock-(\d+)-(\d+)", file.name)
        if holder is not None:
            found.append(f"{holder} (part {part[1]}/{part[2]})" if part else holder)
    return found


def _holder(lock: Path) -> str | None:
    """The live process that holds a lock file."""
    try:
        handle = os.open(lock, os.O_RDONLY)
    except OSError:
        return None
    try:
        holder = os.pread(handle, 200, 0).decode("utf-8", "replace")
        # The name is checked first: trying a free lock could make a starting process fail.
        if not _is_alive(holder):
            return None
        # The number may by now be that of another process: only the lock itself tells.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return holder
    finally:
        os.close(handle)
    return None


def _is_alive(holder: str) -> bool:
    named = re.fullmatch(r"process (\d+) on (.+)", holder)
    if named is None or named[2] != socket.gethostname():
        return False
    with suppress(PermissionError):
        try:
            os.kill(int(named[1]), 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
