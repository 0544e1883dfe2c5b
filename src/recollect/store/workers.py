"""Who works on a run, seen from outside and without getting in anybody's way."""

from __future__ import annotations

import fcntl
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

from recollect.store.run_folder import RunFolder


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
