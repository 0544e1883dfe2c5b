"""Links to a worker: over the pipes of a process, or by POST to a server."""

from __future__ import annotations

import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from recollect.domain.errors import CallError, MalformedError, RecollectError, RefusedError, RetryableError, UsageError
from recollect.memories.worker.process import MAX_LINE, Requests, Start
from recollect.memories.worker.wire import line_of, ok_of, read_line

CLOSE_S = 10.0


class PipeLink:
    """A worker in a child process."""

    def __init__(self, start: Start, who: str) -> None:
        self.who, self._requests = who, Requests(start, who)
        self.pipe = self._requests.pipe

    def ask(self, do: str, limit_s: float, **fields: Any) -> dict[str, Any]:
        """One line there, one line back; errors come without secrets, since reports show them."""

        def accept(line: bytes) -> dict[str, Any] | None:
            answer, number = read_line(line), self._requests.number
            if answer is not None and (answer.get("id") != number or not {"ok", "error"} & answer.keys()):
                ok_of(answer, number, self.who)  # raises, and so ends the worker: its answers are out of step
            return answer

        answer = self._requests.exchange(lambda number: line_of({"id": number, "do": do, **fields}), accept, limit_s)
        try:
            return ok_of(answer, self._requests.number, self.who)
        except CallError as error:
            raise type(error)(self.pipe.hide(str(error)), cause=error.cause) from None
        except RecollectError as error:
            raise type(error)(self.pipe.hide(str(error))) from None

    def end(self) -> None:
        """Close its input, then end it if it does not exit."""
        self.pipe.leave()


class HttpLink:
    """A worker behind a server; each request carries its namespace."""

    def __init__(self, url: str, who: str, headers: dict[str, str] | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{who}: `{url}` is no address of a server, such as http://127.0.0.1:8700/memory.")
        self.who, self._parts = who, parts
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._namespace: str | None = None
        self._number = 0
        self._connection: HTTPConnection | None = None

    def ask(self, do: str, limit_s: float, **fields: Any) -> dict[str, Any]:
        self._number += 1
        self._namespace = fields.get("namespace", self._namespace)
        request = {"id": self._number, "do": do, "namespace": self._namespace, **fields}
        status, body = self._post(line_of(request), limit_s)
        if status == 429 or status >= 500:
            raise RetryableError(f"{self.who}: HTTP {status}: {_start(body)}", cause="server_error")
        if status != 200:
            raise RefusedError(f"{self.who}: HTTP {status}: {_start(body)}", cause="bad_request")
        answer = read_line(body.strip())
        if answer is None:
            raise MalformedError(f"{self.who} sent no answer of the protocol: {_start(body)}", cause="worker_protocol")
        return ok_of(answer, self._number, self.who)

    def end(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _post(self, body: bytes, limit_s: float) -> tuple[int, bytes]:
        """Status and body, over a new connection: the server may close a kept one just when it is used."""
        self.end()
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        self._connection = kind(str(self._parts.hostname), self._parts.port, timeout=limit_s)
        path = f"{self._parts.path or '/'}{'?' + self._parts.query if self._parts.query else ''}"
        try:
            self._connection.request("POST", path, body, self._headers)
            reply = self._connection.getresponse()
            return reply.status, _read_body(reply, time.monotonic() + limit_s)
        except TimeoutError:
            problem, cause = f"{self.who} was silent for {limit_s:g} s. Raise `timeout_s`", "worker_timeout"
        except ConnectionRefusedError:
            problem, cause = f"{self.who}: nobody listens. Is the server up?", "connection_refused"
        except (OSError, HTTPException) as error:
            problem, cause = f"{self.who}: {error or type(error).__name__}", "connection_closed"
        self.end()
        raise RetryableError(problem, cause=cause)


Link = PipeLink | HttpLink
"""Sends requests to a worker, from one thread at a time. `ask` returns the `ok` of the answer, or raises its error."""


def close_link(link: Link) -> None:
    """Close a worker, whatever its answer."""
    try:
        with suppress(RecollectError):
            link.ask("close", CLOSE_S)
    finally:
        link.end()


def _read_body(reply: HTTPResponse, until: float) -> bytes:
    """The body; a slow one has no more time than a silent one."""
    body = bytearray()
    while got := reply.read1(2**20):
        body += got
        if time.monotonic() > until:
            raise TimeoutError
        if len(body) > MAX_LINE:
            raise HTTPException(f"the reply is longer than {MAX_LINE} bytes")
    return bytes(body)


def _start(body: bytes) -> str:
    return body[:200].decode("utf-8", "replace").strip()
