"""Vectors of texts, made once: the same examples, words and sentences come back over many questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.contracts.models import Embedder
from recollect.models.offline.reading.lru import Lru

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HELD = 50_000
_DIGITS = 6


class Vectors:
    """An embedder with a bounded memory; several threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._held: Lru[str, NDArray[np.float32]] = Lru(_HELD)

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
