"""What the adapters stand on: errors of endpoints, ids from a seed, replies as JSON."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.model_acts import fail, raw
from tests.fakes.model_server import ModelServer
from tests.unit.memories.vendors.adapters import loaded


@pytest.fixture
def adapter_support() -> Iterator[Any]:
    with loaded("langgraph_store", {}, {}):
        import sys

        yield sys.modules["adapter_support"]


def test_vectors_come_in_the_order_of_their_texts(adapter_support: Any) -> None:
    """Over several calls, and an empty text has one too."""
    with ModelServer(embeds=lambda text, size: [float(len(text.strip()))] * size, key="t") as server:
        endpoint = adapter_support.Endpoint({"base_url": server.url, "token": "t"})
        texts = ["x" * (n % 7) for n in range(150)]
        assert [vector[0] for vector in endpoint.embed(texts)] == [float(n % 7) for n in range(150)]
        assert server.requests == 3


@pytest.mark.parametrize(
    ("act", "kind", "cause"),
    [
        (fail(429), "retryable", "rate_limited"),
        (fail(503), "retryable", "server_error"),
        (fail(401), "refused", "not_allowed"),
        (fail(400), "refused", "bad_request"),
        (raw("<html>"), "malformed", "not_json"),
        (raw('{"data": []}'), "malformed", "wrong_schema"),
    ],
)
def test_an_endpoint_that_fails_is_told_by_kind(adapter_support: Any, act: Any, kind: str, cause: str) -> None:
    """In the words of the worker protocol."""
    with ModelServer(reply=act) as server:
        endpoint = adapter_support.Endpoint({"base_url": server.url, "token": "t"})
        with pytest.raises(adapter_support.AdapterError) as caught:
            endpoint.embed(["a"])
    assert (caught.value.recollect_kind, caught.value.recollect_cause) == (kind, cause)


def test_an_endpoint_that_nobody_serves_may_come_back(adapter_support: Any) -> None:
    """A refused connection is worth another try."""
    with pytest.raises(adapter_support.AdapterError) as caught:
        adapter_support.Endpoint({"base_url": "http://127.0.0.1:9/v1", "token": "t"}).embed(["a"])
    assert caught.value.recollect_kind == "retryable"


def test_ids_are_drawn_from_the_seed(adapter_support: Any) -> None:
    """The same seed gives the same ones, also from the middle on; another seed gives others."""
    drawn = []
    for seed, skip in ((1, 0), (1, 2), (2, 0)):
        ids = adapter_support.SeededIds(seed)
        ids.advance(skip)
        ids.install()
        drawn.append([uuid.uuid4() for _ in range(4 - skip)])
    assert drawn[0][2:] == drawn[1]
    assert not set(drawn[0]) & set(drawn[2])
    assert all(one.version == 4 for one in drawn[0])


def test_json_in_a_fence_is_read(adapter_support: Any) -> None:
    """Models like to put one around it."""
    assert adapter_support.parsed('```json\n{"a": 1}\n```', ["a"]) == {"a": 1}


def test_a_connection_that_an_sdk_lost_is_told(adapter_support: Any) -> None:
    """By the name of the SDK's error: it is no status."""

    class APIConnectionError(Exception):
        pass

    error = RuntimeError("x")
    error.__cause__ = APIConnectionError("no route")
    assert adapter_support.told(error).recollect_kind == "retryable"
    assert adapter_support.told(ValueError("own")).args == ("own",)
