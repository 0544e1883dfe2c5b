"""Embeddings in OpenAI's protocol, from any embedder."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.gateway import BadRequestError, Body
from recollect.contracts.models import Embedder
from recollect.text.tokens import count

MOST_TEXTS = 2048


@dataclass(frozen=True, slots=True)
class EmbedderEmbedding:
    """The embedder of a run, with its cache of vectors."""

    embedder: Embedder

    @property
    def model(self) -> str:
        """The name in replies, whatever name the caller used."""
        return "recollect-embedder"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.embedder.dimensions

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """Unit vectors of *texts*; a smaller number of *dimensions* takes the first ones, at unit length.

        Raises:
            BadRequestError: More dimensions than there are.
            CallError: The embedder failed.
        """
        return await asyncio.to_thread(self.answered, texts, dimensions, packed=packed)

    def answered(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """As `embed`; blocks."""
        vectors = _cut(self.embedder.embed(texts), dimensions)
        tokens = sum(map(count, texts))
        written = [
            base64.b64encode(vector.astype("<f4").tobytes()).decode() if packed else vector.tolist()
            for vector in vectors
        ]
        return json.dumps(
            {
                "object": "list",
                "data": [
                    {"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(written)
                ],
                "model": self.model,
                "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            }
        ).encode()


def _cut(vectors: NDArray[np.float32], dimensions: int | None) -> NDArray[np.float32]:
    have = vectors.shape[1]
    if dimensions is None or dimensions == have:
        return vectors
    if dimensions > have:
        raise BadRequestError(
            f"`dimensions` is {dimensions}, and the embedder of this run makes vectors of {have}. "
            f"Configure your system for {have}, or name another embedder with `--embedder`.",
            code="dimensions",
        )
    cut = vectors[:, :dimensions].astype(np.float64)
    lengths = np.linalg.norm(cut, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (cut / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


@dataclass(frozen=True, slots=True)
class NoEmbedding:
    """For a run without an embedder."""

    why: str

    @property
    def model(self) -> str:
        """The name in the list of models."""
        return "no-embedder"

    @property
    def dimensions(self) -> int:
        """0."""
        return 0

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:  # noqa: ARG002
        """Nothing.

        Raises:
            BadRequestError: Always.
        """
        raise BadRequestError(f"there is no embedder: {self.why}", code="no_embedder")


def read_request(body: Body) -> tuple[list[str], int | None, bool]:
    """Texts, dimensions, and whether vectors are wanted as base64.

    Raises:
        BadRequestError: With all problems at once.
    """
    texts, dimensions, form = body.get("input"), body.get("dimensions"), body.get("encoding_format", "float")
    found = [texts] if isinstance(texts, str) else texts
    problems = []
    if not isinstance(found, list) or not found or not all(isinstance(text, str) for text in found):
        problems.append("`input` is a text or a list of texts; tokens are not taken, for they belong to one model")
    elif len(found) > MOST_TEXTS:
        problems.append(f"`input` holds {len(found)} texts, at most {MOST_TEXTS} are taken")
    if dimensions is not None and (not isinstance(dimensions, int) or isinstance(dimensions, bool) or dimensions < 1):
        problems.append(f"`dimensions` is {dimensions!r}, not a number from 1")
    if form not in ("float", "base64", None):
        problems.append(f"`encoding_format` is {form!r}, not `float` or `base64`")
    if problems or not isinstance(found, list):
        raise BadRequestError("embeddings: " + "; ".join(problems) + ".")
    return found, dimensions, form == "base64"
