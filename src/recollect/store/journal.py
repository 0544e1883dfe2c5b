"""An append-only journal with one writer. Loading reads keys and offsets; bodies are read on demand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from recollect.domain.errors import ClashError, DataError
from recollect.domain.ids import RecordKey
from recollect.records.kinds import NEVER_DONE, UNPLANNED, VoidRecord
from recollect.records.lines import body_of, head_of, to_line
from recollect.store.files import disk_errors


class Entry(NamedTuple):
    """Kind and position of a record in its file, in bytes."""

    kind: str
    offset: int
    length: int


class Journal:
    """The records of one trial.

    Reading needs no lock and ignores a truncated last line. Writing needs the trial's lock and cuts that line off.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self.done: dict[RecordKey, Entry] = {}
        """Records that count."""
        self.faults: dict[RecordKey, Entry] = {}
        """The last failed attempt at each key without a record."""
        self.voids = 0
        """Attempts that were discarded."""
        self._handle = -1
        """Open in a writer only; readers open the file per read, since a run may have thousands."""
        self._end = self._scan()
        if write:
            with disk_errors(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
                os.ftruncate(self._handle, self._end)

    def append(self, key: str, body: Any, kind: str) -> None:
        """Write one record with one unbuffered write."""
        line = to_line(key, body, kind)
        with disk_errors(self.path):
            written = os.write(self._handle, line)
            while written < len(line):  # a full disk may take a part: the next write then says why
                written += os.write(self._handle, line[written:])
        self._note(RecordKey(key), Entry(kind, self._end, len(line)), line)
        self._end += len(line)

    def sync(self) -> None:
        """Flush all writes to the disk."""
        with disk_errors(self.path):
            os.fdatasync(self._handle)

    def planned_done(self) -> int:
        """Number of records that count and that a plan includes."""
        return sum(entry.kind not in UNPLANNED for entry in self.done.values())

    def body(self, key: str) -> Any:
        """The body of a record that counts, or of the last fault under *key*."""
        entry = self.done.get(RecordKey(key)) or self.faults[RecordKey(key)]
        with self._reading() as handle:
            return body_of(os.pread(handle, entry.length, entry.offset), where=str(self.path))

    def bodies(self, *kinds: str) -> Iterator[tuple[RecordKey, Any]]:
        """All bodies of *kinds* that count, in the order of the file."""
        table = self.faults if kinds == ("fault",) else self.done
        wanted = sorted(((k, e) for k, e in table.items() if e.kind in kinds), key=lambda pair: pair[1].offset)
        if not wanted:
            return
        with self._reading() as handle:
            for key, entry in wanted:
                yield key, body_of(os.pread(handle, entry.length, entry.offset), where=str(self.path))

    def close(self) -> None:
        if self._handle >= 0:
            self.sync()
            os.close(self._handle)
        self._handle = -1

    @contextmanager
    def _reading(self) -> Iterator[int]:
        if self._handle >= 0:
            yield self._handle
            return
        handle = os.open(self.path, os.O_RDONLY)
        try:
            yield handle
        finally:
            os.close(handle)

    def _scan(self) -> int:
        if not self.path.exists():
            return 0
        offset = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    key, kind = head_of(line)
                except ValueError:
                    raise DataError(
                        f"not a record: {line[:40]!r}", self.path, line=number, fix="Delete the line and run again."
                    ) from None
                self._note(key, Entry(kind, offset, len(line)), line)
                offset += len(line)
        return offset

    def _note(self, key: RecordKey, entry: Entry, line: bytes) -> None:
        if entry.kind == "void":
            void: VoidRecord = body_of(line, where=str(self.path))
            self.voids += 1
            for name in [*self.done, *self.faults] if void.keys is None else void.keys:
                self.done.pop(name, None)
                self.faults.pop(name, None)
        elif entry.kind in NEVER_DONE:
            self.faults[key] = entry
        else:
            self.done[key] = entry
            self.faults.pop(key, None)


def unite(target: Journal, source: Journal) -> None:
    """Add to *target* the records of *source* that it lacks.

    Raises:
        ClashError: If the two have different records under one key.
    """
    if not source.path.exists():
        return
    for key, entry in sorted([*source.done.items(), *source.faults.items()], key=lambda pair: pair[1].offset):
        body = source.body(key)
        if entry.kind == "snapshot":
            continue
        if key not in target.done:
            target.append(key, body, entry.kind)
        elif entry.kind not in NEVER_DONE and target.body(key) != body:
            raise ClashError(
                f"{source.path} and {target.path} hold different `{entry.kind}` records under {key}. "
                "One of the two runs is not what its config says; find out which, and leave it out."
            )
