"""The SQLite file of the cache of calls: tables, connections, transactions, errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from recollect.domain.errors import BusyError, DataError, DiskError, NewerSchemaError, RecollectError

FILE = "calls.sqlite"
SCHEMA = 1
"""Bumped when a column changes its meaning; the `user_version` of the file."""
MARK = 0x5263616C
"""Marks a database as a cache of calls; the `application_id` of the file."""

_WAIT_S = 60.0
_RETRY_S = 0.01
_PAGES_KIB = 32 * 1024
"""Page cache of a connection: hits of a run then rarely read the file."""
_STATEMENTS = 512
"""Prepared statements kept: one for many rows has another text for each number of rows."""
_TABLES = (
    "CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text BLOB NOT NULL)",
    """
    CREATE TABLE response (
        key TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, model TEXT NOT NULL, payer TEXT NOT NULL,
        created INTEGER NOT NULL, input INTEGER, output INTEGER, cached INTEGER, reasoning INTEGER,
        body BLOB NOT NULL, prompt BLOB NOT NULL
    )
    """,
)
_FIX = "Move it away to begin a new cache (its calls would be paid for again), or put back a copy."
_NOT_WRITABLE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def connect(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time; it waits a minute for other processes."""
    with described_errors(path):
        base = sqlite3.connect(
            path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False, cached_statements=_STATEMENTS
        )
        base.execute("PRAGMA synchronous = FULL")
        base.execute(f"PRAGMA cache_size = -{_PAGES_KIB}")
    return base


def open_base(path: Path) -> sqlite3.Connection:
    """A connection to the cache at *path*, created if there is none and known to be writable."""
    base = connect(path)
    try:
        with described_errors(path):
            with transaction(base, "DEFERRED"):
                _is_new(base, path)
            when_unlocked(lambda: base.execute("PRAGMA journal_mode = WAL").fetchone())
            with transaction(base):
                if _is_new(base, path):
                    for table in _TABLES:
                        base.execute(table)
                    base.execute(f"PRAGMA application_id = {MARK}")
                base.execute(f"PRAGMA user_version = {SCHEMA}")  # each time: better refused now than after a call
    except RecollectError:
        base.close()
        raise
    return base


def when_unlocked(act: Callable[[], object]) -> None:
    """Retry *act* while other processes lock the file: SQLite itself does not wait while several create it."""
    end = monotonic() + _WAIT_S
    while True:
        try:
            act()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _LOCKED or monotonic() > end:
                raise
            sleep(_RETRY_S)
        else:
            return


def _is_new(base: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is empty; refuses another application's file. Call it inside a transaction."""
    ((mark,), (schema,)) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark == MARK and schema > SCHEMA:
        raise NewerSchemaError(
            f"{path}: a cache of schema {schema}; this version of recollect reads up to {SCHEMA}. "
            "Install the version that made it, or pick another `--runs-dir`."
        )
    filled = base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if mark != MARK and (mark or filled):
        raise DataError("a database, but no cache of calls", path, fix=_FIX)
    return not filled


@contextmanager
def transaction(base: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Commit the block, or roll it back on any error; reads see one state."""
    base.execute(f"BEGIN {kind}")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


@contextmanager
def described_errors(path: Path) -> Iterator[None]:
    """Raise errors of the database as errors of Recollect."""
    try:
        yield
    except sqlite3.Error as error:
        raise described(error, path) from error


def described(error: sqlite3.Error, path: Path) -> RecollectError:
    """An error of the database as an error of Recollect, with what to do."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _LOCKED:
        return BusyError(f"{path}: locked by another process for {_WAIT_S:.0f} s. Wait for it or stop it, then resume.")
    if code in _NOT_WRITABLE:
        return DiskError(
            f"{path}: {error}. What was paid for and acknowledged is kept; make room, allow writing or pick another "
            "`--runs-dir` on a local disk, then resume."
        )
    return DataError(f"not a whole cache of calls: {error}", path, fix=_FIX)
