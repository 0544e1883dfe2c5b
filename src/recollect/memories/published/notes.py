"""What a memory derived from each message, as JSON lines in the order of the log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from recollect.domain.errors import DataError

FIX = "Delete the snapshot's folder; it is made again when the run is resumed."


def write_notes(file: Path, notes: Iterable[Any]) -> None:
    with file.open("w", encoding="ascii", newline="\n") as out:
        out.writelines(f"{json.dumps(note)}\n" for note in notes)


def read_notes(file: Path, count: int) -> list[Any]:
    """The notes in *file*, of *count* messages."""
    try:
        with file.open(encoding="ascii", newline="\n") as lines:
            notes = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise DataError(f"no notes: {error}", file, fix=FIX) from None
    if len(notes) != count:
        raise DataError(f"{len(notes)} notes of {count} messages", file, fix=FIX)
    return notes
