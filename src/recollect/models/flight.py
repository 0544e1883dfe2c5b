"""Equal calls that are made at the same time are one call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flight(Generic[T]):
    """Calls that are on their way in one event loop, by key."""

    def __init__(self) -> None:
        self._calls: dict[str, asyncio.Task[T]] = {}

    def __len__(self) -> int:
        """How many calls are on their way."""
        return len(self._calls)

    async def once(self, key: str, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What *make* gives; who comes while the call is on its way waits for the same one.

        An error goes to all who wait, and the next to come tries anew. Who is cancelled leaves alone: the call goes
        on, for the others, and because it may be paid for already.
        """
        call = self._calls.get(key)
        if call is None or call.done():
            call = asyncio.get_running_loop().create_task(make(), name=f"call {key}")
            self._calls[key] = call
            call.add_done_callback(lambda done: self._landed(key, done))
        await asyncio.wait((call,))
        return call.result()

    async def settle(self) -> None:
        """Wait until no call is on its way, also those whose callers were all cancelled."""
        while self._calls:
            await asyncio.wait(tuple(self._calls.values()))

    def _landed(self, key: str, call: asyncio.Task[T]) -> None:
        if self._calls.get(key) is call:
            del self._calls[key]
        if not call.cancelled():
            call.exception()  # somebody may have waited, or nobody: asyncio need not complain
