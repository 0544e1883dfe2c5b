"""The file of the cache of calls: its tables, how its rows are made and read, and what its errors mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from recollect.domain.errors import BusyError, DataError, DiskError, NewerSchemaError, RecollectError

FILE = "calls.sqlite"
SCHEMA = 1
"""Bumped when a column changes its meaning; stands in the file as `user_version`."""
MARK = 0x5263616C
"""Says that a database is a cache of calls; stands in the file as `application_id`."""

_WAIT_S = 60.0
_AGAIN_S = 0.01
_PAGES_KIB = 32 * 1024
"""Pages that a connection keeps: hits of a run then rarely go to the file."""
_STATEMENTS = 512
"""Kept ready: a statement for many rows has another text for each number of rows."""
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
_AWAY = "Move it away to begin a new cache (its calls would be paid for again), or put back a copy."
_NO_WRITING = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def connect(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time; it waits a minute for other processes.

    Raises:
        DiskError: The file cannot be opened.
    """
    with described_errors(path):
        base = sqlite3.connect(
            path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False, cached_statements=_STATEMENTS
        )
        base.execute("PRAGMA synchronous = FULL")
        base.execute(f"PRAGMA cache_size = -{_PAGES_KIB}")
    return base


def open_base(path: Path) -> sqlite3.Connection:
    """A connection to the cache at *path*, made if there is none and known to take writing.

    Raises:
        NewerSchemaError: A newer version made it; it is left as it was.
        DataError: The file is something else.
        DiskError: It cannot be written.
        BusyError: Other processes kept it locked for a minute.
    """
    base = connect(path)
    try:
        with described_errors(path):
            _prepare(base, path)
    except RecollectError:
        base.close()
        raise
    return base


def _prepare(base: sqlite3.Connection, path: Path) -> None:
    with transaction(base, "DEFERRED"):
        _is_new(base, path)
    when_unlocked(lambda: base.execute("PRAGMA journal_mode = WAL").fetchone())
    with transaction(base):
        if _is_new(base, path):
            for table in _TABLES:
                base.execute(table)
            base.execute(f"PRAGMA application_id = {MARK}")
        base.execute(f"PRAGMA user_version = {SCHEMA}")  # written each time: better refused now than after a call


def when_unlocked(act: Callable[[], object]) -> None:
    """Do *act* once other processes let us: while several make one file, the database does not wait by itself."""
    end = monotonic() + _WAIT_S
    while True:
        try:
            act()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _HELD or monotonic() > end:
                raise
            sleep(_AGAIN_S)
        else:
            return


def _is_new(base: sqlite3.Connection, path: Path) -> bool:
    """Nothing is in the file yet; what is not ours is refused. Call it inside a transaction."""
    ((mark,), (schema,)) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark == MARK and schema > SCHEMA:
        raise NewerSchemaError(
            f"{path}: a cache of schema {schema}; this version of recollect reads up to {SCHEMA}. "
            "Install the version that made it, or pick another `--runs-dir`."
        )
    filled = base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if mark != MARK and (mark or filled):
        raise DataError("a database, but no cache of calls", path, fix=_AWAY)
    return not filled


@contextmanager
def transaction(base: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All of the block is written, or nothing; what is read does not change meanwhile."""
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
    """The database's errors in our words."""
    try:
        yield
    except sqlite3.Error as error:
        raise described(error, path) from error


def described(error: sqlite3.Error, path: Path) -> RecollectError:
    """What an error of the database means, and what to do."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _HELD:
        return BusyError(f"{path}: locked by another process for {_WAIT_S:.0f} s. Wait for it or stop it, then resume.")
    if code in _NO_WRITING:
        return DiskError(
            f"{path}: {error}. What was paid for and acknowledged is kept; make room, allow writing or pick another "
            "`--runs-dir` on a local disk, then resume."
        )
    return DataError(f"not a whole cache of calls: {error}", path, fix=_AWAY)
