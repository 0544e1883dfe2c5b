"""Ways to a worker: the lines of a process, or POSTs to a server."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock
from typing import Any, Protocol
from urllib.parse import urlsplit

from recollect.domain.errors import (
    CallError,
    MalformedError,
    RecollectError,
    RefusedError,
    RetryableError,
    UsageError,
)
from recollect.memories.worker.process import MAX_LINE, Pipe, Start
from recollect.memories.worker.wire import line_of, ok_of, read_line

CLOSE_S = 10.0


class Link(Protocol):
    """Asks a worker. Called by one thread at a time."""

    def ask(self, do: str, limit_s: float, **said: Any) -> dict[str, Any]:
        """The `ok` of the answer.

        Raises:
            RecollectError: The worker's error, or that there is no worker any more.
        """
        ...

    def end(self) -> None:
        """Let go of it, without asking."""
        ...


class PipeLink:
    """A worker that is a process of ours. Once dead it stays dead: what it held is gone."""

    def __init__(self, start: Start, who: str) -> None:
        self.who = who
        self.pipe = Pipe(start, who)
        self._number = 0
        self._dead: CallError | None = None
        self._lock = Lock()

    def ask(self, do: str, limit_s: float, **said: Any) -> dict[str, Any]:
        """One line there, one line back."""
        with self._lock:
            if self._dead is not None:
                raise CallError(f"{self._dead} (in an earlier request; what it held is gone)", cause=self._dead.cause)
            self._number += 1
            line = line_of({"id": self._number, "do": do, **said})
            try:
                answer = self.pipe.exchange(line, self._accept, limit_s)
            except CallError as error:
                self._dead = error
                raise
        return self._shown(lambda: ok_of(answer, self._number, self.who))

    def _accept(self, line: bytes) -> dict[str, Any] | None:
        """An answer to this request; one to another ends the worker, as nothing it says can be placed any more."""
        answer = read_line(line)
        if answer is not None and (answer.get("id") != self._number or not {"ok", "error"} & answer.keys()):
            ok_of(answer, self._number, self.who)
        return answer

    def _shown(self, call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What *call* gives; its error without secrets, as it will stand in a report."""
        try:
            return call()
        except CallError as error:
            raise type(error)(self.pipe.hide(str(error)), cause=error.cause) from None
        except RecollectError as error:
            raise type(error)(self.pipe.hide(str(error))) from None

    def end(self) -> None:
        """Close its input; who does not go is ended."""
        self.pipe.leave()


class HttpLink:
    """A worker that is a server; each request carries the namespace it is for."""

    def __init__(self, url: str, who: str, headers: dict[str, str] | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{who}: `{url}` is no address of a server, such as http://127.0.0.1:8700/memory.")
        self.who, self._parts = who, parts
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        self._namespace: str | None = None
        self._number = 0
        self._connection: HTTPConnection | None = None

    def ask(self, do: str, limit_s: float, **said: Any) -> dict[str, Any]:
        """One POST."""
        self._number += 1
        self._namespace = said.get("namespace", self._namespace)
        request = {"id": self._number, "do": do, "namespace": self._namespace, **said}
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
        """Hang up."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _post(self, body: bytes, limit_s: float) -> tuple[int, bytes]:
        connection = self._connected(limit_s)
        try:
            connection.request("POST", self._path, body, self._headers)
            reply = connection.getresponse()
            return reply.status, _whole(reply, time.monotonic() + limit_s)
        except TimeoutError:
            self.end()
            told = f"{self.who} was silent for {limit_s:g} s. Raise `timeout_s`"
            raise RetryableError(told, cause="worker_timeout") from None
        except ConnectionRefusedError:
            self.end()
            told = f"{self.who}: nobody listens. Is the server up?"
            raise RetryableError(told, cause="connection_refused") from None
        except (OSError, HTTPException) as error:
            self.end()
            raise RetryableError(f"{self.who}: {error or type(error).__name__}", cause="connection_closed") from None

    @property
    def _path(self) -> str:
        return f"{self._parts.path or '/'}{'?' + self._parts.query if self._parts.query else ''}"

    def _connected(self, limit_s: float) -> HTTPConnection:
        """A connection for each request: a kept one may be closed by the other side just when it is used."""
        self.end()
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        self._connection = kind(str(self._parts.hostname), self._parts.port, timeout=limit_s)
        return self._connection


def close_link(link: Link) -> None:
    """Close a worker, whatever it says to that."""
    try:
        with suppress(RecollectError):
            link.ask("close", CLOSE_S)
    finally:
        link.end()


def _whole(reply: HTTPResponse, until: float) -> bytes:
    """The body; one that trickles is not waited for longer than one that is silent."""
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
