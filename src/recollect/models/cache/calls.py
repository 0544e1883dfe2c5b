"""The cache of calls: replies of models by key, in a folder that runs and processes share.

An SQLite database in write-ahead mode, synced at each commit: what was acknowledged survives a kill of the process and
of the machine. Prompts are stored in chunks, each once: three hundred questions on one long context store it once.
Meant for a local disk; caches of several machines are combined by `merge`.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.domain.errors import DiskError, StoreError
from recollect.models.cache.database import FILE, connect, described_errors, open_base
from recollect.models.cache.entries import Kind, Stored, find, pack, read_chunk, texts_of
from recollect.models.cache.writer import Writer

if TYPE_CHECKING:
    from recollect.models.cache.merge import Merged


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Calls of one kind to one model."""

    kind: Kind
    model: str
    calls: int
    input: int
    """Tokens sent, where the provider reported them."""
    output: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheContents:
    """What a cache holds."""

    held: tuple[CallCounts, ...]
    texts: int
    """Chunks of prompts, each stored once."""
    size: int
    """Bytes on the disk."""


class CallCache(AbstractContextManager["CallCache"]):
    """Replies by key; safe for several threads and processes. Not to be taken across a fork."""

    def __init__(self, folder: Path) -> None:
        """Open the cache in *folder*, created if there is none.

        Raises:
            NewerSchemaError: A newer version made it.
            DataError: The file there is something else.
            DiskError: It cannot be written.
        """
        self._path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DiskError(
                f"{folder}: no folder for the cache of calls can be made here ({error.strerror}). "
                "Allow writing, or pick another `--runs-dir`."
            ) from error
        self._closed = False
        self._idle: deque[sqlite3.Connection] = deque()
        self._writer = Writer(open_base(self._path), self._path)

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: str) -> Stored | None:
        """The reply to a call, without its prompt; `None` if it was never made.

        Raises:
            DataError: The file is damaged.
        """
        with self._connection() as base:
            return find(base, key)

    def prompt(self, key: str) -> str | None:
        """The prompt of a reply; `None` if there is no such reply.

        Raises:
            DataError: The file is damaged.
        """
        with self._connection() as base:
            found = base.execute("SELECT prompt FROM response WHERE key = ?", (key,)).fetchone()
            if found is None:
                return None
            return b"".join(read_chunk(base, number).text or b"" for number in texts_of(found[0])).decode()

    def put(self, key: str, stored: Stored) -> Stored:
        """Store a reply durably. The first reply of a key stays, and is returned.

        Raises:
            ValueError: *key* is no digest, or a count of tokens is below 0.
            DiskError: The disk is full or read-only.
            BusyError: Other processes kept the file locked for a minute.
        """
        return self._writer.submit(partial(pack, key, stored, int(time.time()))).result() or stored

    async def put_async(self, key: str, stored: Stored) -> Stored:
        """As `put`, for an event loop; a caller that is cancelled while it waits loses nothing."""
        return await self._writer.written(partial(pack, key, stored, int(time.time()))) or stored

    def holdings(self) -> CacheContents:
        """What is in the cache, by kind and model."""
        query = """
            SELECT kind, model, count(*), coalesce(sum(input), 0), coalesce(sum(output), 0)
            FROM response GROUP BY kind, model ORDER BY kind, model
        """
        with self._connection() as base:
            rows = base.execute(query).fetchall()
            texts = base.execute("SELECT count(*) FROM blob").fetchone()[0]
        files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        return CacheContents(
            held=tuple(CallCounts(kind=k, model=m, calls=n, input=i, output=o) for k, m, n, i, o in rows),
            texts=texts,
            size=sum(file.stat().st_size for file in files if file.exists()),
        )

    def export(self, target: Path) -> int:
        """Write all calls to one file, in the order of their keys: the same calls, the same bytes. Returns how many.

        Raises:
            DiskError: The file cannot be written; an earlier file is left as it was.
        """
        from recollect.models.cache.exchange import export

        with self._connection() as base:
            return export(base, target)

    def merge(self, files: Sequence[Path], *, keep_ours: bool = False) -> Merged:
        """Add the calls of exported *files* that are not here; nothing is added unless all files are complete.

        *keep_ours* keeps the reply that is here, or in the first of the files, where another one has it differently.

        Raises:
            DataError: A file is not a complete export; all problems are listed.
            ClashError: Two replies to one call differ.
            NewerSchemaError: A newer version exported it.
        """
        from recollect.models.cache.merge import merge

        with self._connection() as base:
            return merge(files, base, self._writer, keep_ours=keep_ours)

    def close(self) -> None:
        """Write what is pending and close the file. Closing again does nothing."""
        self._closed = True
        self._writer.close()
        self._close_idle()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise StoreError(f"{self._path}: the cache is closed")
        try:
            base = self._idle.pop()
        except IndexError:
            base = connect(self._path)
        try:
            with described_errors(self._path):
                yield base
        finally:
            self._idle.append(base)
            self._close_idle()

    def _close_idle(self) -> None:
        """Once the cache is closed, close connections that no thread uses."""
        with suppress(IndexError):
            while self._closed:
                self._idle.pop().close()
