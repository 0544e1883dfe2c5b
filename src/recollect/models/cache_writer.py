"""The one thread that writes the cache of calls: all that waits is written in one go, and acknowledged after.

A commit waits for the disk; while it does, further calls come in, and the next commit takes them all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

from recollect.domain.errors import StoreError
from recollect.models.cache_file import in_our_words, transaction
from recollect.models.stored import Stored

_AT_ONCE = 500
"""Most jobs of one commit."""

Apply = Callable[[sqlite3.Connection], Stored | None]
"""Writes inside a transaction; gives what was there already."""
Prepare = Callable[[], Apply]
"""Done before the file is locked; may fail (TypeError, ValueError) without harm to the others."""


@dataclass(slots=True)
class _Job:
    prepare: Prepare
    done: Future[Stored | None] = field(default_factory=Future)
    apply: Apply | None = None


class Writer:
    """Writes through a connection of its own, in the order in which jobs come."""

    def __init__(self, base: sqlite3.Connection, path: Path) -> None:
        """Take over *base*; `close` closes it."""
        self._base, self._path = base, path
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
        job = _Job(prepare)
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
                first = self._jobs.get()
                waiting = [first, *(self._jobs.get() for _ in range(min(self._jobs.qsize(), _AT_ONCE - 1)))]
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

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            with transaction(self._base):
                found = [job.apply(self._base) if job.apply is not None else None for job in jobs]
        except sqlite3.Error as error:
            for job in jobs:
                told = in_our_words(error, self._path)
                told.__cause__ = error
                job.done.set_exception(told)
            return
        for job, there in zip(jobs, found, strict=True):
            job.done.set_result(there)

    def _give_up(self) -> None:
        """Nobody waits for a thread that has ended."""
        with self._door:
            self._open = False
        self._refuse([job for job in (self._jobs.get() for _ in range(self._jobs.qsize())) if job is not None])

    def _refuse(self, jobs: list[_Job]) -> None:
        for job in jobs:
            job.done.set_exception(StoreError(f"{self._path}: the writer of the cache stopped. Resume the run."))


def _prepared(job: _Job) -> bool:
    """The job can be written; one that cannot is told why."""
    try:
        job.apply = job.prepare()
    except (TypeError, ValueError) as error:
        job.done.set_exception(error)
        return False
    return True
