"""A model of a run behind the server: one cache, one ledger, one budget for everybody, and errors that are seen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access
from recollect.domain.errors import OverBudgetError
from recollect.gateway.embeddings import EmbedderEmbedding
from recollect.gateway.endpoint import EndpointChatting, sent_body
from recollect.gateway.server import GatewayServer
from recollect.models.cache.calls import CallCache
from recollect.models.client import Client, Terms
from recollect.models.endpoints import EndpointChat, EndpointEmbedder
from recollect.models.ledger import Ledger
from recollect.models.limits.budget import Budget
from recollect.models.prices import Prices, parse
from recollect.models.settings import ModelSettings
from recollect.records.calls import CallLine

from tests.fakes.gateway_calls import Doing, Got, call, chat
from tests.fakes.model_acts import FAULTS, Act, ask_tool, fail
from tests.fakes.model_server import ModelServer

PRICES = """
prices:
  - {model: m, input: 1000000, output: 1000000, date: 2026-01-01, source: "a dollar a token, for a test"}
"""


class Place:
    """A gateway, all that stands behind it, and a system that holds an access."""

    def __init__(self, folder: Path, *, max_cost: float | None = None, **settings: Any) -> None:
        self.server = ModelServer(reply=lambda one: f"{one.number}: {one.last}").__enter__()
        self.lines: list[CallLine] = []
        said = {"model": "m", "base_url": self.server.url, "attempts": 2, "timeout_s": 5, **settings}
        self.settings, self.client = ModelSettings(**said), Client()
        ledger = Ledger(write=self.lines.append, prices=Prices(parse(PRICES, "test")), payer="me")
        cache = CallCache(folder / "calls")
        self.client.begin(Terms(ledger=ledger, budget=Budget(max_cost=max_cost), cache=cache))
        chatting = EndpointChatting(EndpointChat(self.client, self.settings, "memory"))
        embedder = EndpointEmbedder(self.client, self.settings)
        self.gateway = GatewayServer(chatting, EmbedderEmbedding(embedder))
        self.doing = Doing(CallContext(stage="observe", key="k", trial="t1", row="mine"))
        self.access: Access = self.gateway.open(self.doing)
        self.lines.clear()
        self.server.forget()

    def chat(self, text: str, **more: Any) -> Got:
        """A call of the system."""
        return chat(self.access, text, **more)

    def close(self) -> None:
        """Let go of all."""
        self.gateway.shut()
        self.client.close()
        self.server.__exit__(None, None, None)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A sound one."""
    place = Place(tmp_path)
    yield place
    place.close()


def test_the_endpoints_reply_comes_back_as_it_was(place: Place) -> None:
    """With fields that nobody here knows."""
    place.server.then(Act(text="yes", message={"reasoning_content": "hm"}, extra={"system_fingerprint": "fp"}))
    body = place.chat("Hello").body
    assert body["choices"][0]["message"]["reasoning_content"] == "hm"
    assert body["system_fingerprint"] == "fp"


def test_unknown_fields_reach_the_endpoint_and_the_model_is_that_of_the_run(place: Place) -> None:
    """What only names the caller, or says how the reply is handed over, does not."""
    place.chat("Hello", logit_bias={"1": 2}, made_up=[1], stream=True, user="u", prompt_cache_key="p", seed=3)
    (sent,) = place.server.calls
    assert sent.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello"}],
        "logit_bias": {"1": 2},
        "made_up": [1],
        "seed": 3,
        "temperature": 0.0,
        "stream": False,
    }


def test_the_same_call_is_paid_for_once_whoever_makes_it(place: Place) -> None:
    """Another system with another token, under another name of the model, finds it."""
    other = place.gateway.open(Doing(CallContext(stage="observe", key="k2", trial="t2", row="other")))
    replies = {place.chat("Hello").text, place.chat("Hello", user="me").text, chat(other, "Hello", model="y").text}
    assert len(replies) == 1
    assert place.server.requests == 1
    assert [line.status for line in place.lines] == ["paid", "cached", "cached"]


def test_a_call_is_on_the_ledger_under_what_its_system_was_doing(place: Place) -> None:
    """Of each token its own, at the moment of the call."""
    place.chat("one")
    place.doing.now = CallContext(stage="settle", key="k9", trial="t1", row="mine")
    place.chat("two")
    place.doing.now = None
    place.chat("three")
    found = [(line.role, line.stage, line.key, line.trial, line.row) for line in place.lines]
    assert found == [
        ("memory", "observe", "k", "t1", "mine"),
        ("memory", "settle", "k9", "t1", "mine"),
        ("memory", "", "", "", ""),
    ]
    assert all(line.money for line in place.lines)


def test_fifty_equal_calls_at_once_are_one(place: Place) -> None:
    """Also when they come over fifty connections."""
    place.server.delay_s = 0.2
    with ThreadPoolExecutor(50) as pool:
        texts = set(pool.map(lambda _: place.chat("Hello").text, range(50)))
    assert len(texts) == place.server.requests == 1
    assert sorted(line.status for line in place.lines) == ["cached"] * 49 + ["paid"]


def test_calls_that_sample_are_told_apart_and_found_again(place: Place) -> None:
    """Two equal calls are two; a second try of the same work finds both, in their order."""
    first = [place.chat("Hello", temperature=0.7).text for _ in range(2)]
    place.doing.now = CallContext(stage="observe", key="k", trial="t1", row="mine")
    again = [place.chat("Hello", temperature=0.7).text for _ in range(2)]
    assert len(set(first)) == 2
    assert again == first
    assert place.server.requests == 2


@pytest.mark.parametrize(
    ("act", "status", "code"),
    [
        (fail(500), 500, "server_error"),
        (FAULTS["overloaded"], 500, "overloaded"),
        (FAULTS["rate_limited"], 429, "rate_limited"),
        (fail(400, "no such field"), 400, "bad_request"),
        (fail(401, "wrong key", code="invalid_api_key"), 400, "not_allowed"),
        (FAULTS["not_json"], 500, "not_json"),
        (FAULTS["empty_choice"], 500, "empty_choice"),
        (FAULTS["wrong_model"], 500, "wrong_model"),
        (FAULTS["filtered"], 400, "filtered"),
        (FAULTS["connection_closed"], 500, "connection_closed"),
    ],
)
def test_what_the_endpoint_could_not_do_is_told_and_noted(place: Place, act: Act, status: int, code: str) -> None:
    """The system sees an HTTP error that it need not try again; the work it was for knows of it, whatever it does."""
    place.server.then(*[act] * 12)
    got = place.chat("Hello")
    assert (got.status, got.error["code"], got.headers["x-should-retry"]) == (status, code, "false")
    assert place.doing.now is not None
    assert [error.cause for error in place.doing.now.failed.values()] == [code]  # type: ignore[attr-defined]


def test_a_call_beyond_the_budget_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    """And the work it was for ends with that, not with a fault of the system."""
    place = Place(tmp_path, max_cost=12.5)  # opening asks the embedder for its size: a dollar
    got = place.chat("word " * 80)
    assert (got.status, got.error["code"], place.server.requests) == (402, "over_budget", 0)
    assert place.doing.now is not None
    assert [type(error) for error in place.doing.now.failed.values()] == [OverBudgetError]
    place.close()


def test_once_the_run_was_stopped_nothing_is_sent(place: Place) -> None:
    """A system that goes on calling pays nothing."""
    place.client.stop.set()
    got = place.chat("Hello")
    assert (got.status, got.error["code"], place.server.requests) == (503, "interrupted", 0)


def test_a_stream_is_the_whole_reply_in_pieces(place: Place) -> None:
    """Cached as one, and with the tokens where they are asked for."""
    place.server.then("a long reply " * 30)
    whole = place.chat("Hello").body
    events = place.chat("Hello", stream=True, stream_options={"include_usage": True}).events
    deltas = [event["choices"][0]["delta"] for event in events if event["choices"]]
    assert deltas[0]["role"] == "assistant"
    assert "".join(delta.get("content") or "" for delta in deltas) == whole["choices"][0]["message"]["content"]
    assert [event["choices"][0]["finish_reason"] for event in events if event["choices"]][-1] == "stop"
    assert events[-1]["usage"] == whole["usage"]
    assert place.server.requests == 1


def test_a_stream_ends_with_its_mark_and_tells_tokens_only_where_asked(place: Place) -> None:
    """Clients wait for the mark."""
    got = place.chat("Hello", stream=True)
    assert got.headers["content-type"] == "text/event-stream"
    assert got.data[-1] == "[DONE]"
    assert not any("usage" in event for event in got.events)


def test_tool_calls_come_whole_and_in_pieces(place: Place) -> None:
    """Their arguments put together are what the model wrote."""
    place.server.then(ask_tool("save", {"text": "é " * 100}))
    tools = [{"type": "function", "function": {"name": "save", "parameters": {"type": "object"}}}]
    (whole,) = place.chat("Hello", tools=tools).body["choices"][0]["message"]["tool_calls"]
    events = place.chat("Hello", tools=tools, stream=True).events
    parts = [part for event in events for part in event["choices"][0]["delta"].get("tool_calls", ())]
    assert parts[0]["function"]["name"] == "save"
    assert "".join(part["function"]["arguments"] for part in parts) == whole["function"]["arguments"]
    assert events[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_stream_that_fails_is_an_http_error(place: Place) -> None:
    """The reply is whole before its first piece is sent, so nothing breaks off in the middle."""
    place.server.then(*[fail(500)] * 12)
    assert place.chat("Hello", stream=True).status == 500


def test_responses_and_chats_share_the_cache(place: Place) -> None:
    """The same question asked by both ways is paid for once."""
    said = place.chat("Hello").text
    body = call(place.access, "/responses", {"model": "x", "input": "Hello"}).body
    assert body["output"][0]["content"][0]["text"] == said
    assert place.server.requests == 1


def test_embeddings_go_by_the_embedder_of_the_run(place: Place) -> None:
    """On the ledger, under the system's work."""
    body = call(place.access, "/embeddings", {"model": "x", "input": ["a", "b", "a"]}).body
    assert [one["index"] for one in body["data"]] == [0, 1, 2]
    assert body["data"][0]["embedding"] == body["data"][2]["embedding"]
    assert [(line.kind, line.trial, line.status) for line in place.lines] == [("embedding", "t1", "paid")]


def test_an_embedder_that_fails_is_told_and_noted(place: Place) -> None:
    """As a chat."""
    place.server.then(*[fail(500)] * 12)
    assert call(place.access, "/embeddings", {"input": "a"}).status == 500
    assert place.doing.now is not None
    assert place.doing.now.failed


SETTINGS = ModelSettings(model="m", base_url="http://127.0.0.1:1/v1", temperature=0.3, max_tokens=50, top_p=0.9)


def test_the_caller_says_first_and_the_settings_fill_the_rest() -> None:
    """As a system would be asked by its own configuration."""
    sent = sent_body(SETTINGS, {"messages": [], "temperature": 0.0, "max_completion_tokens": 9, "stop": None})
    assert (sent["temperature"], sent["max_tokens"], sent["top_p"]) == (0.0, 9, 0.9)
    assert "max_completion_tokens" not in sent
    assert sent_body(replace(SETTINGS, thinking_tokens=100), {"messages": [], "max_tokens": 9})["max_tokens"] == 109
    assert "stop" not in sent
    assert sent_body(SETTINGS, {"messages": []})["max_tokens"] == 50


def test_a_model_without_a_temperature_gets_none_and_its_own_field_for_the_limit() -> None:
    """It would refuse the call."""
    settings = ModelSettings(
        model="m",
        base_url="http://h/v1",
        temperature=None,
        max_tokens_field="max_completion_tokens",
        extra={"top_p": 1},
    )
    sent = sent_body(settings, {"messages": [], "temperature": 1.0, "max_tokens": 5, "top_p": 0.1})
    assert sent == {"messages": [], "max_completion_tokens": 5, "top_p": 1, "model": "m", "stream": False}
