"""Equal calls that are made at the same time are one call."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flight(Generic[T]):
    """Calls that are on their way, by key; for any number of threads."""

    def __init__(self) -> None:
        self._calls: dict[str, Future[T]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many calls are on their way."""
        return len(self._calls)

    def once(
        self,
        key: str,
        make: Callable[[], Coroutine[Any, Any, T]],
        start: Callable[[Coroutine[Any, Any, T], Future[T]], None],
    ) -> tuple[Future[T], bool]:
        """The call of *key*, and whether it was begun here: *start* has an event loop do what *make* gives.

        An error goes to all who wait, and the next to come begins anew. Nobody may cancel the call: it goes on for the
        others, and because it may be paid for already.
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
        """Wait until no call is on its way, also those whose callers have all gone; not in the calls' own thread."""
        while calls := tuple(self._calls.values()):
            wait(calls)
            for key, call in tuple(self._calls.items()):
                if call.done():
                    self._landed(key, call)

    def _landed(self, key: str, call: Future[T]) -> None:
        with self._lock:
            if self._calls.get(key) is call:
                del self._calls[key]
