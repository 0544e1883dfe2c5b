"""A model is a model, whichever way it is reached: the same cases over HTTP, by way of Inspect and of litellm.

What a package that is not installed would show is skipped; `make extras` installs both, each in a place of its own,
and runs this file there.
"""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from recollect.contracts.models import ChatRequest, Tool, ToolCall, Turn, Usage
from recollect.domain.errors import CallError, ConfigError, MissingExtraError, RefusedError
from recollect.models.backends.selection import PACKAGES, Ways, check
from recollect.models.cache.calls import CallCache
from recollect.models.client import Client, Terms
from recollect.models.endpoints import EndpointChat, EndpointEmbedder
from recollect.models.ledger import Ledger
from recollect.models.limits.budget import Budget
from recollect.models.limits.gate import TOO_MANY
from recollect.models.limits.retry import PATIENCE
from recollect.models.prices import load_prices
from recollect.models.settings import ModelSettings
from recollect.records.calls import CallLine

from tests.fakes.model_acts import FAULTS, Act, ask_tool, fail, rate_limited
from tests.fakes.model_runs import OWN, answers, ledger, of, recollect
from tests.fakes.model_server import ModelServer

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of the packages, which are not ours to mend
    pytest.mark.filterwarnings("ignore::UserWarning:pydantic"),
]

Way = Literal["openai", "inspect", "litellm"]
WAYS: tuple[Way, ...] = ("openai", "inspect", "litellm")
NAMES = {"openai": "gpt-4o-mini", "inspect": "openai/gpt-4o-mini", "litellm": "openai/gpt-4o-mini"}
KEY = "canary-key-5d1f7a90c2"
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["right", "wrong"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
TOOL = Tool(
    name="look_up",
    description="Finds a note.",
    parameters={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look for."}, "limit": {"type": "integer"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


def needs(way: Way) -> None:
    """Skip where the package is not installed."""
    if way in PACKAGES and importlib.util.find_spec(PACKAGES[way][0]) is None:
        pytest.skip(f"{PACKAGES[way][1]} is not installed")


@dataclass
class Desk:
    """A client that reaches the stub server one way."""

    folder: Path
    server: ModelServer
    way: Way
    lines: list[CallLine] = field(default_factory=list)

    def __post_init__(self) -> None:
        ways = Ways()
        self.client = Client(other_way=ways, let_go=ways.close)
        book = Ledger(write=self.lines.append, prices=load_prices())
        self.client.begin(Terms(ledger=book, budget=Budget(max_cost=None), cache=CallCache(self.folder / "calls")))

    def settings(self, **more: Any) -> ModelSettings:
        """Settings with little patience."""
        key = {"key_env": "OPENAI_API_KEY"} if self.way == "openai" else {}
        url = {"base_url": self.server.url, "attempts": 3, "timeout_s": 20}
        return ModelSettings(**{"model": NAMES[self.way], "via": self.way, **url, **key, **more})

    def chat(self, **more: Any) -> EndpointChat:
        """The model."""
        return EndpointChat(self.client, self.settings(**more), "reader")

    def fails(self, **more: Any) -> CallError:
        """What a call ends with."""
        with pytest.raises(CallError) as raised:
            self.chat(**more).complete([Turn(role="user", text="hello")])
        return raised.value


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A sound server."""
    with ModelServer(reply=lambda call: f"You said: {call.last}") as server:
        yield server


@pytest.fixture(params=WAYS)
def desk(
    request: pytest.FixtureRequest, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A client for each way that there is."""
    needs(request.param)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    desk = Desk(tmp_path, server, request.param)
    yield desk
    desk.client.close()


def turns(text: str = "hello there") -> list[Turn]:
    """A prompt."""
    return [Turn(role="user", text=text)]


def test_a_text_comes_back_and_every_setting_arrives(desk: Desk, server: ModelServer) -> None:
    """Temperature, top_p, longest reply, stops, seed, fields of the user's own, and nothing that nobody asked for."""
    model = desk.chat(
        temperature=0.5, top_p=0.9, seed=11, max_tokens=40, stop=("END",), extra={"presence_penalty": 0.25}
    )
    reply = model.chat(ChatRequest(turns=(Turn(role="system", text="Be brief."), *turns("hello there")), stop=("X",)))
    body = dict(server.calls[0].body)
    assert reply.text == "You said: hello there"
    assert reply.finish == "stop"
    assert [(turn["role"], turn["content"]) for turn in body.pop("messages")] == [
        ("system", "Be brief."),
        ("user", "hello there"),
    ]
    assert body.pop("stream", False) is False
    assert body == {
        "model": "gpt-4o-mini",
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 11,
        "max_tokens": 40,
        "stop": ["END", "X"],
        "presence_penalty": 0.25,
    }


def test_fields_that_a_package_has_no_name_for_arrive_too(desk: Desk, server: ModelServer) -> None:
    """Servers of one's own take fields of their own; OpenAI's does not."""
    server.strict = False
    desk.chat(extra={"min_p": 0.05}).complete(turns())
    assert server.calls[0].body["min_p"] == 0.05


def test_a_tool_call_comes_back_and_past_ones_arrive(desk: Desk, server: ModelServer) -> None:
    """The tool as it is described, the past call with its answer, and the new call as the model made it."""
    server.reply = ask_tool("look_up", {"query": "routers", "limit": 3})
    past = ToolCall(call_id="c1", name="look_up", arguments='{"query": "dogs"}')
    said = (
        *turns(),
        Turn(role="assistant", text="", calls=(past,)),
        Turn(role="tool", text="no dogs", call_id="c1"),
    )
    reply = desk.chat().chat(ChatRequest(turns=said, tools=(TOOL,)))
    body = server.calls[0].body
    (call,) = reply.calls
    assert (call.name, json.loads(call.arguments)) == ("look_up", {"query": "routers", "limit": 3})
    assert reply.finish == "tool_calls"
    assert body["tools"][0]["function"]["parameters"] == TOOL.parameters
    assert json.loads(body["messages"][1]["tool_calls"][0]["function"]["arguments"]) == {"query": "dogs"}
    assert (body["messages"][2]["tool_call_id"], body["messages"][2]["content"]) == ("c1", "no dogs")


def test_a_schema_arrives_as_it_is(desk: Desk, server: ModelServer) -> None:
    """Strict, and with nothing dropped."""
    server.reply = '{"verdict": "right"}'
    assert desk.chat().complete(turns(), schema=SCHEMA) == '{"verdict": "right"}'
    form = server.calls[0].body["response_format"]
    assert form["type"] == "json_schema"
    assert (form["json_schema"]["schema"], form["json_schema"]["strict"]) == (SCHEMA, True)


def test_tokens_are_counted_to_the_last_one(desk: Desk, server: ModelServer) -> None:
    """Also those that the provider had cached, and those that were thought and not said."""
    details = {"prompt_tokens_details": {"cached_tokens": 3}, "completion_tokens_details": {"reasoning_tokens": 2}}
    server.reply = Act(text="one two three four", usage_extra=details)
    desk.chat().complete(turns("five words are sent here"))
    (line,) = desk.lines
    assert line.usage == Usage(input=5, output=4, cached=3, reasoning=2)
    assert line.money is not None
    assert line.money > 0


def test_a_reply_that_is_cut_says_so(desk: Desk, server: ModelServer) -> None:
    """The longest reply is kept to."""
    server.reply = "one two three four"
    reply = desk.chat(max_tokens=2).chat(ChatRequest(turns=tuple(turns())))
    assert (reply.text, reply.finish) == ("one two", "length")


def test_a_rate_limit_is_tried_again_by_us_and_only_once_each_time(desk: Desk, server: ModelServer) -> None:
    """Two refusals, three requests: no package tries behind our back; and the server's pause is kept."""
    server.then(rate_limited(), fail(429, "slow down", code="rate_limit_exceeded", headers={"retry-after-ms": "700"}))
    started = time.monotonic()
    assert desk.chat().complete(turns())
    assert time.monotonic() - started >= 0.7
    assert server.requests == 3
    (line,) = desk.lines
    assert (line.status, line.tries, line.causes) == ("paid", 3, ("rate_limited", "rate_limited"))


def test_a_late_reply_is_a_timeout(desk: Desk, server: ModelServer) -> None:
    """After `timeout_s`, and asked once for each of our tries."""
    desk.chat().complete(turns("imports are slow the first time"))
    server.then(Act(text="late", delay_s=30))
    started = time.monotonic()
    assert desk.fails(attempts=1, timeout_s=0.5).cause == "timeout"
    assert time.monotonic() - started < 8
    assert server.requests == 2


def test_a_wrong_key_is_refused_at_once_and_not_shown(
    desk: Desk, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package reads its own variable; the server even says the key back."""
    server.then(fail(401, f"bad key {KEY}", code="invalid_api_key"))
    error = desk.fails()
    assert isinstance(error, RefusedError)
    assert error.cause == "not_allowed"
    assert KEY not in str(error)
    assert server.requests == 1
    assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_key_and_headers_may_be_named(desk: Desk, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the package is handed them."""
    monkeypatch.setenv("OTHER_NAME", "another-key-0192")
    monkeypatch.setenv("TENANT", "tenant-7")
    desk.chat(key_env="OTHER_NAME", headers={"X-Tenant": "TENANT"}).complete(turns())
    headers = server.calls[0].headers
    assert (headers["authorization"], headers["x-tenant"]) == ("Bearer another-key-0192", "tenant-7")


@pytest.mark.parametrize(
    ("act", "cause"),
    [
        pytest.param(FAULTS["overloaded"], "overloaded", id="overloaded"),
        pytest.param(FAULTS["server_error"], "server_error", id="server_error"),
        pytest.param(FAULTS["connection_closed"], "connection_closed", id="connection_closed"),
        pytest.param(
            fail(400, "maximum context length is 10 tokens", code="context_length_exceeded"), "too_long", id="too_long"
        ),
        pytest.param(fail(429, "no money left", code="insufficient_quota"), "no_credit", id="no_credit"),
        pytest.param(fail(404, "no such model", code="model_not_found"), "bad_request", id="bad_request"),
        pytest.param(FAULTS["filtered"], "filtered", id="filtered"),
        pytest.param(FAULTS["empty_choice"], "empty_choice", id="empty_choice"),
        pytest.param(FAULTS["wrong_model"], "wrong_model", id="wrong_model"),
        pytest.param(FAULTS["usage_missing"], "usage_missing", id="usage_missing"),
    ],
)
def test_what_breaks_has_the_same_cause_whichever_way(desk: Desk, server: ModelServer, act: Act, cause: str) -> None:
    """One request for each of our tries, and one name."""
    server.reply = act
    assert desk.fails(attempts=1).cause == cause
    assert server.requests == (PATIENCE if cause in TOO_MANY else 1)


@pytest.mark.parametrize("fault", ["not_json", "truncated_json", "wrong_schema", "no_choice", "error_in_reply"])
def test_a_reply_that_is_none_is_a_fault_and_never_an_answer(desk: Desk, server: ModelServer, fault: str) -> None:
    """Packages say less of what was wrong with it; that it was, they do not hide."""
    server.then(FAULTS[fault])
    error = desk.fails(attempts=1)
    assert error.cause in {fault, "not_json", "empty_choice", "error_in_reply", "back_end"}
    assert server.requests == 1


def test_a_server_that_is_not_there_cannot_be_reached(desk: Desk, server: ModelServer) -> None:
    """Worth another try: it may come up."""
    assert desk.fails(attempts=1, base_url="http://127.0.0.1:9/v1").cause == "connection_refused"
    assert [line.status for line in desk.lines] == ["failed"]


def test_one_call_is_one_line_and_a_call_that_was_made_asks_nothing(desk: Desk, server: ModelServer) -> None:
    """Also for another client, in the same process or a later one."""
    assert desk.chat().complete(turns()) == desk.chat().complete(turns())
    assert server.requests == 1
    assert [line.status for line in desk.lines] == ["paid", "cached"]
    desk.client.close()
    later = Desk(desk.folder, server, desk.way)
    later.chat().complete(turns())
    later.chat().complete(turns("something new"))
    later.client.close()
    assert server.requests == 2
    assert [line.status for line in later.lines] == ["cached", "paid"]


def test_a_package_holds_no_call_back(desk: Desk, server: ModelServer) -> None:
    """As many calls at once as `in_flight` says, and no pool of its own beside."""
    desk.chat().complete(turns("first"))
    server.delay_s = 0.5
    model = desk.chat(in_flight=24)
    desk.client._gates.clear()  # the first model that calls an endpoint sets its bounds
    with ThreadPoolExecutor(24) as pool:
        assert len(list(pool.map(lambda n: model.complete(turns(f"call {n}")), range(48)))) == 48
    assert server.most_at_once == 24


def test_vectors_come_by_litellm_as_they_come_over_http(
    tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same numbers and the same counts."""
    needs("litellm")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = []
    both: tuple[Way, ...] = ("openai", "litellm")
    for way in both:
        desk = Desk(tmp_path / way, server, way)
        name = "openai/text-embedding-3-small" if way == "litellm" else "text-embedding-3-small"
        embedder = EndpointEmbedder(desk.client, desk.settings(model=name))
        found.append((embedder.embed(["one text", "and another one"]), desk.lines[0].usage, len(desk.lines)))
        desk.client.close()
    assert np.array_equal(found[0][0], found[1][0])
    assert found[0][1:] == found[1][1:] == (Usage(input=5, output=0), 1)


def test_inspect_is_refused_as_an_embedder_before_anything_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no call for that."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    with pytest.raises(ConfigError, match="no embeddings"):
        check("embedder", ModelSettings(model="openai/x", via="inspect"))


@pytest.mark.parametrize("way", PACKAGES)
def test_a_missing_package_is_named_with_its_install_line(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is imported or asked."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'recollect\[{way}\]'"):
        check("reader", ModelSettings(model="openai/x", via=way))  # type: ignore[arg-type]


@pytest.mark.parametrize("way", PACKAGES)
def test_a_run_is_refused_before_it_begins_where_the_package_is_missing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, the install line, and no folder of a run."""
    real = importlib.util.find_spec
    modules = {module for module, _ in PACKAGES.values()}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in modules else real(name))
    code = recollect(tmp_path, "run", "own", "--data", str(OWN), "--reader", f"{way}:model=openai/x", "--name", "r")
    assert code == 2
    assert f"pip install 'recollect[{way}]'" in capsys.readouterr().err
    assert not (tmp_path / "runs" / "r").exists()


@pytest.mark.parametrize("way", PACKAGES)
def test_a_whole_run_goes_through_a_package_and_writes_no_key(
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The trial call, the answers, the ledger; a second run pays for the trial call alone."""
    needs(way)  # type: ignore[arg-type]
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    words = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]
    with ModelServer(reply=answers(), key=KEY) as server:
        choice = f"{way}:model=openai/gpt-4o-mini,base_url={server.url},server=stub,attempts=2"
        assert recollect(tmp_path, *words, "--reader", choice, "--name", "r") == 0
        assert server.requests == 7
        assert recollect(tmp_path, *words, "--reader", choice, "--name", "again") == 0
        assert server.requests == 8
        totals = server.totals["gpt-4o-mini"]
    _, found = of(tmp_path)
    assert {cell.status for cell in found.cells} <= {"scored", "abstained"}
    paid = [line.usage for name in ("r", "again") for line in ledger(tmp_path, name) if line.status == "paid"]
    assert sum(usage.input for usage in paid if usage) == totals.tokens_in
    out = "".join(capfd.readouterr())
    assert KEY not in out
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


@pytest.mark.parametrize("way", PACKAGES)
def test_a_missing_key_ends_a_run_before_it_begins(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The package says which one it wants."""
    needs(way)  # type: ignore[arg-type]
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with ModelServer(reply=answers()) as server:
        choice = f"{way}:model=openai/gpt-4o-mini,base_url={server.url},attempts=1"
        words = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]
        assert recollect(tmp_path, *words, "--reader", choice, "--name", "r") in {2, 4}
        assert server.requests == 0
    assert "OPENAI_API_KEY" in capfd.readouterr().err
    assert not list((tmp_path / "runs" / "r").glob("trials/*/records.jsonl"))


def test_what_inspect_would_drop_of_a_schema_is_refused(
    tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that follows half of a schema is worse than none."""
    needs("inspect")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    desk = Desk(tmp_path, server, "inspect")
    schema = {"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 5}}, "required": ["n"]}
    with pytest.raises(RefusedError, match="multipleOf"):
        desk.chat().complete(turns(), schema=schema)
    desk.client.close()
    assert server.requests == 0


def test_the_lean_install_imports_neither_package() -> None:
    """They come with their extras, and only when a model is reached by them."""
    import subprocess
    import sys

    code = (
        "import sys, recollect.models.backends, recollect.cli.app; print({'inspect_ai', 'litellm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
