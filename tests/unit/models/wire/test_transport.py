"""One HTTP call against a server that misbehaves: each breakage has its cause, and no key gets out."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.wire.transport import HttpResponse, Transport

from tests.fakes.model_acts import FAULTS, Act, raw, say
from tests.fakes.model_server import ModelServer

CANARY = "sk-canary/4711+abcdefgh"
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {CANARY}", "X-Api-Key": "second-canary"}
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi there"}]}).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def post(base: str, *, timeout_s: float = 20.0, headers: dict[str, str] = HEADERS, body: bytes = BODY) -> HttpResponse:
    async def once() -> HttpResponse:
        transport = Transport()
        try:
            return await transport.post(f"{base}/chat/completions", body, headers, timeout_s)
        finally:
            await transport.close()

    return asyncio.run(once())


def broken(base: str, *, timeout_s: float = 20.0, headers: dict[str, str] = HEADERS) -> CallError:
    with pytest.raises(CallError) as caught:
        post(base, timeout_s=timeout_s, headers=headers)
    return caught.value


def test_what_was_sent_arrives_and_what_was_answered_comes_back(server: ModelServer) -> None:
    answered = post(server.url)
    assert answered.status == 200
    assert json.loads(answered.body)["choices"][0]["message"]["content"] == "You said: hi there"
    assert server.calls[-1].body == json.loads(BODY)
    assert server.calls[-1].headers["authorization"] == f"Bearer {CANARY}"


@pytest.mark.parametrize(
    ("fault", "cause", "kind"),
    [
        pytest.param("connection_closed", "connection_closed", RetryableError, id="closed-before-the-reply"),
        pytest.param("closed_midway", "connection_closed", RetryableError, id="closed-midway"),
        pytest.param("timeout", "timeout", RetryableError, id="no-reply"),
        pytest.param("slow_trickle", "slow_trickle", RetryableError, id="byte-by-byte"),
    ],
)
def test_every_breakage_on_the_way_has_its_cause(
    server: ModelServer, fault: str, cause: str, kind: type[CallError]
) -> None:
    server.then(FAULTS[fault])
    error = broken(server.url, timeout_s=0.3)
    assert error.cause == cause
    assert type(error) is kind


def test_a_slow_reply_that_ends_in_time_is_a_reply(server: ModelServer) -> None:
    server.then(Act(text="x", trickle_s=0.001))
    assert post(server.url).status == 200


def test_an_error_status_is_an_answer(server: ModelServer) -> None:
    """What to make of it is decided elsewhere."""
    server.then(Act(status=429, body=b"later", headers={"Retry-After": "3", "X-Other": "y"}))
    answered = post(server.url)
    assert (answered.status, answered.body, answered.headers["retry-after"]) == (429, b"later", "3")
    assert "x-other" not in answered.headers


def test_a_redirect_is_not_followed_for_it_would_take_the_key_along(server: ModelServer) -> None:
    before = server.requests
    server.then(Act(status=302, body=b"", headers={"Location": f"{server.url}/embeddings"}))
    assert post(server.url).status == 302
    assert server.requests == before + 1


def test_a_server_that_does_not_run_cannot_be_reached() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = broken(f"http://127.0.0.1:{port}/v1")
    assert (error.cause, type(error)) == ("connection_refused", RetryableError)
    assert f"127.0.0.1:{port}" in str(error)
    assert "ECONNREFUSED" in str(error)


@pytest.mark.parametrize(
    ("number", "kind"),
    [(socket.EAI_NONAME, RefusedError), (socket.EAI_AGAIN, RetryableError)],
    ids=["no-such-host", "no-answer-for-now"],
)
def test_a_name_that_cannot_be_looked_up_is_no_refused_connection(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[CallError]
) -> None:
    async def unknown(*args: object, **kwargs: object) -> object:
        raise socket.gaierror(number, "unknown")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", unknown)
    error = broken("http://nowhere.invalid/v1")
    assert (error.cause, type(error)) == ("dns", kind)


def test_a_secure_address_of_a_plain_server_is_a_matter_of_tls(server: ModelServer) -> None:
    error = broken(server.url.replace("http:", "https:"))
    assert (error.cause, type(error)) == ("tls", RefusedError)


def test_a_server_that_speaks_another_language_is_named(plain: Callable[[bytes], str]) -> None:
    error = broken(plain(b"220 mail.example ESMTP\r\n\r\n"))
    assert (error.cause, type(error)) == ("not_http", MalformedError)


def test_a_key_with_a_line_break_is_refused_and_not_shown(server: ModelServer) -> None:
    error = broken(server.url, headers={"Authorization": f"Bearer {CANARY}\r\nX: y"})
    assert (error.cause, type(error)) == ("bad_request", RefusedError)
    assert CANARY not in str(error)


@pytest.mark.parametrize("fault", ["connection_closed", "closed_midway", "timeout", "slow_trickle"])
def test_no_error_on_the_way_holds_a_key(server: ModelServer, fault: str) -> None:
    """Nor does the chain of errors that a traceback would print."""
    server.then(FAULTS[fault])
    error: BaseException | None = broken(server.url, timeout_s=0.2)
    assert error is not None
    assert error.__suppress_context__
    assert CANARY not in f"{error!r} {error} {error.__dict__}"


def test_a_key_that_the_server_repeats_is_masked_in_whatever_comes_back(server: ModelServer) -> None:
    """So it can be in no cache, log or message."""
    escaped = CANARY.replace("/", "\\/")
    server.then(
        Act(
            body=f'{{"error": "bad key {CANARY} or {escaped} or second-canary"}}'.encode(),
            headers={"X-Request-Id": f"for {CANARY}"},
            status=401,
        )
    )
    answered = post(server.url)
    assert answered.body == b'{"error": "bad key *** or *** or ***"}'
    assert answered.headers["x-request-id"] == "for ***"


def test_a_reply_that_repeats_no_key_is_not_touched(server: ModelServer) -> None:
    said = b'{"text": "Bearer of good news, application/json"}'
    server.then(raw(said))
    assert post(server.url).body == said


def test_connections_are_used_again_and_there_is_no_limit_but_the_gate(server: ModelServer) -> None:
    async def work() -> list[HttpResponse]:
        transport = Transport()
        try:
            one = [await transport.post(f"{server.url}/chat/completions", BODY, HEADERS, 20) for _ in range(3)]
            server.delay_s = 0.2
            calls = (transport.post(f"{server.url}/chat/completions", BODY, HEADERS, 20) for _ in range(150))
            return one + list(await asyncio.gather(*calls))
        finally:
            server.delay_s = 0.0
            await transport.close()

    server.forget()
    assert {answered.status for answered in asyncio.run(work())} == {200}
    assert server.most_at_once == 150


def test_a_long_prompt_goes_through(server: ModelServer) -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "word " * 800_000}]}).encode()
    server.then(say("read"))
    assert post(server.url, body=body).status == 200


def test_a_cancelled_call_is_cancelled_and_no_fault(server: ModelServer) -> None:
    async def work() -> None:
        transport = Transport()
        server.then(FAULTS["timeout"])
        task = asyncio.create_task(transport.post(f"{server.url}/chat/completions", BODY, HEADERS, 20))
        await asyncio.sleep(0.1)
        task.cancel()
        try:
            await task
        finally:
            await transport.close()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())


@pytest.fixture
def plain() -> Iterator[Callable[[bytes], str]]:
    """A server that says one thing to whoever connects, and hangs up."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads = []

    def serve(said: bytes) -> str:
        def once() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(said)

        threads.append(Thread(target=once, daemon=True))
        threads[-1].start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}/v1"

    yield serve
    listening.close()
    for thread in threads:
        thread.join(1)
