"""Embeddings in OpenAI's protocol: the body of a request, and the vectors from what came back."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.models import Usage
from recollect.domain.errors import MalformedError
from recollect.models.settings import ModelSettings
from recollect.models.wire.errors import error_details_in, error_in_reply
from recollect.models.wire.parsing import Json, check_model, label_of, parse_object, wrong_schema
from recollect.models.wire.usage import required_usage, usage_in

Floats = NDArray[np.float32]


def embed_body(settings: ModelSettings, texts: Sequence[str]) -> Json:
    """The body of a request."""
    sizes: Json = {} if settings.dimensions is None else {"dimensions": settings.dimensions}
    return {**sizes, **settings.extra, "model": settings.model, "input": list(texts)}


def read_vectors(settings: ModelSettings, raw: bytes, count: int) -> tuple[Floats, Usage | None]:
    """The vectors in *raw*, shape (count, dimensions), in the order of the texts, in the length that they came in.

    Raises:
        MalformedError: It cannot be used; the cause says why.
        RetryableError: It is an error that may pass.
        RefusedError: It is an error that stays.
    """
    reply = parse_object(label_of(settings), raw)
    complaint = error_details_in(reply)
    if complaint is not None:
        raise error_in_reply(label_of(settings), complaint)
    items = enumerate(_items(settings, reply.get("data"), count))
    vectors = _stacked(settings, [_row(settings, number, item.get("embedding")) for number, item in items])
    check_model(settings, reply.get("model"))
    return vectors, required_usage(settings, usage_in(reply))


def _items(settings: ModelSettings, data: object, count: int) -> list[Json]:
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise wrong_schema(label_of(settings), "`data` is no list of objects")
    if len(data) != count:
        raise _bad(settings, f"{len(data)} vectors came back for {count} texts")
    indexes = [item.get("index") for item in data]
    if all(index is None for index in indexes):
        return data
    if not all(type(index) is int for index in indexes) or sorted(indexes) != list(range(count)):
        raise _bad(settings, f"the vectors are not numbered from 0 to {count - 1}")
    return sorted(data, key=lambda item: int(item["index"]))


def _row(settings: ModelSettings, number: int, found: object) -> NDArray[np.float64]:
    """One vector, from numbers or from base64 of little-endian floats."""
    field = f"`data[{number}].embedding`"
    if isinstance(found, str):
        try:
            return np.frombuffer(base64.b64decode(found, validate=True), dtype="<f4").astype(np.float64)
        except (binascii.Error, ValueError):
            raise wrong_schema(label_of(settings), f"{field} is neither numbers nor base64 of floats") from None
    try:
        row = np.asarray(found if isinstance(found, list) else "none")
    except (ValueError, OverflowError, RecursionError):
        row = np.asarray("none")
    if found != [] and (row.ndim != 1 or row.dtype.kind not in "fiu"):
        raise wrong_schema(label_of(settings), f"{field} is no list of numbers")
    return row.astype(np.float64)


def _stacked(settings: ModelSettings, rows: Sequence[NDArray[np.float64]]) -> Floats:
    sizes = {len(row) for row in rows}
    if not rows:
        return np.empty((0, settings.dimensions or 0), np.float32)
    if len(sizes) > 1:
        raise _bad(settings, f"vectors of {min(sizes)} and of {max(sizes)} numbers came back in one reply")
    if settings.dimensions is not None and sizes != {settings.dimensions}:
        raise _bad(settings, f"a vector has {len(rows[0])} numbers, asked were {settings.dimensions}")
    with np.errstate(over="ignore"):
        vectors = np.stack(rows).astype(np.float32)
    if not np.isfinite(vectors).all():
        raise _bad(settings, "a vector holds a number that is not finite")
    if not vectors.any(axis=1).all():
        raise _bad(settings, "a vector is all zeros, and points nowhere")
    return vectors


def _bad(settings: ModelSettings, problem: str) -> MalformedError:
    text = f"{label_of(settings)}: {problem}. If it stays, take another model or endpoint."
    return MalformedError(text, cause="bad_vector")
