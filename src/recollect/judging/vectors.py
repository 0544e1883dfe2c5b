"""Cosines between short texts, each embedded once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.contracts.models import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_KEPT = 50_000


class Cosines:
    """Cosine of two texts. Vectors are kept; threads may share them, for a text's vector is always the same."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, one: str, other: str) -> float:
        return float(self._vector(one) @ self._vector(other))

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = self._vectors.get(text)
        if vector is None:
            vector = self._embedder.embed([text])[0]
            if len(self._vectors) < MOST_KEPT:
                self._vectors[text] = vector
        return vector
