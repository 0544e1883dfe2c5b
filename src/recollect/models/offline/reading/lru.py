"""A bounded memory of results that several threads share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lru(Generic[K, V]):
    """Keeps the latest results; a value may be made twice by two threads, which is harmless for pure functions."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._held: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of *key*, made by *make* if it is not held."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        value = make()
        self.put(key, value)
        return value

    def peek(self, key: K) -> V | None:
        """The value of *key* if it is held."""
        with self._lock:
            return self._held.get(key)

    def put(self, key: K, value: V) -> None:
        """Hold *value*; the oldest goes when there are too many."""
        with self._lock:
            self._held[key] = value
            self._held.move_to_end(key)
            while len(self._held) > self._size:
                self._held.popitem(last=False)
