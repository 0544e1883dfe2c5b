"""Merges exported calls into a cache: every line of every file is checked first, then new calls are written."""

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

from recollect.domain.errors import ClashError, DataError, NewerSchemaError
from recollect.models.cache.entries import Chunk, Row, Stored, find
from recollect.models.cache.exchange import KIND, SCHEMA, Call, parse, row_of, substance
from recollect.models.cache.rows import insert_chunks
from recollect.models.cache.writer import Apply, Writer

_SHOWN = 20
_PENDING = 1000
"""Lines that may wait to be written: bounds the memory used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Counts of a merge."""

    added: int
    known: int
    """Calls that were here, or in an earlier file, with the same reply."""
    kept: int
    """Calls that had another reply; ours was kept."""


@dataclass(slots=True)
class _Check:
    path: Path
    base: sqlite3.Connection
    replies: dict[str, bytes]
    """Key -> substance of its reply, of the files before this one; grows."""
    announced: int = -1
    calls: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)

    def run(self, *, keep_ours: bool) -> None:
        """Refuse the file if it has problems, or clashes unless *keep_ours*."""
        number = 0
        try:
            for number, line in _lines(self.path):
                if number == 1:
                    self.announced = _announced(line, self.path)
                    continue
                try:
                    found = parse(line)
                except ValueError as error:
                    self.problems.append(f"line {number}: {error}")
                    continue
                if isinstance(found, Chunk):
                    self.texts.add(found.hash.hex())
                else:
                    self._add_call(number, found)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            self.problems.append(f"line {number + 1}: the file is cut off or damaged from here on")
        if number == 0:
            raise _no_export(self.path)
        if self.announced != len(self.calls):
            self.problems.append(f"line 1: it says {self.announced} calls, {len(self.calls)} whole ones are there")
        problems, clashes = len(self.problems), len(self.clashes)
        if problems:
            listed = f"{problems} problem{'s' * (problems != 1)}: {_shown(self.problems)}"
            raise DataError(listed, self.path, fix="Nothing was taken. Export the cache again.")
        if clashes and not keep_ours:
            raise ClashError(
                f"{self.path}: {clashes} call{'s' * (clashes != 1)} with another reply than here: "
                f"{_shown(self.clashes)}. Nothing of it was taken. Leave the file out, merge it under another "
                "`--runs-dir`, or keep the replies that are here with `--keep-ours`."
            )

    def _add_call(self, number: int, call: Call) -> None:
        missing = [name for name in call.prompt if name not in self.texts]
        if missing:
            self.problems.append(f"line {number}: {len(missing)} texts of its prompt do not stand before it")
        if call.key in self.calls:
            self.problems.append(f"line {number}: `{call.key}` stands here twice")
        self.calls.add(call.key)
        ours, theirs = self.replies.get(call.key), substance(call.raw())
        if ours is None:
            stored = find(self.base, call.key)
            ours = None if stored is None else substance(stored.reply)
        if ours not in (None, theirs):
            self.clashes.append(f"line {number}: `{call.key}` ({call.model})")
        self.replies.setdefault(call.key, theirs)


def merge(files: Sequence[Path], base: sqlite3.Connection, writer: Writer, *, keep_ours: bool) -> Merged:
    """Add the calls of *files* that are not here. See `CallCache.merge`."""
    replies: dict[str, bytes] = {}
    for path in files:
        _Check(path, base, replies).run(keep_ours=keep_ours)
    added = known = kept = 0
    for path in files:
        for call, before in _written(path, writer):
            added += before is None
            same = before is not None and substance(before.reply) == substance(call.raw())
            known += same
            kept += before is not None and not same
    if kept and not keep_ours:
        raise ClashError(
            f"{kept} calls got another reply from another process meanwhile; those stay. All others are in."
        )
    return Merged(added=added, known=known, kept=kept)


def _shown(problems: Sequence[str]) -> str:
    rest = len(problems) - _SHOWN
    return "; ".join(problems[:_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with gzip.open(path, "rb") as file:
            yield from enumerate(file, 1)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise DataError(f"{error.strerror}", path, fix="Name a file of `recollect cache export`.") from error


def _announced(line: bytes, path: Path) -> int:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise _no_export(path)
    schema, calls = head.get("schema"), head.get("calls")
    if head.get("kind") != KIND or not isinstance(schema, int) or not isinstance(calls, int):
        raise _no_export(path)
    if schema > SCHEMA:
        raise NewerSchemaError(
            f"{path}: an export of schema {schema}, made by {head.get('made_by')}; this version of recollect reads up "
            f"to {SCHEMA}. Install the version that made it."
        )
    return calls


def _no_export(path: Path) -> DataError:
    return DataError("not an export of a cache of calls", path, fix="Name a file of `recollect cache export`.")


def _written(path: Path, writer: Writer) -> Iterator[tuple[Call, Stored | None]]:
    """Each call of a checked file once it is on the disk, with the reply that was there before."""
    pending: deque[tuple[Call | Chunk, Future[Stored | None]]] = deque()
    for number, line in _lines(path):
        if number > 1:
            found = parse(line)
            pending.append((found, writer.submit(partial(_row_or_insert, found))))
        yield from _finished(pending, _PENDING)
    yield from _finished(pending, 0)


def _finished(
    pending: deque[tuple[Call | Chunk, Future[Stored | None]]], most: int
) -> Iterator[tuple[Call, Stored | None]]:
    while len(pending) > most:
        found, future = pending.popleft()
        before = future.result()
        if isinstance(found, Call):
            yield found, before


def _row_or_insert(found: Call | Chunk) -> Row | Apply:
    return row_of(found) if isinstance(found, Call) else partial(insert_chunks, chunks=[found])
