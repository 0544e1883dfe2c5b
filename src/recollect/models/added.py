"""Writes rows into the cache of calls, many in few statements.

Each statement lets go of the interpreter and has to get it back from threads that are busy: written one by one, the
rows of a commit wait for each other's statements longer than for the disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any

from recollect.models.stored import COLUMNS, Piece, Row, Stored, counts, listed, squeezed, stored_of, unpack

AT_ONCE = 900
"""Values of one statement: below what any build of the database takes."""


def add_all(
    base: sqlite3.Connection, rows: Sequence[Row], known: dict[bytes, int] | None = None
) -> list[Stored | None]:
    """Write each row, or nothing where its key has a reply; that reply. Call it inside a transaction.

    Args:
        base: Where to.
        rows: In the order in which they came.
        known: Gets the number of each piece by its hash.

    Raises:
        sqlite3.IntegrityError: A text of a prompt should be there and is not.
    """
    there = _find_all(base, [row.key for row in rows])
    found: list[Stored | None] = []
    new: dict[str, Row] = {}
    for row in rows:
        twin = new.get(row.key)
        found.append(there.get(row.key) if twin is None else stored_of(twin))
        if found[-1] is None:
            new[row.key] = row
    numbers = add_pieces(base, [piece for row in new.values() for piece in row.pieces])
    if known is not None:
        known |= numbers
    values = [values_of(row, [numbers[piece.hash] for piece in row.pieces]) for row in new.values()]
    _insert(base, "response", values)
    return found


def add_pieces(base: sqlite3.Connection, pieces: Iterable[Piece]) -> dict[bytes, int]:
    """The number of each piece by its hash; those that are new are written.

    Raises:
        sqlite3.IntegrityError: A piece should be there and is not.
    """
    texts = {piece.hash: piece.text for piece in sorted(pieces, key=lambda piece: piece.text is not None)}
    known = dict(_select(base, "SELECT hash, id FROM blob WHERE hash IN", list(texts)))
    fresh = [hash_ for hash_ in texts if hash_ not in known]
    missing = next((hash_ for hash_ in fresh if texts[hash_] is None), None)
    if missing is not None:
        raise sqlite3.IntegrityError(f"a text of a prompt is missing: {missing.hex()}")
    if fresh:
        last = base.execute("SELECT coalesce(max(id), 0) FROM blob").fetchone()[0]
        numbered = dict(zip(fresh, count(last + 1), strict=False))
        _insert(base, "blob", [(number, hash_, packed(texts[hash_])) for hash_, number in numbered.items()])
        known |= numbered
    return known


def packed(text: bytes | None) -> bytes:
    """A piece as the table holds it."""
    return squeezed(text or b"")


def _find_all(base: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Stored]:
    found = _select(base, f"SELECT key, {COLUMNS} FROM response WHERE key IN", keys)  # noqa: S608 - our own words
    return {key: unpack(columns) for key, *columns in found}


def values_of(row: Row, texts: Sequence[int]) -> tuple[Any, ...]:
    """A row of the table, whose prompt is made up of these pieces."""
    usage = (None,) * 4 if row.usage is None else counts(row.usage)
    return (row.key, row.kind, row.model, row.payer, row.created, *usage, row.body, listed(texts))


def _select(base: sqlite3.Connection, query: str, values: Sequence[Any]) -> Iterator[Any]:
    for part in _parts(values, AT_ONCE):
        yield from base.execute(f"{query} ({', '.join('?' * len(part))})", part).fetchall()


def _insert(base: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    for part in _parts(rows, AT_ONCE // len(rows[0]) if rows else 1):
        row = f"({', '.join('?' * len(part[0]))})"
        values = list(chain.from_iterable(part))
        base.execute(f"INSERT INTO {table} VALUES {', '.join([row] * len(part))}", values)  # noqa: S608 - our own words


def _parts(values: Sequence[Any], most: int) -> Iterator[Sequence[Any]]:
    return (values[at : at + most] for at in range(0, len(values), most))
