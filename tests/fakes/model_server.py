"""A small OpenAI-compatible server on loopback that does what a test tells it, and counts what it did.

    with ModelServer(reply="yes") as server:
        settings = ModelSettings(model="m", base_url=server.url)

What it says is decided per call, in this order: an `Act` (see `model_acts`) handed to `then`, the random failures,
the rate limit, then *reply*. `python -m tests.fakes.model_server --delay 0.05` runs one as a process of its own and
prints its address: for timings, where the server must not share the interpreter of the client.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import struct
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from random import Random
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Literal

from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http_parser import RawRequestMessage

from tests.fakes.model_acts import FAULTS, Act, Call, fail, rate_limited, say
from tests.fakes.request_rules import request_problems

PATHS: Mapping[str, Literal["chat", "response", "embedding"]] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "response",
    "/v1/embeddings": "embedding",
}
Replier = Callable[[Call], "Act | str"]


@dataclass(slots=True)
class Totals:
    """What one model did. The token counts are those of sound replies, summed as they were told to the caller."""

    requests: int = 0
    replies: int = 0
    """Sound ones, sent to the last byte."""
    tokens_in: int = 0
    tokens_out: int = 0
    wasted_in: int = 0
    """Told in replies that were not sound: a provider would charge for them."""
    wasted_out: int = 0


def echo(call: Call) -> str:
    """The default reply: what was said last."""
    return f"You said: {call.last}"


def count_tokens(text: str) -> int:
    """The server's tokens are words; at least one."""
    return max(1, len(text.split()))


def vector_of(text: str, dimensions: int) -> list[float]:
    """A vector of *text*, always the same, not of unit length."""
    rng = Random(text)
    return [rng.uniform(-1, 1) for _ in range(dimensions)]


@dataclass
class ModelServer:
    """The server; use it as a context manager. Every field may be changed while it runs."""

    reply: Replier | Act | str = echo
    """Of chats: a text, an act, or a function of the call."""
    delay_s: float = 0.0
    """Before every answer, errors included."""
    failing: float = 0.0
    """Share of the calls that fail at random: by body and by how often that body came, so it is the same every time."""
    failures: Sequence[Act] = (FAULTS["rate_limited"], FAULTS["server_error"], FAULTS["connection_closed"])
    seed: int = 0
    per_second: float | None = None
    """Calls above this rate get HTTP 429; calls that were refused, or failed at random, do not count against it."""
    burst: float | None = None
    """Calls let through at once after a pause; a tenth of a second's where not given."""
    told: Literal["nothing", "seconds", "ms"] = "nothing"
    """How a 429 of the rate limit says when to come back."""
    key: str | None = None
    """Where set, calls without it get HTTP 401."""
    strict: bool = True
    """A request that the documented rules of OpenAI's API forbid gets HTTP 400; see `refused`."""
    dimensions: int = 8
    embeds: Callable[[str, int], Sequence[float]] = vector_of
    keep: bool = True
    """Whether `calls` holds every request."""

    def __post_init__(self) -> None:
        self.calls: list[Call] = []
        self.totals: dict[str, Totals] = {}
        self.refused: list[str] = []
        """What was wrong with requests, one line for each problem."""
        self.statuses: Counter[int] = Counter()
        """By HTTP status; 0 for connections closed without one."""
        self.at_once, self.most_at_once = 0, 0
        self._script: deque[Act] = deque()
        self._seen: Counter[bytes] = Counter()
        self._number = 0
        self._tokens, self._filled_at = 0.0, float("-inf")
        self._began = time.monotonic()
        self._lock, self._ready = Lock(), Event()
        self._port = 0

    @property
    def url(self) -> str:
        """For `base_url`."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def requests(self) -> int:
        """Requests that came in, refused ones included."""
        return self._number

    def then(self, *acts: Act | str) -> None:
        """The next calls are served by *acts*, one each; before anything else is asked."""
        with self._lock:
            self._script.extend(say(act) if isinstance(act, str) else act for act in acts)

    def forget(self) -> None:
        """Start counting anew."""
        with self._lock:
            self.calls.clear()
            self.totals.clear()
            self.statuses.clear()
            self._seen.clear()
            self._number, self.most_at_once = 0, self.at_once

    # serving

    def __enter__(self) -> ModelServer:
        self._ready.clear()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="model-server", daemon=True)
        self._thread.start()
        if not self._ready.wait(20):
            raise RuntimeError("the stub server did not start")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = web.Server(self._handle, request_factory=_roomy_request, access_log=None, handler_cancellation=True)
        runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self._port, backlog=1024)
        await site.start()
        self._port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        content = await request.read()
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._answer(request, content)
        finally:
            with self._lock:
                self.at_once -= 1

    async def _answer(self, request: web.BaseRequest, content: bytes) -> web.StreamResponse:
        arrived = asyncio.get_running_loop().time()
        call, refusal = self._read(request, content)
        act = refusal or self._scripted() or self._unlucky(content) or self._limited() or self._replied(call)
        if call.kind == "embedding":
            act = replace(act, text="vectors")
        usage = _usage(call, act)
        body = act.body if act.body is not None else json.dumps(self._reply_body(call, act, usage)).encode()
        body = body[: int(len(body) * act.cut)]
        wait = self.delay_s + act.delay_s
        if wait:  # our own work is a part of it
            await asyncio.sleep(arrived + wait - asyncio.get_running_loop().time())
        response = await _send(request, act, body)
        self._count(call, act, usage)
        return response

    def _read(self, request: web.BaseRequest, content: bytes) -> tuple[Call, Act | None]:
        kind = PATHS.get(request.path, "chat")
        known = request.path in PATHS and request.method == "POST"
        try:
            body = json.loads(content)
            sound = isinstance(body["model"], str) and bool(body["messages" if kind == "chat" else "input"])
        except (ValueError, KeyError, TypeError):
            body, sound = {}, False
        headers = {name.lower(): value for name, value in request.headers.items()}
        with self._lock:
            call = Call(
                number=self._number,
                kind=kind,
                model=str(body.get("model", "")) if isinstance(body, dict) else "",
                headers=headers,
                body=body,
                at=time.monotonic() - self._began,
            )
            self._number += 1
            self.totals.setdefault(call.model, Totals()).requests += 1
            if self.keep:
                self.calls.append(call)
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return call, fail(401, "wrong key", code="invalid_api_key")
        if not known:
            return call, fail(404, f"nothing at {request.path}")
        if not sound:
            return call, fail(400, "a request needs a model and messages or input")
        problems = request_problems(request.path, body) if self.strict else []
        self.refused.extend(problems)
        return call, fail(400, "; ".join(problems), code="invalid_request_error") if problems else None

    def _scripted(self) -> Act | None:
        with self._lock:
            return self._script.popleft() if self._script else None

    def _limited(self) -> Act | None:
        """A token bucket: what is above the rate is refused."""
        if self.per_second is None:
            return None
        now, room = time.monotonic(), self.burst or max(1.0, self.per_second / 10)
        self._tokens = min(room, self._tokens + (now - self._filled_at) * self.per_second)
        self._filled_at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return None
        act = rate_limited("1" if self.told == "seconds" else None)
        wait_ms = str(round((1 - self._tokens) / self.per_second * 1000))
        return replace(act, headers={"retry-after-ms": wait_ms}) if self.told == "ms" else act

    def _unlucky(self, content: bytes) -> Act | None:
        if not self.failing:
            return None
        key = blake2b(content, digest_size=12).digest()
        self._seen[key] += 1
        rng = Random(f"{self.seed}:{key.hex()}:{self._seen[key]}")
        return rng.choice(self.failures) if rng.random() < self.failing else None

    def _replied(self, call: Call) -> Act:
        if call.kind == "embedding" and not isinstance(self.reply, Act):
            return Act()
        said = self.reply(call) if callable(self.reply) else self.reply
        act = say(said) if isinstance(said, str) else said
        return _shortened(call, act)

    def _reply_body(self, call: Call, act: Act, usage: Mapping[str, int]) -> Mapping[str, Any]:
        if call.kind == "response":
            return _response(call, act, usage)
        made = self._vectors(call) if call.kind == "embedding" else _choices(act)
        told = {"usage": {**usage, **act.usage_extra}} if act.usage else {}
        model = call.model if act.model is None else act.model
        return {"id": f"call-{call.number}", "created": 1, "model": model, **made, **told, **act.extra}

    def _vectors(self, call: Call) -> Mapping[str, Any]:
        packed = call.body.get("encoding_format") == "base64"
        size = call.body.get("dimensions", self.dimensions)
        vectors = [self.embeds(text, size) for text in call.texts]
        data = [
            {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else list(vector)}
            for index, vector in enumerate(vectors)
        ]
        return {"object": "list", "data": data}

    def _count(self, call: Call, act: Act, usage: Mapping[str, int]) -> None:
        with self._lock:
            self.statuses[0 if act.close == "before_headers" else act.status] += 1
            totals = self.totals.setdefault(call.model, Totals())
            tokens_in, tokens_out = usage["prompt_tokens"], usage.get("completion_tokens", 0)
            if act.sound:
                totals.replies += 1
                totals.tokens_in += tokens_in
                totals.tokens_out += tokens_out
            elif act.charged:
                totals.wasted_in += tokens_in
                totals.wasted_out += tokens_out


def _roomy_request(
    message: RawRequestMessage,
    payload: StreamReader,
    protocol: web.RequestHandler,
    writer: AbstractStreamWriter,
    task: asyncio.Task[None],
) -> web.BaseRequest:
    """A request that may be long: prompts are."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=256 << 20)


def _usage(call: Call, act: Act) -> Mapping[str, int]:
    """Tokens of the call in the provider's words."""
    if call.kind == "embedding":
        texts = call.texts if "input" in call.body else []
        tokens = sum(map(count_tokens, texts))
        return {"prompt_tokens": tokens, "total_tokens": tokens}
    turns = call.turns if isinstance(call.body, dict) else []
    sent = sum(count_tokens(str(turn.get("content") or "")) for turn in turns if isinstance(turn, dict))
    back = count_tokens(act.text or "") + sum(count_tokens(arguments) for _, arguments in act.calls)
    return {"prompt_tokens": sent, "completion_tokens": back, "total_tokens": sent + back}


def _shortened(call: Call, act: Act) -> Act:
    """The reply cut at the caller's limit of tokens, as a provider does it."""
    limit = call.body.get("max_completion_tokens", call.body.get("max_tokens"))
    if not limit or not act.text or count_tokens(act.text) <= limit:
        return act
    return replace(act, text=" ".join(act.text.split()[:limit]), finish=act.finish or "length")


def _choices(act: Act) -> Mapping[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": act.text, **act.message}
    if act.calls:
        message["tool_calls"] = [
            {"id": f"tool-{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(act.calls)
        ]
    finish = act.finish or ("tool_calls" if act.calls else "stop")
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def _response(call: Call, act: Act, usage: Mapping[str, int]) -> Mapping[str, Any]:
    """The reply as the responses API gives it."""
    part: dict[str, Any] = {"type": "output_text", "text": act.text, "annotations": []}
    message = {
        "id": f"m-{call.number}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    told = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    return {
        "id": f"call-{call.number}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": call.model,
        "output": [message],
        "usage": {**told, "total_tokens": usage["total_tokens"]},
    }


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


async def _send(request: web.BaseRequest, act: Act, body: bytes) -> web.StreamResponse:
    """Answer, or break off on the way as *act* says."""
    headers = {"Content-Type": "application/json", **act.headers}
    if act.close == "before_headers":
        _hang_up(request)
        return web.Response()
    if not act.trickle_s and act.close == "never":
        return web.Response(body=body, status=act.status, headers=headers)
    response = web.StreamResponse(status=act.status, headers={**headers, "Content-Length": str(len(body))})
    await response.prepare(request)
    if act.close == "after_headers":
        await response.write(body[: len(body) // 2])
        _hang_up(request)
        return response
    for at in range(len(body)):
        await response.write(body[at : at + 1])
        await asyncio.sleep(act.trickle_s)
    return response


def _hang_up(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.close()


def _main() -> None:
    """Serve until the standard input closes."""
    import sys

    parser = argparse.ArgumentParser(description=_main.__doc__)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--per-second", type=float)
    parser.add_argument("--failing", type=float, default=0.0)
    parser.add_argument("--reply", default="yes")
    given = parser.parse_args()
    with ModelServer(
        reply=given.reply, delay_s=given.delay, per_second=given.per_second, failing=given.failing, keep=False
    ) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    _main()
