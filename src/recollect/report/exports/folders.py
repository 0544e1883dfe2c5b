"""A folder that is there whole or not at all, and never in the place of another."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from recollect.domain.errors import UsageError
from recollect.report.exports.material import Written
from recollect.store.files import disk_errors, sync_folder, sync_tree

Fill = Callable[[Path], Sequence[Written]]


def write_folder(out: Path, fill: Fill) -> Sequence[Written]:
    """Make the folder *out* with what *fill* writes into it; aside first, then by one rename.

    Raises:
        UsageError: There is something at *out*: it is left as it is.
        DiskError: The disk does not take it.
    """
    if os.path.lexists(out):
        raise UsageError(f"--out {out}: there is something already. Name another place, or move it away.")
    aside = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    with disk_errors(out):
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        try:
            written = fill(aside)
            sync_tree(aside)
            aside.rename(out)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        sync_folder(out.parent)
    return written


class FileNames:
    """Unique file names for rows and tasks."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, name: str, ending: str) -> str:
        """*name* without characters that are unsafe in file names, and *ending*."""
        plain = re.sub(r"[^\w.()=+-]+", "_", name).strip("._") or "row"
        made, number = f"{plain}{ending}", 2
        while made.casefold() in self._taken:
            made, number = f"{plain}_{number}{ending}", number + 1
        self._taken.add(made.casefold())
        return made
