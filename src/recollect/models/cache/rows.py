"""Inserts rows into the cache of calls, many in one statement; a reply that is already stored is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from recollect.models.cache.entries import COLUMNS, Chunk, Row, Stored, counts, listed, squeezed, stored_of, unpack

AT_ONCE = 900
"""Values of one statement: below what any build of the database takes."""


def insert_rows(
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
    numbers = insert_chunks(base, [piece for row in new.values() for piece in row.pieces])
    if known is not None:
        known |= numbers
    values = [values_of(row, [numbers[piece.hash] for piece in row.pieces]) for row in new.values()]
    _insert(base, "response", values)
    return found


def insert_chunks(base: sqlite3.Connection, pieces: Iterable[Chunk]) -> dict[bytes, int]:
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


MOST_KNOWN = 50_000
"""Pieces whose numbers are kept in mind."""
_WIDTH = 12
_COLUMNS = ", ".join(f"c{number}" for number in range(_WIDTH))
_PLACES = f"({', '.join('?' * _WIDTH)})"
_INSERT = f"INSERT INTO incoming ({_COLUMNS}) VALUES "  # noqa: S608 - our own words
_GUARD, _PIECE, _REPLY = 0, 1, 2
_VIEW = f"CREATE TEMP VIEW incoming AS SELECT {', '.join(f'NULL AS c{number}' for number in range(_WIDTH))}"
_TRIGGER = f"""
    CREATE TEMP TRIGGER arrived INSTEAD OF INSERT ON incoming BEGIN
        SELECT RAISE(ABORT, 'others wrote') WHERE new.c0 = {_GUARD}
            AND new.c1 <> (SELECT coalesce(max(id), 0) FROM blob);
        INSERT INTO blob SELECT new.c1, new.c2, new.c3 WHERE new.c0 = {_PIECE};
        INSERT INTO response SELECT {", ".join(f"new.c{number}" for number in range(1, _WIDTH))}
            WHERE new.c0 = {_REPLY};
    END
"""  # noqa: S608 - our own words


class RowWriter:
    """Adds rows through one connection, its only writer in this process."""

    def __init__(self, base: sqlite3.Connection) -> None:
        """Prepare *base*, whose file stays as it is."""
        self._base = base
        self._known: dict[bytes, int] = {}
        self._last: int | None = None
        """The highest number of a piece; not known where others may have written."""
        for statement in ("PRAGMA temp_store = MEMORY", _VIEW, _TRIGGER):
            base.execute(statement)

    def at_once(self, rows: Sequence[Row]) -> bool:
        """Write rows of calls that have no reply yet; outside a transaction, for it is one.

        Returns:
            Whether all were written; if not, none was, and `add` has to.
        """
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        if self._last is None:
            self._last = self._base.execute("SELECT coalesce(max(id), 0) FROM blob").fetchone()[0]
        fresh = self._numbered(rows)
        laid = [] if fresh is None else [*self._pieces(rows, fresh), *self._replies(rows, fresh)]
        if fresh is None or len(laid) * _WIDTH > AT_ONCE:
            return False
        values = list(chain.from_iterable((_wide(_GUARD, self._last), *laid)))
        try:
            self._base.execute(_INSERT + ", ".join([_PLACES] * (len(laid) + 1)), values)
        except sqlite3.IntegrityError:
            self._last = None
            return False
        self._known |= fresh
        self._last += len(fresh)
        return True

    def add(self, rows: Sequence[Row]) -> list[Stored | None]:
        """As `insert_rows`, inside a transaction; what it learns is kept in mind."""
        self._last = None
        return insert_rows(self._base, rows, self._known)

    def _numbered(self, rows: Sequence[Row]) -> dict[bytes, int] | None:
        """Numbers for the pieces that are new; nothing where one should be there and is not known."""
        first, fresh = self._last or 0, dict[bytes, int]()
        for piece in chain.from_iterable(row.pieces for row in rows):
            if piece.hash not in self._known and piece.hash not in fresh:
                if piece.text is None:
                    return None
                fresh[piece.hash] = first + len(fresh) + 1
        return fresh

    def _pieces(self, rows: Sequence[Row], fresh: Mapping[bytes, int]) -> Iterator[tuple[Any, ...]]:
        texts = {piece.hash: piece.text for row in rows for piece in row.pieces if piece.hash in fresh}
        return (_wide(_PIECE, number, hash_, packed(texts[hash_])) for hash_, number in fresh.items())

    def _replies(self, rows: Sequence[Row], fresh: Mapping[bytes, int]) -> Iterator[tuple[Any, ...]]:
        for row in rows:
            numbers = [fresh.get(piece.hash) or self._known[piece.hash] for piece in row.pieces]
            yield (_REPLY, *values_of(row, numbers))


def _wide(*values: Any) -> tuple[Any, ...]:
    return (*values, *[None] * (_WIDTH - len(values)))
