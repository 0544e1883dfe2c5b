"""Replies that were read lately, kept in memory: asked again, they are neither looked up nor parsed again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from recollect.models.settings import ModelSettings

MOST = 4096
"""Replies kept."""
MOST_BYTES = 32 * 2**20
"""Of the replies as they came; parsed they take about three times that."""


@dataclass(slots=True)
class Read:
    """A reply that is in the cache, as one set of settings reads it."""

    reply: Any
    settings: ModelSettings
    payer: str
    size: int
    """Bytes, as it came."""


class Replies:
    """The replies read last, by the key of their call; used by several threads at once."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, Read] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str, settings: ModelSettings) -> Read | None:
        """The reply of a call; `None` where it is not kept, or other settings read it: these may refuse it."""
        found = self._read.get(key)
        return found if found is not None and found.settings is settings else None

    def keep(self, key: str, read: Read) -> None:
        """Keep a reply that is in the cache; the ones kept longest make room."""
        with self._lock:
            before = self._read.pop(key, None)
            self._bytes += read.size - (before.size if before is not None else 0)
            self._read[key] = read
            while self._read and (len(self._read) > MOST or self._bytes > MOST_BYTES):
                self._bytes -= self._read.popitem(last=False)[1].size

    def clear(self) -> None:
        """Keep none: another cache may hold other replies."""
        with self._lock:
            self._read.clear()
            self._bytes = 0
