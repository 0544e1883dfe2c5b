"""The one thread that writes the cache of calls: all that waits is written in one go, and acknowledged after.

A commit waits for the disk; while it does, further calls come in, and the next commit takes them all.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

from recollect.domain.errors import StoreError
from recollect.models.cache.database import described, transaction
from recollect.models.cache.entries import Row, Stored
from recollect.models.cache.rows import RowWriter

_AT_ONCE = 500
_FEW = 5
"""So many jobs are written at once, and of more than twice as many half. Calls that are acknowledged together are sent,
answered and written together ever after, and while all wait for the disk nobody works."""

Apply = Callable[[sqlite3.Connection], object]
Prepare = Callable[[], Row | Apply]
"""Done before the file is locked; may fail (TypeError, ValueError) without harm to the others."""


@dataclass(slots=True)
class _Job:
    prepare: Prepare
    done: Future[Stored | None] = field(default_factory=Future)
    ready: Row | Apply | None = None
    turn: asyncio.Future[None] | None = None
    """Of a caller with an event loop: done once `done` is."""


class Writer:
    """Writes through a connection of its own, in the order in which jobs come."""

    def __init__(self, base: sqlite3.Connection, path: Path) -> None:
        """Take over *base*; `close` closes it."""
        self._base, self._path = base, path
        self._adder = RowWriter(base)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = Lock()
        self._open = True
        self._thread = Thread(target=self._work, name="cache of calls", daemon=True)
        self._thread.start()

    def submit(self, prepare: Prepare) -> Future[Stored | None]:
        """Queue a job; its future is done after the commit, and cannot be cancelled: a reply was paid for."""
        return self._put(_Job(prepare))

    async def written(self, prepare: Prepare) -> Stored | None:
        """As `submit`, for an event loop: it is woken once for all that one commit wrote."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done = self._put(_Job(prepare, turn=turn))
        await turn
        return done.result()

    def _put(self, job: _Job) -> Future[Stored | None]:
        job.done.set_running_or_notify_cancel()
        with self._lock:
            if not self._open:
                raise StoreError(f"{self._path}: the cache is closed")
            self._jobs.put(job)
        return job.done

    def close(self) -> None:
        """Write what waits, then close the connection; closing again does nothing."""
        with self._lock:
            if self._open:
                self._open = False
                self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        ended = False
        try:
            while not ended:
                first, others = self._jobs.get(), self._jobs.qsize()
                further = min(max(_FEW - 1, others // 2), others, _AT_ONCE - 1)
                batch = [first, *(self._jobs.get() for _ in range(further))]
                ended = None in batch
                jobs = [job for job in batch if job is not None]
                try:
                    self._write(jobs)
                finally:
                    self._refuse([job for job in jobs if not job.done.done()])
                    _wake(jobs)
        finally:
            with self._lock:
                self._open = False
            left = [job for job in (self._jobs.get() for _ in range(self._jobs.qsize())) if job is not None]
            self._refuse(left)
            _wake(left)
            self._base.close()

    def _write(self, jobs: list[_Job]) -> None:
        ready = []
        for job in jobs:
            try:
                job.ready = job.prepare()
                ready.append(job)
            except (TypeError, ValueError) as error:
                job.done.set_exception(error)
        try:
            found = self._commit(ready) if ready else []
        except sqlite3.Error as error:
            for job in ready:
                named = described(error, self._path)
                named.__cause__ = error
                job.done.set_exception(named)
            return
        for job, before in zip(ready, found, strict=True):
            job.done.set_result(before)

    def _commit(self, jobs: list[_Job]) -> list[Stored | None]:
        """Write *jobs* in one transaction; what each row's key had before.

        Usually all are new rows, for which there is a shorter way. Rows are written last and together: they may need
        the texts before them.
        """
        rows = [job.ready for job in jobs if isinstance(job.ready, Row)]
        if len(rows) == len(jobs) and self._adder.at_once(rows):
            return [None] * len(jobs)
        with transaction(self._base):
            for job in jobs:
                if job.ready is not None and not isinstance(job.ready, Row):
                    job.ready(self._base)
            found = iter(self._adder.add(rows))
            return [next(found) if isinstance(job.ready, Row) else None for job in jobs]

    def _refuse(self, jobs: list[_Job]) -> None:
        for job in jobs:
            job.done.set_exception(StoreError(f"{self._path}: the writer of the cache stopped. Resume the run."))


def _wake(jobs: Iterable[_Job]) -> None:
    """Schedule one callback for each event loop; a closed loop has nobody who waits."""

    def wake_all(turns: Iterable[asyncio.Future[None]]) -> None:
        for turn in turns:
            if not turn.done():
                turn.set_result(None)

    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for job in jobs:
        if job.turn is not None:
            by_loop.setdefault(job.turn.get_loop(), []).append(job.turn)
    for loop, turns in by_loop.items():
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(wake_all, turns)
