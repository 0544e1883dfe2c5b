"""An embedder without weights: texts that share words have like vectors, and nothing is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from recollect.domain.errors import RetryableError
from recollect.text.normal import search_tokens


@dataclass
class HashEmbedder:
    """Each stem adds one to a component that its digest names; notes what it was asked."""

    dimensions: int = 64
    asked: list[str] = field(default_factory=list)
    fails_at: int | None = None
    """The number of the call that breaks, counted from 0."""
    calls: int = 0

    @property
    def fingerprint(self) -> str:
        return "hash-1"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        if self.calls - 1 == self.fails_at:
            raise RetryableError("embedder: timed out after 10 s. Try again.")
        self.asked.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self.dimensions, np.float32)
        for token in search_tokens(text) or ["nothing"]:
            vector[int(sha256(token.encode("utf-8", "replace")).hexdigest(), 16) % self.dimensions] += 1
        unit: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit
