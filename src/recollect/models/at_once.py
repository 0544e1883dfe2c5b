"""New rows of the cache of calls in one statement, which is a transaction by itself.

Each statement lets go of the interpreter several times, and has to get it back from threads that are busy: a commit of
six statements waits for that longer than for the disk. One view that takes all rows makes it one statement; whatever it
cannot know beforehand makes it fail as a whole, and then the rows are written in steps.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from recollect.models.added import AT_ONCE, add_all, packed, values_of
from recollect.models.stored import Row, Stored

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


class Adder:
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
        """As `add_all`, inside a transaction; what it learns is kept in mind."""
        self._last = None
        return add_all(self._base, rows, self._known)

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
