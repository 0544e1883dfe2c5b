"""A whole chat completion as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from recollect.contracts.gateway import Body

PIECE = 60


def streamed_chat(reply: Body, *, counted: bool) -> Iterator[str]:
    """The events, the last one `[DONE]`; with *counted*, one before it has the usage."""
    head = {name: reply.get(name) for name in ("id", "created", "model")}
    frame = {**head, "object": "chat.completion.chunk"}
    if "system_fingerprint" in reply:
        frame["system_fingerprint"] = reply["system_fingerprint"]
    tokens = {"usage": None} if counted else {}
    for choice in reply["choices"]:
        index = choice.get("index", 0)
        for delta, finish in _deltas(choice):
            part = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
            yield event({**frame, "choices": [part], **tokens})
    if counted:
        yield event({**frame, "choices": [], "usage": reply.get("usage")})
    yield "data: [DONE]\n\n"


def event(data: Body, name: str = "") -> str:
    """One server-sent event."""
    named = f"event: {name}\n" if name else ""
    return f"{named}data: {json.dumps(data, ensure_ascii=False)}\n\n"


def pieces(text: str) -> Iterator[str]:
    """*text* in parts; together they are the text."""
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def _deltas(choice: Body) -> Iterator[tuple[dict[str, Any], str | None]]:
    """What each event adds; the last one has the finish reason."""
    message = choice["message"]
    known = {"role", "content", "tool_calls"}
    others = {name: value for name, value in message.items() if name not in known and value is not None}
    content = message.get("content")
    yield {"role": "assistant", "content": "" if content else None, **others}, None
    if isinstance(content, str):
        yield from (({"content": part}, None) for part in pieces(content))
    elif content:
        yield {"content": content}, None
    for number, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        opened = {"index": number, "id": call.get("id"), "type": "function"}
        yield {"tool_calls": [{**opened, "function": {"name": function["name"], "arguments": ""}}]}, None
        arguments = function.get("arguments") or ""
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        for part in pieces(text):
            yield {"tool_calls": [{"index": number, "function": {"arguments": part}}]}, None
    yield {}, choice.get("finish_reason") or "stop"
