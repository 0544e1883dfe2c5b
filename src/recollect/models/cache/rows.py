"""Inserts rows into the cache of calls, many in one statement; a reply that is already stored is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any

from recollect.models.cache.entries import COLUMNS, Chunk, Row, Stored, counts, listed, squeezed, unpack

AT_ONCE = 900
"""Values of one statement: below what any build of the database takes."""


def insert_rows(
    base: sqlite3.Connection, rows: Sequence[Row], known: dict[bytes, int] | None = None
) -> list[Stored | None]:
    """Write the rows whose keys have no reply; the earlier reply of each row. Call it inside a transaction.

    *known* is filled with the number of each chunk by its hash.
    """
    query = f"SELECT key, {COLUMNS} FROM response WHERE key IN"  # noqa: S608 - our own words
    there = {key: unpack(columns) for key, *columns in _select(base, query, [row.key for row in rows])}
    found: list[Stored | None] = []
    new: dict[str, Row] = {}
    for row in rows:
        earlier = new.get(row.key)
        found.append(there.get(row.key) if earlier is None else earlier.stored)
        if found[-1] is None:
            new[row.key] = row
    numbers = insert_chunks(base, [chunk for row in new.values() for chunk in row.chunks])
    if known is not None:
        known |= numbers
    values = [values_of(row, [numbers[chunk.hash] for chunk in row.chunks]) for row in new.values()]
    _insert(base, "response", values)
    return found


def insert_chunks(base: sqlite3.Connection, chunks: Iterable[Chunk]) -> dict[bytes, int]:
    """The number of each chunk by its hash; new ones are written, and must have their text."""
    texts = {chunk.hash: chunk.text for chunk in sorted(chunks, key=lambda chunk: chunk.text is not None)}
    known = dict(_select(base, "SELECT hash, id FROM blob WHERE hash IN", list(texts)))
    fresh = [hash_ for hash_ in texts if hash_ not in known]
    missing = next((hash_ for hash_ in fresh if texts[hash_] is None), None)
    if missing is not None:
        raise sqlite3.IntegrityError(f"a text of a prompt is missing: {missing.hex()}")
    if fresh:
        last = base.execute("SELECT coalesce(max(id), 0) FROM blob").fetchone()[0]
        numbered = dict(zip(fresh, count(last + 1), strict=False))
        _insert(base, "blob", [(number, hash_, squeezed(texts[hash_] or b"")) for hash_, number in numbered.items()])
        known |= numbered
    return known


def values_of(row: Row, texts: Sequence[int]) -> tuple[Any, ...]:
    """A row of the table, whose prompt is made up of these chunks."""
    stored = row.stored
    usage = (None,) * 4 if stored.usage is None else counts(stored.usage)
    return (row.key, stored.kind, stored.model, stored.payer, row.created, *usage, row.body, listed(texts))


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
_WIDTH = 12
_COLUMNS = ", ".join(f"c{number}" for number in range(_WIDTH))
_PLACES = f"({', '.join('?' * _WIDTH)})"
_INSERT = f"INSERT INTO incoming ({_COLUMNS}) VALUES "  # noqa: S608 - our own words
_GUARD, _CHUNK, _REPLY = 0, 1, 2
_VIEW = f"CREATE TEMP VIEW incoming AS SELECT {', '.join(f'NULL AS c{number}' for number in range(_WIDTH))}"
_TRIGGER = f"""
    CREATE TEMP TRIGGER arrived INSTEAD OF INSERT ON incoming BEGIN
        SELECT RAISE(ABORT, 'others wrote') WHERE new.c0 = {_GUARD}
            AND new.c1 <> (SELECT coalesce(max(id), 0) FROM blob);
        INSERT INTO blob SELECT new.c1, new.c2, new.c3 WHERE new.c0 = {_CHUNK};
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
        """The highest number of a chunk; not known where others may have written."""
        for statement in ("PRAGMA temp_store = MEMORY", _VIEW, _TRIGGER):
            base.execute(statement)

    def at_once(self, rows: Sequence[Row]) -> bool:
        """Write rows of new keys in a transaction of its own; `False`: none was written, and `add` has to."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        if self._last is None:
            self._last = self._base.execute("SELECT coalesce(max(id), 0) FROM blob").fetchone()[0]
        fresh = self._numbered(rows)
        if fresh is None:
            return False
        texts = {chunk.hash: chunk.text for row in rows for chunk in row.chunks if chunk.hash in fresh}
        lines = [_wide(_GUARD, self._last)]
        lines += [_wide(_CHUNK, number, hash_, squeezed(texts[hash_] or b"")) for hash_, number in fresh.items()]
        for row in rows:
            numbers = [fresh.get(chunk.hash) or self._known[chunk.hash] for chunk in row.chunks]
            lines.append((_REPLY, *values_of(row, numbers)))
        if (len(lines) - 1) * _WIDTH > AT_ONCE:
            return False
        try:
            self._base.execute(_INSERT + ", ".join([_PLACES] * len(lines)), list(chain.from_iterable(lines)))
        except sqlite3.IntegrityError:
            self._last = None
            return False
        self._known |= fresh
        self._last += len(fresh)
        return True

    def add(self, rows: Sequence[Row]) -> list[Stored | None]:
        """As `insert_rows`, inside a transaction; the numbers of chunks are remembered."""
        self._last = None
        return insert_rows(self._base, rows, self._known)

    def _numbered(self, rows: Sequence[Row]) -> dict[bytes, int] | None:
        """Numbers for the chunks that are new; nothing where one should be there and is not known."""
        first, fresh = self._last or 0, dict[bytes, int]()
        for chunk in chain.from_iterable(row.chunks for row in rows):
            if chunk.hash not in self._known and chunk.hash not in fresh:
                if chunk.text is None:
                    return None
                fresh[chunk.hash] = first + len(fresh) + 1
        return fresh


def _wide(*values: Any) -> tuple[Any, ...]:
    return (*values, *[None] * (_WIDTH - len(values)))
