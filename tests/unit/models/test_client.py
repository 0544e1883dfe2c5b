"""One way out for all calls: paid once, noted always, refused and stopped in time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.models import ChatRequest, Tool, Turn
from recollect.domain.errors import (
    CallError,
    DiskError,
    InterruptedRunError,
    MalformedError,
    OverBudgetError,
    RefusedError,
    UsageError,
)
from recollect.models.cache.calls import CallCache
from recollect.models.client import Client, Terms
from recollect.models.endpoints import EndpointChat, EndpointEmbedder
from recollect.models.ledger import Ledger
from recollect.models.limits.budget import Budget
from recollect.models.prices import Prices, parse
from recollect.models.settings import ModelSettings
from recollect.records.calls import CallLine

from tests.fakes.model_acts import FAULTS, Act, ask_tool
from tests.fakes.model_server import ModelServer

PRICES = """
prices:
  - {model: m, input: 1000000, output: 1000000, date: 2026-01-01, source: "a dollar a token, for a test"}
"""


class Desk:
    """A client with all that belongs to it."""

    def __init__(
        self, folder: Path, url: str, *, max_cost: float | None = None, salt: str = "", payer: str = "me"
    ) -> None:
        self.folder, self.url = folder, url
        self.lines: list[CallLine] = []
        self.budget = Budget(max_cost=max_cost)
        self.ledger = Ledger(write=self.lines.append, prices=Prices(parse(PRICES, "test")), payer=payer)
        self.client = Client()
        cache = CallCache(folder / "calls")
        self.client.begin(Terms(ledger=self.ledger, budget=self.budget, cache=cache, salt=salt))

    def chat(self, **settings: object) -> EndpointChat:
        said = {"model": "m", "base_url": self.url, "attempts": 3, "timeout_s": 5, **settings}
        return EndpointChat(self.client, ModelSettings(**said), "reader")  # type: ignore[arg-type]

    @property
    def statuses(self) -> list[str]:
        return [line.status for line in self.lines]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A sound server."""
    with ModelServer(reply=lambda call: f"{call.number}: {call.last}") as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, server: ModelServer) -> Iterator[Desk]:
    """A client of it."""
    desk = Desk(tmp_path, server.url)
    yield desk
    desk.client.close()


def turns(text: str) -> list[Turn]:
    """A prompt."""
    return [Turn(role="user", text=text)]


def test_the_same_call_is_paid_for_once(desk: Desk, server: ModelServer) -> None:
    """The second reply is the first one, and the ledger says so."""
    model = desk.chat()
    assert model.complete(turns("hello")) == model.complete(turns("hello"))
    assert server.requests == 1
    assert desk.statuses == ["paid", "cached"]
    assert [line.money for line in desk.lines] == [pytest.approx(desk.lines[0].money), 0.0]


def test_a_new_client_finds_what_the_last_one_paid_for(tmp_path: Path, server: ModelServer) -> None:
    """The reply was on the disk before it was seen."""
    for _ in range(2):
        desk = Desk(tmp_path, server.url, payer="somebody else")
        desk.chat().complete(turns("hello"))
        desk.client.close()
        desk.folder = tmp_path
    assert server.requests == 1


def test_after_a_miss_replies_that_are_there_are_found_all_the_same(tmp_path: Path, server: ModelServer) -> None:
    """By the loop, for many threads at once, and then by each thread again; the ledger cannot tell."""
    first = Desk(tmp_path, server.url, payer="somebody else")
    for number in range(8):
        first.chat().complete(turns(f"known {number}"))
    first.client.close()
    desk = Desk(tmp_path, server.url)
    desk.chat().complete(turns("new"))
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda number: desk.chat().complete(turns(f"known {number}")), range(8)))
    desk.client.close()
    assert said == [f"{number}: known {number}" for number in range(8)]
    assert server.requests == 9
    assert desk.statuses == ["paid", *["cached"] * 8]
    assert all(line.money == 0.0 for line in desk.lines[1:])


def test_a_sealed_client_finds_what_is_there_also_after_a_miss(tmp_path: Path, server: ModelServer) -> None:
    """What is not there is refused, and nothing else."""
    first = Desk(tmp_path, server.url)
    first.chat().complete(turns("known"))
    first.client.close()
    desk = Desk(tmp_path, server.url)
    desk.client.terms.sealed = True
    for _ in range(2):
        with pytest.raises(RefusedError, match="not in the cache"):
            desk.chat().complete(turns("new"))
    assert desk.chat().complete(turns("known"))
    desk.client.close()
    assert server.requests == 1


def test_what_this_run_paid_for_and_could_not_note_is_recovered_once(tmp_path: Path, server: ModelServer) -> None:
    """Killed between the reply and its line: the line is written when the reply is found."""
    first = Desk(tmp_path, server.url)
    first.chat().complete(turns("hello"))
    first.client.close()
    second = Desk(tmp_path, server.url)
    for _ in range(2):
        second.chat().complete(turns("hello"))
    second.client.close()
    assert second.statuses == ["recovered", "cached"]
    assert second.lines[0].usage == first.lines[0].usage
    assert second.lines[0].money == first.lines[0].money


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"temperature": 0.5}, id="temperature"),
        pytest.param({"seed": 3}, id="seed"),
        pytest.param({"top_p": 0.5}, id="top_p"),
        pytest.param({"max_tokens": 7}, id="max_tokens"),
        pytest.param({"stop": ("x",)}, id="stop"),
        pytest.param({"extra": {"reasoning_effort": "low"}}, id="extra"),
        pytest.param({"server": "elsewhere"}, id="server"),
    ],
)
def test_another_setting_is_another_call(desk: Desk, server: ModelServer, change: dict[str, object]) -> None:
    """Everything that can change a reply is in its key."""
    desk.chat().complete(turns("hello"))
    desk.chat(**change).complete(turns("hello"))
    assert server.requests == 2


def test_waits_and_limits_are_not_in_the_key(desk: Desk, server: ModelServer) -> None:
    """More patience does not pay again."""
    desk.chat().complete(turns("hello"))
    desk.chat(timeout_s=9, attempts=7, in_flight=2).complete(turns("hello"))
    assert server.requests == 1


def test_another_replicate_is_another_call(desk: Desk, server: ModelServer) -> None:
    """Repeats are independent, also at temperature 0."""
    for replicate in (0, 1, 0, 1):
        with in_context(CallContext(stage="answer", replicate=replicate)):
            desk.chat().complete(turns("hello"))
    assert server.requests == 2


def test_a_sampling_model_is_asked_again_for_each_occasion_and_each_time(desk: Desk, server: ModelServer) -> None:
    """Two answers and two votes are four samples; going through the same occasion again pays for none."""

    def go() -> list[str]:
        said = []
        for key in ("answer-1", "answer-2"):
            with in_context(CallContext(stage="answer", key=key)):
                said += [desk.chat(temperature=0.7).complete(turns("hello")) for _ in range(2)]
        return said

    first = go()
    assert len(set(first)) == 4
    assert go() == first
    assert server.requests == 4


def test_a_model_without_sampling_is_asked_once_for_all_occasions(desk: Desk, server: ModelServer) -> None:
    """The oracle's prompt is often another row's."""
    for key in ("answer-1", "answer-2"):
        with in_context(CallContext(stage="answer", key=key)):
            desk.chat().complete(turns("hello"))
    assert server.requests == 1


def test_fifty_equal_calls_at_once_are_one(desk: Desk, server: ModelServer) -> None:
    """One pays; forty-nine wait for the same reply."""
    server.delay_s = 0.2
    with ThreadPoolExecutor(50) as pool:
        said = list(pool.map(lambda _: desk.chat().complete(turns("hello")), range(50)))
    assert len(set(said)) == 1
    assert server.requests == 1
    assert Counter(desk.statuses) == {"paid": 1, "cached": 49}


def test_a_reply_paid_for_by_others_is_not_taken_where_that_is_asked(tmp_path: Path, server: ModelServer) -> None:
    """And a run that is fresh still finds its own."""
    for salt in ("", "r1", "r1"):
        desk = Desk(tmp_path, server.url, salt=salt)
        desk.chat().complete(turns("hello"))
        desk.client.close()
    assert server.requests == 2


def test_a_call_that_fails_for_good_is_noted_where_it_was_made(desk: Desk, server: ModelServer) -> None:
    """The occasion knows, whatever its maker does with the error; a later success takes it back."""
    server.then(*[FAULTS["not_json"]] * 3)
    with in_context(CallContext(stage="observe")) as occasion:
        with pytest.raises(MalformedError) as raised:
            desk.chat().complete(turns("hello"))
        assert raised.value.cause == "not_json"
        assert [error.cause for error in occasion.failed.values() if isinstance(error, CallError)] == ["not_json"]
        desk.chat().complete(turns("hello"))
        assert not occasion.failed
    assert server.requests == 4


def test_tokens_of_replies_that_were_charged_and_useless_are_on_the_ledger(desk: Desk, server: ModelServer) -> None:
    """Each such try has its line, and the call that succeeded its own."""
    server.then(Act(text=""), Act(text="x", model="other"))
    desk.chat().complete(turns("hello"))
    assert desk.statuses == ["failed", "failed", "paid"]
    assert all(line.usage is not None and line.money for line in desk.lines)
    assert [line.causes for line in desk.lines] == [
        ("empty_choice",),
        ("wrong_model",),
        ("empty_choice", "wrong_model"),
    ]
    charged = sum(line.usage.input for line in desk.lines if line.usage)
    assert charged == server.totals["m"].tokens_in + server.totals["m"].wasted_in
    assert desk.budget.spent == pytest.approx(sum(line.money or 0 for line in desk.lines))


def test_a_reply_that_the_cache_cannot_take_is_on_the_ledger_all_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was paid for."""

    async def full(_self: CallCache, _key: str, _stored: object) -> None:
        raise DiskError("the disk is full")

    monkeypatch.setattr(CallCache, "put_async", full)
    with pytest.raises(DiskError):
        desk.chat().complete(turns("hello"))
    assert desk.statuses == ["paid"]
    assert desk.budget.spent == pytest.approx(desk.lines[0].money)


def test_a_call_beyond_the_budget_is_not_sent(tmp_path: Path, server: ModelServer) -> None:
    """The prompt alone would cost more than is left; what was paid stays."""
    desk = Desk(tmp_path, server.url, max_cost=60)
    desk.chat().complete(turns("a b c"))
    with pytest.raises(OverBudgetError):
        desk.chat().complete(turns("word " * 100))
    desk.client.close()
    assert server.requests == 1
    assert desk.statuses == ["paid"]


def test_a_client_that_was_not_begun_pays_for_nothing(server: ModelServer) -> None:
    """Outside a run there is no ledger that a call could be on."""
    client = Client()
    with pytest.raises(UsageError, match="outside a run"):
        EndpointChat(client, ModelSettings(model="m", base_url=server.url), "reader").complete(turns("x"))
    assert server.requests == 0


def test_a_stopped_client_begins_nothing_and_ends_what_waits(desk: Desk, server: ModelServer) -> None:
    """A call that pauses before its next try is given up at once."""
    server.reply = FAULTS["server_error"]
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(desk.chat(attempts=50).complete, turns("hello"))
        while server.requests == 0:
            threading.Event().wait(0.01)
        desk.client.stop.set()
        with pytest.raises(InterruptedRunError):
            call.result(timeout=10)
    with pytest.raises(InterruptedRunError):
        desk.chat().complete(turns("another"))


def test_never_more_calls_at_once_than_the_settings_allow(desk: Desk, server: ModelServer) -> None:
    """Threads wait for a place."""
    server.delay_s = 0.05
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: desk.chat(in_flight=3).complete(turns(f"n {n}")), range(24)))
    assert server.most_at_once == 3


def test_tools_and_their_calls_come_through(desk: Desk, server: ModelServer) -> None:
    """A model that asks for a tool is no model without text."""
    server.then(ask_tool("look", {"for": "keys"}))
    tool = Tool(name="look", description="Looks.", parameters={"type": "object"})
    reply = desk.chat().chat(ChatRequest(turns=tuple(turns("where?")), tools=(tool,)))
    assert [(call.name, call.arguments) for call in reply.calls] == [("look", '{"for": "keys"}')]
    server.then(ask_tool("look", {}))
    with pytest.raises(MalformedError):
        desk.chat().complete(turns("where, I ask?"))


def test_vectors_have_unit_length_and_the_order_of_the_texts(desk: Desk, server: ModelServer) -> None:
    """Many texts are several calls; a text's vector does not depend on its neighbours."""
    embedder = EndpointEmbedder(desk.client, ModelSettings(model="e", base_url=server.url))
    texts = [f"text {number}" for number in range(300)]
    vectors = embedder.embed(texts)
    assert vectors.shape == (300, server.dimensions)
    assert (vectors**2).sum(axis=1) == pytest.approx(1.0)
    assert embedder.embed(texts[7:8])[0] == pytest.approx(vectors[7])
    assert server.requests == 4
    assert embedder.embed([]).shape == (0, server.dimensions)


def test_an_embedder_whose_vectors_change_their_length_is_a_fault(desk: Desk, server: ModelServer) -> None:
    """Another model answers under the same name."""
    embedder = EndpointEmbedder(desk.client, ModelSettings(model="e", base_url=server.url))
    embedder.embed(["one"])
    server.dimensions = 5
    with pytest.raises(MalformedError, match="5 numbers"):
        embedder.embed(["two"])


@pytest.mark.slow
@pytest.mark.parametrize("told", ["nothing", "seconds", "ms"])
def test_an_endpoint_is_used_at_seven_tenths_of_the_rate_it_allows_or_more(tmp_path: Path, told: str) -> None:
    """Forty calls a second are allowed, more are refused: all are answered, and the rate is not left unused."""
    allowed, calls = 40.0, 240
    with ModelServer(reply="yes", delay_s=0.2, per_second=allowed, told=told) as server:  # type: ignore[arg-type]
        desk = Desk(tmp_path, server.url)
        model = desk.chat(attempts=30, in_flight=32)
        with ThreadPoolExecutor(32) as pool:
            began = time.monotonic()
            said = list(pool.map(lambda n: model.complete(turns(f"n {n}")), range(calls)))
            took = time.monotonic() - began
        desk.client.close()
    assert said == ["yes"] * calls
    assert calls / took >= 0.7 * allowed


def test_a_caller_that_is_cancelled_leaves_the_call_to_the_others(desk: Desk, server: ModelServer) -> None:
    """Also the one that began it: it may be paid for already."""
    server.delay_s = 0.2
    model = desk.chat()

    async def ask() -> str:
        return (await desk.client.answer(model.job(ChatRequest(turns=tuple(turns("hello")))))).text

    async def one_leaves() -> list[str | BaseException]:
        calls = [asyncio.ensure_future(ask()) for _ in range(3)]
        await asyncio.sleep(0.05)
        calls[0].cancel()
        return await asyncio.gather(*calls, return_exceptions=True)

    first, *others = asyncio.run(one_leaves())
    assert isinstance(first, asyncio.CancelledError)
    assert others == ["0: hello"] * 2
    assert server.requests == 1


def test_a_caller_with_a_loop_of_its_own_is_answered_as_any_other(desk: Desk, server: ModelServer) -> None:
    """Its loop goes on meanwhile: fifty wait at once, in one thread; equal calls are one, and errors are noted."""
    server.delay_s = 0.2
    model, occasion = desk.chat(), CallContext(stage="observe", trial="t")

    async def ask(text: str) -> str:
        with in_context(occasion):
            job = model.job(ChatRequest(turns=tuple(turns(text))))
            return (await desk.client.answer(job)).text

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*(ask(f"question {number % 25}") for number in range(50)))

    began = time.monotonic()
    said = asyncio.run(all_at_once())
    assert time.monotonic() - began < 5
    assert said[:25] == said[25:]
    assert Counter(desk.statuses) == {"paid": 25, "cached": 25}
    assert {line.trial for line in desk.lines} == {"t"}
    server.then(*[FAULTS["not_json"]] * 3)
    with pytest.raises(MalformedError):
        asyncio.run(ask("another"))
    assert len(occasion.failed) == 1


def test_under_other_terms_no_reply_of_the_last_cache_is_given(desk: Desk, server: ModelServer, tmp_path: Path) -> None:
    """What the client keeps in memory belongs to one cache: a run that has another one pays for itself."""
    desk.chat().complete(turns("hello"))
    before = desk.client.terms
    other = CallCache(tmp_path / "others")
    desk.client.begin(Terms(ledger=desk.ledger, budget=desk.budget, cache=other))
    desk.chat().complete(turns("hello"))
    assert server.requests == 2
    other.close()
    desk.client.begin(before)


def test_a_reply_kept_in_memory_is_still_refused_by_settings_that_ask_for_more(desk: Desk, server: ModelServer) -> None:
    """Only the settings that read a reply take it as read."""
    server.reply = lambda _: "said"
    desk.chat().complete(turns("hello"))
    key_alike = desk.chat(answers_as=("somebody else",))
    assert key_alike.complete(turns("hello")) == "said"
    assert server.requests == 1
