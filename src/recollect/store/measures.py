"""Notes beside the records: seconds, and a line for every model call. Nothing that a result rests on."""

from __future__ import annotations

import json
import os
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
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
"""Lines that may be lost are written together, so many at most."""
OPEN_AT_ONCE = 64
"""Files of notes that a ledger keeps open."""


class Measures:
    """The notes of one folder: only ever appended to, by any number of threads and processes.

    A line is one unbuffered write: a kill of the process loses none that was written. A last line that a crash tore
    is ended when the file is opened to write, so that it spoils no other; readers pass over it.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._handle = -1
        self._lock = Lock()
        self._waiting: list[bytes] = []

    def __enter__(self) -> Measures:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def note(self, facts: Mapping[str, Any]) -> None:
        """Append one line.

        Raises:
            DiskError: The disk does not take it.
        """
        self.append(json.dumps(facts, allow_nan=False).encode() + b"\n")

    def later(self, line: bytes) -> None:
        """Append a line that a kill may lose: with the next one, with others, or when the file is closed."""
        with self._lock:
            self._waiting.append(line)
            full = len(self._waiting) >= TOGETHER
        if full:
            self.append(b"")

    def append(self, line: bytes) -> None:
        """Append a line as it is, its end included."""
        with self._lock, disk_errors(self.path):
            line, self._waiting = b"".join((*self._waiting, line)), []
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
                self._let_go()  # a part of the line may be there: opening the file again ends it
                raise

    def close(self) -> None:
        """Let go of the file; the next note opens it again."""
        if self._waiting:
            self.append(b"")
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1


class Ledgers:
    """Writes each line of the ledger where it belongs: beside the records of its trial, or of the run."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._open: OrderedDict[str, Measures] = OrderedDict()
        self._lock = Lock()

    def write(self, line: CallLine) -> None:
        """Append a call; what was paid for survives a kill of the process.

        Raises:
            DiskError: The disk does not take it.
        """
        data = b'{"call":' + encode_json(line) + b"}\n"
        with self._lock:
            notes = self._of(line.trial)
            if line.status == "cached":
                notes.later(data)
            else:
                notes.append(data)

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _of(self, trial: str) -> Measures:
        if trial not in self._open:
            while len(self._open) >= OPEN_AT_ONCE:
                self._open.popitem(last=False)[1].close()
            self._open[trial] = Measures(self._folder.trial(trial) if trial else self._folder.path)
        self._open.move_to_end(trial)
        return self._open[trial]


def calls_of(folder: RunFolder) -> Iterator[CallLine]:
    """Every model call of a run: those of no trial first, then those of each trial. Nothing stands there paid twice.

    Processes that do parts of one run share its replies: one may find what another is about to note as paid, and take
    it for lost. Such a line counts as a reply from the cache.
    """
    lines = list(_calls_in(folder))
    noted = {line.call for line in lines if line.status == "paid"}
    for line in lines:
        twice = line.status == "recovered" and line.call in noted
        if line.status == "recovered":
            noted.add(line.call)
        yield replace(line, status="cached", money=0.0, priced="") if twice else line


def _calls_in(folder: RunFolder) -> Iterator[CallLine]:
    files = (folder.path / NAME, *sorted((folder.path / "trials").glob(f"*/{NAME}")))
    for file in files:
        for facts in notes(file):
            line = read_note(CallLine, facts["call"]) if "call" in facts else None
            if line is not None:
                yield line


def notes(file: Path) -> Iterator[Mapping[str, Any]]:
    """Each line that can be read; a torn one is passed over, for notes are never results."""
    for line in _lines(file):
        try:
            facts = json.loads(line)
        except ValueError:
            continue
        if isinstance(facts, dict):
            yield facts


def unite_notes(source: Path, target: Path) -> None:
    """Append to *target* the lines of *source* that it lacks; doing it again adds nothing."""
    missing = Counter(_whole(source)) - Counter(_whole(target))
    if not missing:
        return
    with Measures(target.parent) as united:
        for line in _whole(source):
            if missing[line]:
                missing[line] -= 1
                united.append(line)


def _whole(file: Path) -> Iterator[bytes]:
    """The lines as they are once the last one is ended."""
    return (line if line.endswith(b"\n") else line + b"\n" for line in _lines(file))


def _lines(file: Path) -> Iterable[bytes]:
    return file.read_bytes().splitlines(keepends=True) if file.exists() else ()
