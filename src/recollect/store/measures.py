"""Timings and a line for every model call. Scores never depend on these files."""

from __future__ import annotations

import json
import os
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from recollect.records.calls import CallLine
from recollect.records.codec import encode_json, read_note
from recollect.store.files import disk_errors
from recollect.store.run_folder import RunFolder

NAME = "measures.jsonl"
TOGETHER = 64
"""Most buffered lines before a write; a kill of the process loses them."""
OPEN_AT_ONCE = 64
"""Files that a ledger keeps open."""


class Measures:
    """The `measures.jsonl` of one folder: append-only, safe for any number of threads and processes.

    A line is one unbuffered write: a kill of the process loses none that was written. A last line truncated by a crash
    gets its line end when the file is next opened for writing; readers skip it.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._handle = -1
        self._lock = Lock()
        self._buffered: list[bytes] = []

    def __enter__(self) -> Measures:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def note(self, facts: Mapping[str, Any]) -> None:
        """Append one line."""
        self.append(json.dumps(facts, allow_nan=False).encode() + b"\n")

    def later(self, line: bytes) -> None:
        """Append a line that a kill may lose: it is written with later ones, or when the file is closed."""
        with self._lock:
            self._buffered.append(line)
            full = len(self._buffered) >= TOGETHER
        if full:
            self.append(b"")

    def append(self, line: bytes) -> None:
        """Append a line, its line end included."""
        with self._lock, disk_errors(self.path):
            line, self._buffered = b"".join((*self._buffered, line)), []
            if self._handle < 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
                size = os.fstat(handle).st_size
                if size and os.pread(handle, 1, size - 1) != b"\n":
                    os.write(handle, b"\n")
                self._handle = handle
            try:
                written = os.write(self._handle, line)
                while written < len(line):  # a full disk may take a part: the next write then says why
                    written += os.write(self._handle, line[written:])
            except OSError:
                self._close()  # a part of the line may be there: opening the file again ends it
                raise

    def close(self) -> None:
        """Write what is buffered and close the file; the next note opens it again."""
        if self._buffered:
            self.append(b"")
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1


class Ledgers:
    """Writes each model call to the folder of its trial, or of the run."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._open: OrderedDict[str, Measures] = OrderedDict()
        self._lock = Lock()

    def write(self, line: CallLine) -> None:
        """Append a call; paid calls survive a kill of the process."""
        data = b'{"call":' + encode_json(line) + b"}\n"
        with self._lock:
            if line.trial not in self._open:
                while len(self._open) >= OPEN_AT_ONCE:
                    self._open.popitem(last=False)[1].close()
                folder = self._folder.trial(line.trial) if line.trial else self._folder.path
                self._open[line.trial] = Measures(folder)
            self._open.move_to_end(line.trial)
            notes = self._open[line.trial]
            if line.status == "cached":
                notes.later(data)
            else:
                notes.append(data)

    def close(self) -> None:
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()


def calls_of(folder: RunFolder) -> Iterator[CallLine]:
    """Every model call of a run: those outside trials first, then those of each trial; none counts as paid twice.

    Processes that run parts of one run share its replies: one may find a reply that another is about to note as paid,
    and note it as recovered. Such a line counts as a reply from the cache.
    """
    files = (folder.path / NAME, *sorted((folder.path / "trials").glob(f"*/{NAME}")))
    found = [read_note(CallLine, facts["call"]) for file in files for facts in notes(file) if "call" in facts]
    lines = [line for line in found if line is not None]
    noted = {line.call for line in lines if line.status == "paid"}
    for line in lines:
        twice = line.status == "recovered" and line.call in noted
        if line.status == "recovered":
            noted.add(line.call)
        yield replace(line, status="cached", money=0.0, priced="") if twice else line


def notes(file: Path) -> Iterator[Mapping[str, Any]]:
    """Each readable line; truncated ones are skipped."""
    for line in _lines(file):
        try:
            facts = json.loads(line)
        except ValueError:
            continue
        if isinstance(facts, dict):
            yield facts


def unite_notes(source: Path, target: Path) -> None:
    """Append to *target* the lines of *source* that it lacks; repeating it adds nothing."""
    missing = Counter(_lines(source)) - Counter(_lines(target))
    if not missing:
        return
    with Measures(target.parent) as united:
        for line in _lines(source):
            if missing[line]:
                missing[line] -= 1
                united.append(line)


def _lines(file: Path) -> list[bytes]:
    """The lines, each with its line end, also the last one."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    return [line if line.endswith(b"\n") else line + b"\n" for line in lines]
