"""Writes a cache of calls to one file: the same calls, the same bytes."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from recollect import __version__
from recollect.domain.errors import DiskError
from recollect.models.cache_exchange import KIND, SCHEMA, call_of, line_of_call, line_of_text, to_bytes
from recollect.models.stored import COLUMNS, read_piece, texts_of, unpack

_ALL = f"SELECT key, created, prompt, {COLUMNS} FROM response ORDER BY key"  # noqa: S608


def export(base: sqlite3.Connection, target: Path) -> int:
    """Write all calls of *base* to *target*, as they are at this moment; how many they are.

    Raises:
        DiskError: The file cannot be written; one that was there is left as it was.
    """
    base.execute("BEGIN")
    try:
        count = int(base.execute("SELECT count(*) FROM response").fetchone()[0])
        with _aside(target) as file:
            file.write(to_bytes({"kind": KIND, "schema": SCHEMA, "made_by": _maker(), "calls": count}))
            for line in _lines(base):
                file.write(to_bytes(line))
    finally:
        base.execute("ROLLBACK")
    return count


def _maker() -> str:
    return f"recollect {__version__}"


def _lines(base: sqlite3.Connection) -> Iterator[Mapping[str, Any]]:
    """Texts and calls; a text stands before the first call that has it."""
    hashes: dict[int, str] = {}
    for key, created, prompt, *reply in base.execute(_ALL):
        numbers = texts_of(prompt)
        for number in numbers:
            if number not in hashes:
                piece = read_piece(base, number)
                hashes[number] = piece.hash.hex()
                yield line_of_text(piece)
        yield line_of_call(call_of(key, unpack(reply), created, tuple(hashes[number] for number in numbers)))


@contextmanager
def _aside(target: Path) -> Iterator[gzip.GzipFile]:
    """A packed file that takes the place of *target* when it is whole; no name and no time in it."""
    aside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        try:
            with aside.open("wb") as raw:
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as file:
                    yield file
                _sync(raw)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise DiskError(
            f"{target}: the export cannot be written ({error.strerror or error}). Make room, or name another file."
        ) from error


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
