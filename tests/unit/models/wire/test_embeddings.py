"""What is sent to an embedding endpoint, and the vectors from what comes back."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recollect.contracts.models import Usage
from recollect.domain.errors import CallError
from recollect.models.settings import ModelSettings
from recollect.models.wire.embeddings import embed_body, read_vectors

SETTINGS = ModelSettings(model="e", base_url="http://127.0.0.1:1/v1")
ROWS = [[1.0, 2.0, 2.0], [0.5, -0.25, 0.0]]


def packed(row: list[float]) -> str:
    return base64.b64encode(np.asarray(row, "<f4").tobytes()).decode()


def reply(vectors: list[Any], **changes: Any) -> bytes:
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    usage = {"prompt_tokens": 4, "total_tokens": 4}
    return json.dumps({"object": "list", "data": data, "model": "e", "usage": usage} | changes).encode()


def test_texts_are_sent_in_order_with_the_length_that_was_asked_for() -> None:
    settings = ModelSettings(model="e", dimensions=256, extra={"encoding_format": "base64"})
    wanted = {"model": "e", "input": ["a", "b"], "dimensions": 256, "encoding_format": "base64"}
    assert embed_body(settings, ["a", "b"]) == wanted
    assert embed_body(SETTINGS, ["a"]) == {"model": "e", "input": ["a"]}


@pytest.mark.parametrize("vectors", [ROWS, [packed(row) for row in ROWS]], ids=["lists", "base64"])
def test_vectors_come_as_numbers_or_packed(vectors: list[Any]) -> None:
    got, usage = read_vectors(SETTINGS, reply(vectors), 2)
    assert got.dtype == np.float32
    assert got.tolist() == ROWS
    assert usage == Usage(input=4, output=0)


def test_vectors_stand_in_the_order_of_their_numbers() -> None:
    data = [{"index": 1, "embedding": ROWS[1]}, {"index": 0, "embedding": ROWS[0]}]
    got, _ = read_vectors(SETTINGS, reply([], data=data), 2)
    assert got.tolist() == ROWS


def test_vectors_without_numbers_stand_in_the_order_in_which_they_came() -> None:
    got, _ = read_vectors(SETTINGS, reply([], data=[{"embedding": row} for row in ROWS]), 2)
    assert got.tolist() == ROWS


def test_an_embedder_that_counts_tokens_once_counts_input() -> None:
    _, usage = read_vectors(SETTINGS, reply(ROWS, usage={"total_tokens": 6}), 2)
    assert usage == Usage(input=6, output=0)


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        pytest.param(reply(ROWS[:1]), "bad_vector", id="one-missing"),
        pytest.param(reply([*ROWS, ROWS[0]]), "bad_vector", id="one-too-many"),
        pytest.param(reply([[1.0], [1.0, 2.0]]), "bad_vector", id="unequal-lengths"),
        pytest.param(reply([[1.0, float("nan")], [1.0, 2.0]]), "bad_vector", id="nan"),
        pytest.param(reply([[1.0, 1e300], [1.0, 2.0]]), "bad_vector", id="too-large"),
        pytest.param(reply([[0.0, 0.0], [1.0, 2.0]]), "bad_vector", id="all-zeros"),
        pytest.param(reply([[], []]), "bad_vector", id="empty"),
        pytest.param(reply([], data=[{"index": 0, "embedding": [1]}] * 2), "bad_vector", id="one-number-twice"),
        pytest.param(
            reply([], data=[{"index": 0, "embedding": [1]}, {"embedding": [1]}]), "bad_vector", id="half-numbered"
        ),
        pytest.param(reply([["1", "2"], ["3", "4"]]), "wrong_schema", id="numbers-as-text"),
        pytest.param(reply([[[1.0]], [[2.0]]]), "wrong_schema", id="nested"),
        pytest.param(reply([[None, 1.0], [1.0, 2.0]]), "wrong_schema", id="null-inside"),
        pytest.param(reply([10**400, 1]), "wrong_schema", id="no-list"),
        pytest.param(reply(["abc", "abd"]), "wrong_schema", id="not-base64"),
        pytest.param(reply([], data="x"), "wrong_schema", id="no-data"),
        pytest.param(reply(ROWS, model="f"), "wrong_model", id="another-model"),
        pytest.param(reply(ROWS, usage=None), "usage_missing", id="no-usage"),
        pytest.param(b"<html>", "not_json", id="error-page"),
        pytest.param(reply(ROWS)[:-40], "truncated_json", id="cut"),
        pytest.param(b'{"error": {"code": 429, "message": "x"}}', "rate_limited", id="rate-limit"),
    ],
)
def test_vectors_that_cannot_be_used_have_a_cause(raw: bytes, cause: str) -> None:
    with pytest.raises(CallError) as caught:
        read_vectors(SETTINGS, raw, 2)
    assert caught.value.cause == cause
    assert "model `e` at 127.0.0.1:1" in str(caught.value)


def test_another_length_than_asked_for_is_a_fault() -> None:
    with pytest.raises(CallError, match="3 numbers, asked were 256") as caught:
        read_vectors(ModelSettings(model="e", dimensions=256), reply(ROWS), 2)
    assert caught.value.cause == "bad_vector"


NUMBERS = st.floats() | st.integers() | st.none() | st.booleans() | st.text(max_size=3) | st.lists(st.integers())


def outcome(raw: bytes, count: int) -> NDArray[np.float32] | CallError:
    """Any other error goes through, and fails the test."""
    try:
        return read_vectors(SETTINGS, raw, count)[0]
    except CallError as error:
        return error


@given(st.lists(st.lists(NUMBERS, max_size=4) | st.text(max_size=8) | NUMBERS, max_size=3))
def test_any_vectors_are_read_or_refused_by_name(vectors: list[Any]) -> None:
    got = outcome(reply(vectors), len(vectors))
    if isinstance(got, CallError):
        assert got.cause
    else:
        assert got.shape[0] == len(vectors)
        assert np.isfinite(got).all()
