"""The embedder that needs no key, no network and no torch: MiniLM on numpy."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.offline.embedder import blas
from recollect.offline.embedder.network import ROWS_AT_ONCE, Batch, forward, plan
from recollect.offline.embedder.weights import CHECKSUMS, DIMENSIONS, TENSORS, find_folder, load
from recollect.offline.embedder.wordpiece import MAX_TOKENS, WordPiece

RUN_TIME = "numpy-float32.1"
"""Name and version of the forward pass; a change that moves a vector's sixth digit gets a new number."""

_FEWEST_ROWS = 128


class Embedder:
    """all-MiniLM-L6-v2: 384 dimensions, English, unit vectors.

    What a text says after its first 256 tokens (about 190 words) does not reach its vector; embed long texts in
    pieces. A text's vector is the same whatever texts stand beside it.
    """

    name = "minilm-l6-v2"
    dimensions = DIMENSIONS
    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path | None = None) -> None:
        """Find the weights; they are read at the first `embed`.

        Args:
            folder: Where the model's files lie; without it, in the installed package.

        Raises:
            MissingExtraError: The package with the weights is not installed.
        """
        self._folder = folder or find_folder()

    @property
    def fingerprint(self) -> str:
        """Name, digest of the weights and run-time."""
        return f"{self.name}:{CHECKSUMS[TENSORS][:16]}:{RUN_TIME}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, 384).

        Raises:
            DataError: The weights are not those of the pinned release.
        """
        model = load(self._folder)
        tokens = [self._tokenizer.encode(text) for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        with blas.workers() as workers:
            batches = _batches([len(ids) for ids in tokens], workers)
            with ThreadPoolExecutor(min(workers, len(batches)) or 1) as pool:
                done = pool.map(partial(forward, model.weights, tokens=tokens), batches)
                for batch, found in zip(batches, done, strict=True):
                    vectors[batch.members] = found
        return vectors

    @cached_property
    def _tokenizer(self) -> WordPiece:
        return WordPiece(load(self._folder).vocabulary)


def _batches(lengths: Sequence[int], workers: int) -> list[Batch]:
    """Small inputs are still shared among the workers."""
    unit = blas.row_unit()
    rows = min(ROWS_AT_ONCE, max(_FEWEST_ROWS, -(-sum(lengths) // workers)))
    return list(plan(lengths, unit=unit or 1, rows=rows if unit else 1))
