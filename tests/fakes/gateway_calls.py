"""Calls of a gateway as a system makes them: over HTTP, with nothing of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access


@dataclass(frozen=True, slots=True)
class Got:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """As JSON."""
        return json.loads(self.raw)

    @property
    def text(self) -> str:
        """Of the first choice."""
        return str(self.body["choices"][0]["message"]["content"])

    @property
    def error(self) -> Any:
        """The error object."""
        return self.body["error"]

    @property
    def events(self) -> list[Any]:
        """Data of the server-sent events, without the end mark."""
        return [json.loads(data) for data in self.data if data != "[DONE]"]

    @property
    def data(self) -> list[str]:
        """The events as they came."""
        return list(_data(self.raw.decode()))


def _data(text: str) -> Iterator[str]:
    for block in text.split("\n\n"):
        for line in block.splitlines():
            if line.startswith("data: "):
                yield line.removeprefix("data: ")


def call(access: Access, path: str, body: Any = None, *, method: str = "", token: str | None = None) -> Got:
    """One request on a connection of its own; *body* is sent as it is where it is bytes."""
    url = urlsplit(access.base_url)
    connection = HTTPConnection(url.hostname or "", url.port, timeout=30)
    sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    held = access.token if token is None else token
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {held}"} if held else {})}
    try:
        connection.request(method or ("GET" if body is None else "POST"), f"{url.path}{path}", sent, headers)
        answer = connection.getresponse()
        return Got(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def chat(access: Access, text: str, **more: Any) -> Got:
    """A chat of one turn."""
    return call(access, "/chat/completions", {"model": "x", "messages": [{"role": "user", "content": text}], **more})


@dataclass(slots=True)
class Doing:
    """A system at work."""

    now: CallContext | None = None

    def occasion(self) -> CallContext | None:
        """What a test says it does."""
        return self.now


@dataclass(slots=True)
class CountedEmbedder:
    """Unit vectors of eight numbers, from the bytes of a text; counts what it is asked for."""

    asked: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """A name."""
        return "counted"

    @property
    def dimensions(self) -> int:
        """Eight."""
        return 8

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector for each text."""
        self.asked += texts
        counts = [np.bincount(np.frombuffer(f"{text}.".encode(), np.uint8) % 8, minlength=8) for text in texts]
        raw = np.array(counts, np.float64).reshape(-1, 8)
        return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True), np.float32)
