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
"""Most jobs of one commit."""
_FEW = 5
"""So many jobs are written at once, and of more than twice as many half. Calls that are acknowledged together are sent,
answered and written together ever after, and while all wait for the disk nobody works."""

Apply = Callable[[sqlite3.Connection], None]
"""Writes inside a transaction."""
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
        self._door = Lock()
        self._open = True
        self._thread = Thread(target=self._work, name="cache of calls", daemon=True)
        self._thread.start()

    def submit(self, prepare: Prepare) -> Future[Stored | None]:
        """Have it written; the future is done after the commit, and cannot be cancelled: a reply was paid for.

        Raises:
            StoreError: The writer was closed.
        """
        return self._put(_Job(prepare))

    async def written(self, prepare: Prepare) -> Stored | None:
        """As `submit`, for an event loop: it is woken once for all that one commit wrote."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done = self._put(_Job(prepare, turn=turn))
        await turn
        return done.result()

    def _put(self, job: _Job) -> Future[Stored | None]:
        job.done.set_running_or_notify_cancel()
        with self._door:
            if not self._open:
                raise StoreError(f"{self._path}: the cache is closed")
            self._jobs.put(job)
        return job.done

    def close(self) -> None:
        """Write what waits, then close the connection; closing again does nothing."""
        with self._door:
            if self._open:
                self._open = False
                self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        ended = False
        try:
            while not ended:
                first, others = self._jobs.get(), self._jobs.qsize()
                company = min(max(_FEW - 1, others // 2), others, _AT_ONCE - 1)
                waiting = [first, *(self._jobs.get() for _ in range(company))]
                ended = None in waiting
                self._write([job for job in waiting if job is not None])
        finally:
            self._give_up()
            self._base.close()

    def _write(self, jobs: list[_Job]) -> None:
        try:
            ready = [job for job in jobs if _prepared(job)]
            if ready:
                self._commit(ready)
        finally:
            self._refuse([job for job in jobs if not job.done.done()])
            _wake(jobs)

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            found = self._added(jobs)
        except sqlite3.Error as error:
            for job in jobs:
                told = described(error, self._path)
                told.__cause__ = error
                job.done.set_exception(told)
            return
        for job, there in zip(jobs, found, strict=True):
            job.done.set_result(there)

    def _added(self, jobs: list[_Job]) -> list[Stored | None]:
        """As `_apply`, in a transaction; usually all are new rows, for which there is a shorter way."""
        rows = [job.ready for job in jobs if isinstance(job.ready, Row)]
        if len(rows) == len(jobs) and self._adder.at_once(rows):
            return [None] * len(jobs)
        with transaction(self._base):
            return self._apply(jobs)

    def _apply(self, jobs: list[_Job]) -> list[Stored | None]:
        """What was there already, a job each; rows are written last and together, and may need what stands before."""
        for job in jobs:
            if job.ready is not None and not isinstance(job.ready, Row):
                job.ready(self._base)
        rows = iter(self._adder.add([job.ready for job in jobs if isinstance(job.ready, Row)]))
        return [next(rows) if isinstance(job.ready, Row) else None for job in jobs]

    def _give_up(self) -> None:
        """Nobody waits for a thread that has ended."""
        with self._door:
            self._open = False
        left = [job for job in (self._jobs.get() for _ in range(self._jobs.qsize())) if job is not None]
        self._refuse(left)
        _wake(left)

    def _refuse(self, jobs: list[_Job]) -> None:
        for job in jobs:
            job.done.set_exception(StoreError(f"{self._path}: the writer of the cache stopped. Resume the run."))


def _wake(jobs: Iterable[_Job]) -> None:
    """Each event loop is called once; one that was closed has nobody who waits."""
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for job in jobs:
        if job.turn is not None:
            by_loop.setdefault(job.turn.get_loop(), []).append(job.turn)
    for loop, turns in by_loop.items():
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_ring, turns)


def _ring(turns: Iterable[asyncio.Future[None]]) -> None:
    for turn in turns:
        if not turn.done():
            turn.set_result(None)


def _prepared(job: _Job) -> bool:
    """The job can be written; one that cannot is told why."""
    try:
        job.ready = job.prepare()
    except (TypeError, ValueError) as error:
        job.done.set_exception(error)
        return False
    return True
