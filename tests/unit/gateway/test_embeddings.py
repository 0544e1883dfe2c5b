"""Embeddings as callers want them: numbers or packed, whole or cut, and never more than there are."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Sequence

import numpy as np
import pytest

from recollect.contracts.gateway import BadRequestError
from recollect.domain.errors import MissingExtraError
from recollect.gateway.embeddings import MOST_TEXTS, EmbedderEmbedding, NoEmbedding, read_request

from tests.fakes.gateway_calls import CountedEmbedder

TEXTS = ["a dog", "a cat", ""]


def embedded(texts: Sequence[str] = TEXTS, dimensions: int | None = None, *, packed: bool = False) -> dict[str, object]:
    """The reply, parsed."""
    embedding = EmbedderEmbedding(CountedEmbedder())
    found: dict[str, object] = json.loads(embedding.answered(texts, dimensions, packed=packed))
    return found


def vectors(reply: dict[str, object]) -> np.ndarray:
    """Its vectors, however they are written."""
    rows = [one["embedding"] for one in reply["data"]]  # type: ignore[attr-defined]
    unpacked = [np.frombuffer(base64.b64decode(row), "<f4") if isinstance(row, str) else row for row in rows]
    return np.asarray(unpacked, np.float32)


def test_numbers_and_packed_floats_are_the_same_vectors() -> None:
    """To the last bit."""
    plain, packed = embedded(), embedded(packed=True)
    assert isinstance(packed["data"][0]["embedding"], str)  # type: ignore[index]
    assert np.array_equal(vectors(plain), vectors(packed))
    assert np.array_equal(vectors(plain), CountedEmbedder().embed(TEXTS))


def test_fewer_dimensions_are_the_first_ones_at_unit_length() -> None:
    """As models that can be cut have it."""
    cut, whole = vectors(embedded(TEXTS[:2], 5)), vectors(embedded(TEXTS[:2]))[:, :5]
    assert np.allclose(np.linalg.norm(cut, axis=1), 1)
    assert np.allclose(cut * np.linalg.norm(whole, axis=1, keepdims=True), whole, atol=1e-6)
    assert np.array_equal(vectors(embedded(dimensions=8)), vectors(embedded()))


def test_more_dimensions_than_there_are_are_refused_with_both_numbers() -> None:
    """Zeros at the end would be a lie."""
    with pytest.raises(BadRequestError, match=r"1536.* of 8\."):
        embedded(dimensions=1536)


def test_tokens_are_told() -> None:
    """Callers sum them."""
    usage = embedded()["usage"]
    assert usage == {"prompt_tokens": 4, "total_tokens": 4}


def test_one_text_is_a_list_of_one() -> None:
    """And base64 is what SDKs ask for."""
    assert read_request({"input": "a", "encoding_format": "base64", "dimensions": 3}) == (["a"], 3, True)
    assert read_request({"input": ["a", "b"], "encoding_format": None}) == (["a", "b"], None, False)


def test_more_texts_than_one_request_holds_are_refused() -> None:
    """As by the provider."""
    with pytest.raises(BadRequestError, match=str(MOST_TEXTS)):
        read_request({"input": ["a"] * (MOST_TEXTS + 1)})


def test_where_nobody_embeds_the_caller_is_told_why() -> None:
    """With the line that installs what is missing."""
    missing = NoEmbedding(str(MissingExtraError("the embedder", "weights", "pip install weights")))
    assert missing.dimensions == 0
    with pytest.raises(BadRequestError, match="pip install weights"):
        asyncio.run(missing.embed([], None, packed=False))
