"""An event loop in a thread of its own: blocking callers hand it their work and wait."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Loop:
    """Started by the first use."""

    name: str = "models"
    _loop: asyncio.AbstractEventLoop | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _pending: deque[tuple[Coroutine[Any, Any, Any], Future[Any]]] = field(default_factory=deque)
    """Work that the loop has not started yet."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    """The loop itself holds only weak references to tasks."""
    _notified: bool = False
    """The loop was woken: doing it again would cost a system call for each."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of *work*, done in the loop's thread; blocks, and may be called by any other thread."""
        result: Future[T] = Future()
        self.start(work, result)
        return result.result()

    def start(self, work: Coroutine[Any, Any, T], result: Future[T]) -> None:
        """As `run`, without waiting: *result* gets the result or the error."""
        self._pending.append((work, result))
        loop = self._running()
        if not self._notified:
            self._notified = True
            loop.call_soon_threadsafe(self._start_all)

    def close(self) -> None:
        """Stop the thread; running work is cancelled."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    def _running(self) -> asyncio.AbstractEventLoop:
        loop = self._loop
        if loop is not None:
            return loop
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name=self.name, daemon=True).start()
            return self._loop

    def _start_all(self) -> None:
        self._notified = False
        loop = asyncio.get_running_loop()
        while self._pending:
            work, result = self._pending.popleft()
            task = loop.create_task(_settle(work, result))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _settle(work: Coroutine[Any, Any, T], result: Future[T]) -> None:
    try:
        done = await work
    except asyncio.CancelledError:
        result.set_exception(CancelledError())
        raise
    except BaseException as error:  # noqa: BLE001 - it is the caller's
        result.set_exception(error)
    else:
        result.set_result(done)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
