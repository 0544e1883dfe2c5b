"""Takes exported calls into a cache: first every line of every file is checked, then what is new is written."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from recollect.domain.errors import ClashError, DataError, NewerSchemaError
from recollect.models.cache.entries import Chunk, Row, Stored, find
from recollect.models.cache.exchange import KIND, SCHEMA, Call, parse, row_of, substance
from recollect.models.cache.rows import insert_chunks
from recollect.models.cache.writer import Apply, Writer

_SHOWN = 20
"""Problems of one file that are told in full."""
_WAITING = 1000
"""Lines that may wait to be written: bounds what is held in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What came of a merge."""

    added: int
    known: int
    """Calls that were here, or in an earlier file, with the same reply."""
    kept: int
    """Calls that had another reply; ours was kept."""


@dataclass(slots=True)
class _Check:
    """One file, line by line."""

    path: Path
    base: sqlite3.Connection
    replies: dict[str, bytes]
    """Key -> substance of its reply, of the files before this one; grows."""
    announced: int = -1
    calls: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Find all that is wrong with the file.

        Raises:
            DataError: It is no export at all.
            NewerSchemaError: A newer version exported it.
        """
        number = 0
        try:
            for number, line in _lines(self.path):
                if number == 1:
                    self.announced = _announced(line, self.path)
                else:
                    self._line(number, line)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            self.problems.append(f"line {number + 1}: the file is cut off or damaged from here on")
        if number == 0:
            raise _no_export(self.path)
        if self.announced != len(self.calls):
            self.problems.append(f"line 1: it says {self.announced} calls, {len(self.calls)} whole ones are there")

    def _line(self, number: int, line: bytes) -> None:
        try:
            found = parse(line)
        except ValueError as error:
            self.problems.append(f"line {number}: {error}")
            return
        if isinstance(found, Chunk):
            self.texts.add(found.hash.hex())
        else:
            self._call(number, found)

    def _call(self, number: int, call: Call) -> None:
        missing = [name for name in call.prompt if name not in self.texts]
        if missing:
            self.problems.append(f"line {number}: {len(missing)} texts of its prompt do not stand before it")
        if call.key in self.calls:
            self.problems.append(f"line {number}: `{call.key}` stands here twice")
        self.calls.add(call.key)
        said, there = substance(call.raw()), self._there(call.key)
        if there not in (None, said):
            self.clashes.append(f"line {number}: `{call.key}` ({call.model})")
        self.replies.setdefault(call.key, said)

    def _there(self, key: str) -> bytes | None:
        """The reply that is here, or in a file before."""
        if key not in self.replies:
            stored = find(self.base, key)
            return None if stored is None else substance(stored.reply)
        return self.replies[key]


def merge(files: Sequence[Path], base: sqlite3.Connection, writer: Writer, *, keep_ours: bool) -> Merged:
    """Take the calls of *files* that are not here. See `CallCache.merge`."""
    replies: dict[str, bytes] = {}
    for path in files:
        check = _Check(path, base, replies)
        check.run()
        _refuse(check, keep_ours=keep_ours)
    added = known = kept = 0
    for path in files:
        for call, there in _written(path, writer):
            added += there is None
            same = there is not None and substance(there.reply) == substance(call.raw())
            known += same
            kept += there is not None and not same
    if kept and not keep_ours:
        raise ClashError(
            f"{kept} calls got another reply from another process meanwhile; those stay. All others are in."
        )
    return Merged(added=added, known=known, kept=kept)


def _refuse(check: _Check, *, keep_ours: bool) -> None:
    if check.problems:
        count = len(check.problems)
        said = f"{count} problem{'s' * (count != 1)}: {_shown(check.problems)}"
        raise DataError(said, check.path, fix="Nothing was taken. Export the cache again.")
    if check.clashes and not keep_ours:
        raise ClashError(_clash(f"{check.path}", len(check.clashes), _shown(check.clashes)))


def _clash(where: str, count: int, which: str) -> str:
    return (
        f"{where}: {count} call{'s' * (count != 1)} with another reply than here: {which}. Nothing of it was taken. "
        "Leave the file out, merge it under another `--runs-dir`, or keep the replies that are here with `--keep-ours`."
    )


def _shown(problems: Sequence[str]) -> str:
    rest = len(problems) - _SHOWN
    return "; ".join(problems[:_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, from 1.

    Raises:
        DataError: There is no such file.
    """
    try:
        with gzip.open(path, "rb") as file:
            yield from enumerate(file, 1)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise DataError(f"{error.strerror}", path, fix="Name a file of `recollect cache export`.") from error


def _announced(line: bytes, path: Path) -> int:
    """How many calls the first line says.

    Raises:
        DataError: It is no first line of ours.
        NewerSchemaError: A newer version wrote it.
    """
    head = _head(line)
    schema, calls = head.get("schema"), head.get("calls")
    if head.get("kind") != KIND or not isinstance(schema, int) or not isinstance(calls, int):
        raise _no_export(path)
    if schema > SCHEMA:
        raise NewerSchemaError(
            f"{path}: an export of schema {schema}, made by {head.get('made_by')}; this version of recollect reads up "
            f"to {SCHEMA}. Install the version that made it."
        )
    return calls


def _head(line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    return head if isinstance(head, dict) else {}


def _no_export(path: Path) -> DataError:
    return DataError("not an export of a cache of calls", path, fix="Name a file of `recollect cache export`.")


def _written(path: Path, writer: Writer) -> Iterator[tuple[Call, Stored | None]]:
    """Each call of a checked file once it is on the disk, with the reply that was there before."""
    waiting: deque[tuple[Call | Chunk, Future[Stored | None]]] = deque()
    for number, line in _lines(path):
        if number > 1:
            found = parse(line)
            waiting.append((found, writer.submit(partial(_apply, found))))
        yield from _done(waiting, _WAITING)
    yield from _done(waiting, 0)


def _done(
    waiting: deque[tuple[Call | Chunk, Future[Stored | None]]], most: int
) -> Iterator[tuple[Call, Stored | None]]:
    """Wait until *most* wait."""
    while len(waiting) > most:
        found, future = waiting.popleft()
        there = future.result()
        if isinstance(found, Call):
            yield found, there


def _apply(found: Call | Chunk) -> Row | Apply:
    """How a line is written."""
    if isinstance(found, Call):
        return row_of(found)
    piece = found

    def add_text(base: sqlite3.Connection) -> None:
        insert_chunks(base, [piece])

    return add_text
