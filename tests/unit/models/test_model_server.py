"""The stub server that other tests believe: it counts right, and its misbehaviour is the same every time."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from recollect.models.settings import ModelSettings
from recollect.models.wire.embeddings import embed_body, read_vectors
from recollect.models.wire.transport import HttpResponse, Transport
from recollect.models.wire.usage import usage_of

from tests.fakes.model_acts import FAULTS, Call, fail
from tests.fakes.model_server import ModelServer


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


def posted(url: str, bodies: Iterable[Mapping[str, Any]], at_once: int = 8, key: str = "k") -> list[HttpResponse]:
    """The answers in order, with so many calls in flight."""

    async def work() -> list[HttpResponse]:
        transport, places = Transport(), asyncio.Semaphore(at_once)

        async def one(body: Mapping[str, Any]) -> HttpResponse:
            async with places:
                return await transport.post(url, json.dumps(body).encode(), {"Authorization": f"Bearer {key}"}, 20)

        try:
            return list(await asyncio.gather(*map(one, bodies)))
        finally:
            await transport.close()

    return asyncio.run(work())


def test_its_totals_are_the_sums_of_what_it_told() -> None:
    """To the last token: a ledger can be held against them."""
    with ModelServer(reply=lambda call: f"{call.last} and more") as server:
        server.then(FAULTS["wrong_model"], FAULTS["rate_limited"], FAULTS["usage_missing"])
        answers = posted(f"{server.url}/chat/completions", [chat("word " * n) for n in range(1, 40)], at_once=1)
        told = [usage_of(answer.body) for answer in answers]
    totals = server.totals["m"]
    known = [usage for usage in told[3:] if usage is not None]
    assert (totals.requests, totals.replies) == (39, 36)
    assert totals.tokens_in == sum(usage.input for usage in known)
    assert totals.tokens_out == sum(usage.output for usage in known)
    assert told[0] is not None
    assert (totals.wasted_in, totals.wasted_out) == (told[0].input, told[0].output)
    assert server.statuses == {200: 38, 429: 1}


def test_it_sees_how_many_calls_there_are_at_once() -> None:
    with ModelServer(delay_s=0.1) as server:
        posted(f"{server.url}/chat/completions", [chat(str(n)) for n in range(30)], at_once=12)
    assert server.most_at_once == 12


def test_the_same_calls_fail_every_time_whatever_their_order() -> None:
    def failed(bodies: list[dict[str, Any]]) -> dict[str, int]:
        with ModelServer(failing=0.3, seed=4, failures=[fail(500)]) as server:
            answers = posted(f"{server.url}/chat/completions", bodies)
        return {body["messages"][0]["content"]: answer.status for body, answer in zip(bodies, answers, strict=True)}

    bodies = [chat(str(n)) for n in range(200)]
    first = failed(bodies)
    assert failed(bodies[::-1]) == first
    assert 0.2 < sum(status == 500 for status in first.values()) / 200 < 0.4


def test_a_limit_of_calls_a_second_is_kept_and_says_when_to_come_back() -> None:
    with ModelServer(per_second=50, burst=5, told="ms") as server:
        started = time.monotonic()
        answers = posted(f"{server.url}/chat/completions", [chat(str(n)) for n in range(200)])
        seconds = time.monotonic() - started
    passed = sum(answer.status == 200 for answer in answers)
    assert 5 <= passed <= 5 + 50 * seconds + 1
    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert all(0 <= int(answer.headers["retry-after-ms"]) <= 20 for answer in refused)


def test_a_reply_is_cut_at_the_limit_of_the_caller() -> None:
    with ModelServer(reply="one two three four") as server:
        (answer,) = posted(f"{server.url}/chat/completions", [chat("x", max_tokens=2)])
    choice = json.loads(answer.body)["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("one two", "length")


def test_embeddings_depend_on_the_text_alone_and_come_packed_if_asked() -> None:
    settings = ModelSettings(model="e", dimensions=16)
    body = embed_body(settings, ["a b", "c"])
    with ModelServer() as server:
        plain, packed, other = posted(
            f"{server.url}/embeddings",
            [body, {**body, "encoding_format": "base64"}, embed_body(settings, ["c", "a b"])],
        )
    vectors, usage = read_vectors(settings, plain.body, 2)
    assert vectors.shape == (2, 16)
    assert usage is not None
    assert usage.input == 3
    np.testing.assert_allclose(read_vectors(settings, packed.body, 2)[0], vectors, rtol=1e-6)
    np.testing.assert_array_equal(read_vectors(settings, other.body, 2)[0], vectors[::-1])


def test_a_wrong_key_and_a_wrong_request_are_refused() -> None:
    def no(call: Call) -> str:
        raise AssertionError("nobody should be answered")

    with ModelServer(key="right", reply=no) as server:
        (wrong,) = posted(f"{server.url}/chat/completions", [chat("x")])
        (empty,) = posted(f"{server.url}/chat/completions", [{"model": "m"}], key="right")
        (lost,) = posted(f"{server.url}/elsewhere", [chat("x")], key="right")
    assert (wrong.status, empty.status, lost.status) == (401, 400, 404)


def test_what_the_documentation_forbids_is_refused_with_the_reason() -> None:
    with ModelServer(reply="yes") as server:
        (sent,) = posted(f"{server.url}/chat/completions", [chat("a", min_p=1)])
        assert (sent.status, json.loads(sent.body)["error"]["message"]) == (400, server.refused[0])
        assert server.refused == ["unrecognized request argument: min_p"]
        server.strict = False
        assert posted(f"{server.url}/chat/completions", [chat("a", min_p=1)])[0].status == 200


def test_the_responses_api_is_served_by_the_same_rules() -> None:
    body = {"model": "m", "instructions": "Be brief.", "input": "hello there"}
    with ModelServer() as server:
        sent, refused = posted(f"{server.url}/responses", [body, {**body, "max_tokens": 9}])
    reply = json.loads(sent.body)
    assert reply["output"][0]["content"][0]["text"] == "You said: hello there"
    assert reply["usage"] == {"input_tokens": 4, "output_tokens": 4, "total_tokens": 8}
    assert refused.status == 400
