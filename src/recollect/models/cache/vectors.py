"""The cache of vectors: a folder shared by all runs and processes that use it; each vector is computed once.

A database in write-ahead mode: what `put` returned from survives a kill, and a tail torn off in writing fails its
checksum and is as if it had never been written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.models import Embedder
from recollect.domain.errors import BusyError, DataError, DiskError, RecollectError
from recollect.models.cache.database import transaction, when_unlocked

FILE = "vectors.sqlite"

_WAIT_S = 60.0
_AT_ONCE = 500
_EMBED_AT_ONCE = 2048
TEXTS_A_CALL = 128
"""Texts of one call of an embedder that is paid for: its vectors are kept before the next call."""
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    embedder BLOB NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
)
"""

Floats = NDArray[np.float32]
T = TypeVar("T")

GIVEN_UP = (BusyError, DataError, DiskError)
"""Errors on which the cache is given up; the run goes on without it."""


class VectorCache(AbstractContextManager["VectorCache"]):
    """Vectors by embedder and text; safe for several threads and processes."""

    def __init__(self, folder: Path) -> None:
        """Open the cache in *folder*, made if there is none.

        Raises:
            DataError: The file there is not a cache.
            DiskError: There can be no such folder.
        """
        self._path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DiskError(f"{self._path}: the folder cannot be made ({error.strerror}).") from error
        self._lock = Lock()
        with self._described_errors():
            self._base = sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            with self._described_errors():
                self._base.execute(f"PRAGMA busy_timeout = {int(_WAIT_S * 1000)}")
                when_unlocked(lambda: self._base.execute("PRAGMA journal_mode = WAL").fetchone())
                self._base.execute("PRAGMA synchronous = NORMAL")
                self._base.execute(_TABLE)
        except RecollectError:
            self._base.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, fingerprint: str, texts: Sequence[str]) -> dict[str, Floats]:
        """The vectors that are there, by text, each of shape (dimensions,) and read-only."""
        wanted = {_digest(text): text for text in texts}
        embedder = _digest(fingerprint)
        found: dict[str, Floats] = {}
        digests = iter(wanted)
        while few := list(islice(digests, _AT_ONCE)):
            marks = ",".join("?" * len(few))
            query = f"SELECT text, vector FROM vectors WHERE embedder = ? AND text IN ({marks})"  # noqa: S608
            with self._described_errors(), self._lock:
                rows = self._base.execute(query, (embedder, *few)).fetchall()
            found |= {wanted[digest]: np.frombuffer(vector, np.float32) for digest, vector in rows}
        return found

    def put(self, fingerprint: str, vectors: Mapping[str, Floats]) -> None:
        """Keep *vectors*, by text; once this returned, a kill of the process does not lose them.

        Raises:
            BusyError: Other processes kept the file locked for a minute.
            DiskError: The disk is full or read-only.
        """
        embedder = _digest(fingerprint)
        rows = [(embedder, _digest(text), np.ascontiguousarray(vector).tobytes()) for text, vector in vectors.items()]
        with self._described_errors(), self._lock, transaction(self._base):
            self._base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file; what was put stays."""
        self._base.close()

    @contextmanager
    def _described_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BusyError(f"{self._path}: locked by another process for {_WAIT_S:.0f} s.") from error
            raise DiskError(f"{self._path}: {error}. Free some space or allow writing.") from error
        except sqlite3.DatabaseError as error:
            fix = "Delete it: the vectors are computed again."
            raise DataError(f"not a cache of vectors: {error}", self._path, fix=fix) from error


class CachedEmbedder:
    """An embedder that asks the cache first; its vectors are bit for bit those of the embedder.

    A cache only saves time: one that breaks is given up, once and for all, and what it held is embedded again.
    """

    def __init__(
        self,
        embedder: Embedder,
        cache: VectorCache,
        say: Callable[[str], None] = lambda _text: None,
        at_once: int | None = None,
    ) -> None:
        """Put *cache* in front of *embedder*; *say* gets the reason if the cache is given up.

        Vectors are kept after every *at_once* texts: what is embedded until then is lost by a failure.
        """
        self._embedder = embedder
        self._at_once = at_once or _EMBED_AT_ONCE
        self._cache: VectorCache | None = cache
        self._say = say
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        """That of the embedder: a cache changes no vector."""
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, shape (texts, dimensions); each text that is not in the cache is embedded once and put there.

        Raises:
            CallError: The embedder failed; what it had embedded before is in the cache.
        """
        size = self.dimensions
        known = self._tried(lambda cache: cache.get(self.fingerprint, texts)) or {}
        found = {text: vector for text, vector in known.items() if vector.shape == (size,)}
        missing = (text for text in dict.fromkeys(texts) if text not in found)
        while few := list(islice(missing, self._at_once)):
            new = dict(zip(few, self._embedder.embed(few), strict=True))
            self._tried(partial(VectorCache.put, fingerprint=self.fingerprint, vectors=new))
            found |= new
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, size), np.float32)

    def _tried(self, act: Callable[[VectorCache], T]) -> T | None:
        """The result of *act* on the cache; `None` once the cache is given up."""
        cache = self._cache
        if cache is None:
            return None
        try:
            return act(cache)
        except GIVEN_UP as error:
            with self._lock:
                first, self._cache = self._cache is not None, None
            if first:
                self._say(uncached(error))
            return None


def cached(embedder: Embedder, folder: Path, say: Callable[[str], None], at_once: int | None = None) -> Embedder:
    """*embedder* with its vectors cached in *folder*; where that fails, itself, and *say* gets the reason."""
    try:
        return CachedEmbedder(embedder, VectorCache(folder), say, at_once)
    except GIVEN_UP as error:
        say(uncached(error))
        return embedder


def uncached(error: RecollectError) -> str:
    """The warning for a cache that is given up."""
    return f"vectors are computed without being kept: {error}"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
