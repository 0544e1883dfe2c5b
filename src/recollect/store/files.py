"""Writes that survive a crash: to a temporary file, synced, renamed; also whole folders of saved states."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.domain.errors import DiskError

_DISK = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "writing is not allowed",
    errno.EPERM: "writing is not allowed",
    errno.EIO: "the disk failed",
    errno.EFBIG: "the file may not grow further",
}


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn the errors of a disk into a `DiskError` that says what to do."""
    try:
        yield
    except OSError as error:
        what = _DISK.get(error.errno or 0)
        if what is None:
            raise
        raise DiskError(
            f"{path}: {what}. What was recorded is kept; make room or pick another `--runs-dir`, then run again."
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Replace *path* by *data*: a reader sees the old file or the new one, never a part."""
    with disk_errors(path):
        _write_temporary(path, data).replace(path)
        sync_folder(path.parent)


def write_once(path: Path, data: bytes) -> None:
    """Create *path* with *data* unless it exists; of several processes that try, exactly one succeeds."""
    with disk_errors(path):
        temporary = _write_temporary(path, data)
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        except OSError:  # not every file system has links
            temporary.replace(path)
        temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def _write_temporary(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return temporary


def sync_folder(folder: Path) -> None:
    """Make renames in *folder* durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Make all files below *folder* durable."""
    for root, _, names in os.walk(folder):
        for name in names:
            sync_folder(Path(root) / name)
        sync_folder(Path(root))


def snapshot_name(state_key: str) -> str:
    """The name of the folder that holds the state of *state_key*."""
    return state_key.replace(":", "-")


def save_snapshot(folder: Path, write: Callable[[Path], None]) -> None:
    """Call *write* with a temporary folder, sync it, and rename it to *folder*."""
    with disk_errors(folder):
        temporary = folder.with_name(f".{folder.name}.tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        write(temporary)
        sync_tree(temporary)
        shutil.rmtree(folder, ignore_errors=True)
        temporary.replace(folder)
        sync_folder(folder.parent)


def drop_other_snapshots(parent: Path, keep: Iterable[str]) -> None:
    """Delete every saved state below *parent* except those in *keep*: a folder without its record is useless."""
    kept = set(keep)
    if parent.is_dir():
        for folder in parent.iterdir():
            if folder.name not in kept:
                shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
