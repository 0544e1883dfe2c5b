"""Bounded caches that threads share: of any results, and of the vectors of texts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from recollect.contracts.models import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_VECTORS = 50_000
_DIGITS = 6


class Vectors:
    """An embedder with a bounded memory; several threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._held: Lru[str, NDArray[np.float32]] = Lru(_MOST_VECTORS)

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of *texts*, shape (texts, dimensions)."""
        import numpy as np

        if not texts:
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        held = {text: self._held.peek(text) for text in dict.fromkeys(texts)}
        missing = [text for text, vector in held.items() if vector is None]
        if missing:
            for text, vector in zip(missing, self._embedder.embed(missing), strict=True):
                held[text] = vector
                self._held.put(text, vector)
        return np.stack([vector for text in texts if (vector := held[text]) is not None])

    def cosines(self, one: str, others: Sequence[str]) -> list[float]:
        """Cosine of one text with each other, rounded so that the batch's shape does not show."""
        first, *rest = self.of([one, *others])  # in one go: an embedder is slow to start
        return [round(float(other @ first), _DIGITS) for other in rest]

    def prepare(self, texts: Sequence[str]) -> None:
        """Make the vectors of texts that will be asked for one by one."""
        self.of(texts)


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
