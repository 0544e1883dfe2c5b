"""Saved states of a trial: folders that become valid by the record written after them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from recollect.store.files import disk_errors, sync_folder, sync_tree


def folder_name(state_key: str) -> str:
    """The name of the folder that holds the state of *state_key*."""
    return state_key.replace(":", "-")


def save(folder: Path, write: Callable[[Path], None]) -> None:
    """Let *write* fill a folder aside, sync it, and rename it to *folder*."""
    with disk_errors(folder):
        aside = folder.with_name(f".{folder.name}.tmp")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        write(aside)
        sync_tree(aside)
        shutil.rmtree(folder, ignore_errors=True)
        aside.replace(folder)
        sync_folder(folder.parent)


def drop_others(parent: Path, keep: Iterable[str]) -> None:
    """Delete every saved state below *parent* but those named: a folder without its record is worth nothing."""
    kept = set(keep)
    if parent.is_dir():
        for folder in parent.iterdir():
            if folder.name not in kept:
                shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
