"""In front of the cache on disk: recent replies kept in memory, and one call for equal calls at the same time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

from recollect.models.settings import ModelSettings

MOST = 4096
MOST_BYTES = 32 * 2**20
"""Of the unparsed replies; parsed ones take about three times that."""


@dataclass(slots=True)
class Read:
    """A reply from the cache, parsed by one set of settings."""

    reply: Any
    settings: ModelSettings
    payer: str
    size: int
    """Bytes before parsing."""


class Replies:
    """The most recently read replies by key; thread-safe."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, Read] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str, settings: ModelSettings) -> Read | None:
        """The reply of a call; `None` where it is not kept, or was parsed by other settings: these may refuse it."""
        found = self._read.get(key)
        return found if found is not None and found.settings is settings else None

    def keep(self, key: str, read: Read) -> None:
        """Keep a reply; the oldest ones make room."""
        with self._lock:
            before = self._read.pop(key, None)
            self._bytes += read.size - (before.size if before is not None else 0)
            self._read[key] = read
            while self._read and (len(self._read) > MOST or self._bytes > MOST_BYTES):
                self._bytes -= self._read.popitem(last=False)[1].size

    def clear(self) -> None:
        """Forget all: another cache may hold other replies."""
        with self._lock:
            self._read.clear()
            self._bytes = 0


T = TypeVar("T")


class Flight(Generic[T]):
    """Calls in flight, by key; thread-safe."""

    def __init__(self) -> None:
        self._calls: dict[str, Future[T]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Number of calls in flight."""
        return len(self._calls)

    def once(
        self,
        key: str,
        make: Callable[[], Coroutine[Any, Any, T]],
        start: Callable[[Coroutine[Any, Any, T], Future[T]], None],
    ) -> tuple[Future[T], bool]:
        """The call of *key*, and whether it was begun here: *start* has an event loop do what *make* gives.

        An error goes to all who wait, and the next caller starts over. Nobody may cancel the call: others wait for it,
        and it may be paid for already.
        """
        call: Future[T] = Future()
        call.set_running_or_notify_cancel()
        with self._lock:
            known = self._calls.get(key)
            if known is not None and not known.done():
                return known, False
            self._calls[key] = call
        call.add_done_callback(lambda done: self._landed(key, done))
        try:
            start(make(), call)
        except BaseException as error:  # who waits already must not wait forever
            call.set_exception(error)
            raise
        return call, True

    def settle(self) -> None:
        """Wait until no call is in flight, also those without callers; not in the thread that makes the calls."""
        while calls := tuple(self._calls.values()):
            wait(calls)
            for key, call in tuple(self._calls.items()):
                if call.done():
                    self._landed(key, call)

    def _landed(self, key: str, call: Future[T]) -> None:
        with self._lock:
            if self._calls.get(key) is call:
                del self._calls[key]
