"""What the stub model server may do with a call: sound replies, and every way to break."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as the server saw it."""

    number: int
    """Counts from 0 over all requests."""
    kind: Literal["chat", "response", "embedding"]
    model: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]
    at: float
    """Seconds since the server began."""

    @property
    def turns(self) -> list[Any]:
        """The messages of a chat; of the responses API its instructions and input, as messages."""
        if self.kind == "chat":
            return list(self.body.get("messages", []))
        given = self.body.get("input", "")
        first = [{"role": "system", "content": self.body["instructions"]}] if "instructions" in self.body else []
        return [*first, *([{"role": "user", "content": given}] if isinstance(given, str) else given)]

    @property
    def last(self) -> str:
        """Text of the last turn of a chat."""
        return str(self.turns[-1].get("content") or "")

    @property
    def texts(self) -> list[str]:
        """What an embedding request holds."""
        given = self.body["input"]
        return [given] if isinstance(given, str) else list(given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What the server does with one call. The defaults are a sound reply."""

    text: str | None = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Tools that the model asks for: name and arguments."""
    finish: str | None = None
    """`None`: what fits the reply."""
    delay_s: float = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Sent as it is, instead of a reply."""
    cut: float = 1.0
    """Share of the reply's bytes that are sent, as if they were all."""
    close: Literal["never", "before_headers", "after_headers"] = "never"
    trickle_s: float = 0.0
    """Wait between two bytes of the reply."""
    model: str | None = None
    """Name that the reply gives; `None` for the one asked for."""
    usage: bool = True
    message: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the message."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the reply; over those that are there."""
    usage_extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the usage, as `prompt_tokens_details`."""

    @property
    def sound(self) -> bool:
        """A whole reply that tells its tokens: what a ledger should hold."""
        named = self.model is None and self.finish != "content_filter"
        return self.charged and named and not self._empty

    @property
    def charged(self) -> bool:
        """The caller gets a reply, good or not, that tells its tokens."""
        whole = self.status == 200 and self.body is None and self.cut == 1.0 and self.close == "never"
        return whole and self.usage

    @property
    def _empty(self) -> bool:
        nothing = not self.text and not self.calls and self.finish != "length"
        return nothing or "choices" in self.extra


def say(text: str, *, delay_s: float = 0.0) -> Act:
    """A sound reply."""
    return Act(text=text, delay_s=delay_s)


def ask_tool(name: str, arguments: Mapping[str, Any] | str) -> Act:
    """A reply that asks for a tool."""
    said = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Act(text=None, calls=((name, said),))


def fail(status: int, message: str = "no luck", *, code: str | None = None, headers: Mapping[str, str] = {}) -> Act:
    """An HTTP error with an error object."""
    error = {"message": message, "type": code or "api_error", "code": code}
    return Act(status=status, body=json.dumps({"error": error}).encode(), headers=headers)


def rate_limited(retry_after: str | None = None) -> Act:
    """HTTP 429, with or without `Retry-After`."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return fail(429, "too many requests", code="rate_limit_exceeded", headers=headers)


def raw(text: str | bytes, status: int = 200, content_type: str = "application/json") -> Act:
    """These bytes and no others."""
    body = text.encode() if isinstance(text, str) else text
    return Act(body=body, status=status, headers={"Content-Type": content_type})


FAULTS: Mapping[str, Act] = {
    "rate_limited": rate_limited(),
    "server_error": fail(500),
    "overloaded": fail(503, "overloaded", code="overloaded_error"),
    "connection_closed": Act(close="before_headers"),
    "closed_midway": Act(text="half of a reply " * 20, close="after_headers"),
    "slow_trickle": Act(text="drop by drop", trickle_s=0.05),
    "timeout": Act(text="late", delay_s=3600.0),
    "not_json": raw("<html><body>Bad gateway, try again.</body></html>", content_type="text/html"),
    "error_in_reply": raw('{"error": {"message": "Something broke inside", "type": "server_error", "code": null}}'),
    "rate_limit_in_reply": raw('{"error": {"message": "Slow down", "code": "rate_limit_exceeded"}}'),
    "truncated_json": Act(text="a reply that is cut", cut=0.5),
    "wrong_schema": raw('{"choices": "none today", "model": "m"}'),
    "empty_choice": Act(text=""),
    "no_choice": Act(extra={"choices": []}, text="x"),
    "wrong_model": Act(text="yes", model="another-model"),
    "usage_missing": Act(text="yes", usage=False),
    "filtered": Act(text="", finish="content_filter"),
}
"""Every kind of breakage by a short name; most are names of causes."""
