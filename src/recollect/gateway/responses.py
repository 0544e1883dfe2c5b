"""The responses API on top of chat completions: a request as a chat, and the completion as a response or a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from recollect.contracts.gateway import BadRequestError, Body
from recollect.gateway.chat_stream import event, pieces

_TRANSLATED = frozenset(
    {"input", "instructions", "tools", "tool_choice", "text", "max_output_tokens", "reasoning", "model"}
)
_OURS = frozenset({"stream", "stream_options", "store", "include", "truncation", "background", "previous_response_id",
                   "conversation", "prompt"})  # fmt: skip
"""Not for the model: delivery and storage of the reply; `chat_of` refuses a stored state."""
_PARTS: Mapping[str, str] = {
    "input_text": "text", "output_text": "text", "text": "text", "summary_text": "text", "refusal": "refusal",
}  # fmt: skip
"""Type of a text part -> its field."""


def chat_of(body: Body) -> dict[str, Any]:
    """The equivalent chat request; unknown fields are passed on as they are.

    Raises:
        BadRequestError: It needs a state or a tool of the provider's; all problems at once.
    """
    problems = [
        f"`{name}` is not served, for nothing is kept between calls; send the whole input"
        for name in ("previous_response_id", "conversation", "prompt", "background")
        if body.get(name)
    ]
    messages = _messages(body, problems)
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") == "function":
        choice = {"type": "function", "function": {"name": choice.get("name")}}
    given = {
        "tools": _tools(body.get("tools"), problems),
        "tool_choice": choice,
        "response_format": _format(_mapping(body.get("text")).get("format")),
        "verbosity": _mapping(body.get("text")).get("verbosity"),
        "max_tokens": body.get("max_output_tokens"),
        "reasoning_effort": _mapping(body.get("reasoning")).get("effort"),
    }
    if not messages:
        problems.append("`input` is a text or a list of items")
    if problems:
        raise BadRequestError("responses: " + "; ".join(dict.fromkeys(problems)) + ".", code="not_served")
    rest = {name: value for name, value in body.items() if name not in _TRANSLATED | _OURS and value is not None}
    return {**rest, "messages": messages, **{name: value for name, value in given.items() if value is not None}}


def _messages(body: Body, problems: list[str]) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = []
    if body.get("instructions"):
        turns.append({"role": "system", "content": body["instructions"]})
    items = body.get("input")
    if isinstance(items, str):
        return [*turns, {"role": "user", "content": items}]
    for item in items if isinstance(items, list) else ():
        turn = _turn(item, problems)
        if turn is None:
            continue
        last = turns[-1] if turns else {"role": ""}
        if "tool_calls" in turn and last["role"] == "assistant":
            # In a chat, consecutive tool calls and the message before them are one turn.
            turns[-1] = {**last, "tool_calls": [*last.get("tool_calls", ()), *turn["tool_calls"]]}
        else:
            turns.append(turn)
    return turns


def _turn(item: Any, problems: list[str]) -> dict[str, Any] | None:
    kind = item.get("type", "message") if isinstance(item, dict) else type(item).__name__
    if kind == "message" and isinstance(item, dict):
        role = item.get("role") or "user"
        content = _content(item.get("content"), problems)
        return {"role": "system" if role == "developer" else str(role), "content": content}
    if kind == "function_call":
        function = {"name": item.get("name", ""), "arguments": item.get("arguments") or "{}"}
        call = {"id": item.get("call_id") or item.get("id", ""), "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if kind == "function_call_output":
        output = _content(item.get("output"), problems)
        return {"role": "tool", "tool_call_id": item.get("call_id", ""), "content": output}
    if kind != "reasoning":  # earlier reasoning is not sent again
        problems.append(f"items of type `{kind}` are not served")
    return None


def _content(content: Any, problems: list[str]) -> Any:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False)
    parts: list[dict[str, Any]] = []
    for part in content:
        kind = str(part.get("type")) if isinstance(part, dict) else type(part).__name__
        if kind in _PARTS:
            parts.append({"type": "text", "text": str(part.get(_PARTS[kind], ""))})
        elif kind == "input_image" and part.get("image_url"):
            parts.append({"type": "image_url", "image_url": {"url": part["image_url"]}})
        else:
            problems.append(f"content of type `{kind}` is not served")
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts


def _tools(tools: Any, problems: list[str]) -> list[dict[str, Any]] | None:
    if not isinstance(tools, list) or not tools:
        return None
    made = []
    for tool in tools:
        kind = tool.get("type") if isinstance(tool, dict) else type(tool).__name__
        if kind != "function":
            problems.append(f"tools of type `{kind}` are the provider's own and not served")
            continue
        made.append({"type": "function", "function": {name: value for name, value in tool.items() if name != "type"}})
    return made or None


def _format(form: Any) -> dict[str, Any] | None:
    if not isinstance(form, dict) or form.get("type") in (None, "text"):
        return None
    if form["type"] == "json_schema":
        return {"type": "json_schema", "json_schema": {name: value for name, value in form.items() if name != "type"}}
    return dict(form)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


_ECHOED = ("instructions", "metadata", "temperature", "top_p", "max_output_tokens", "text", "reasoning", "truncation")
_CUT = frozenset({"length", "content_filter"})


def response_of(reply: Body, asked: Body) -> dict[str, Any]:
    """The response to *asked* from the first choice of *reply*."""
    choice = reply["choices"][0]
    named = blake2b(json.dumps(reply, sort_keys=True).encode(), digest_size=12).hexdigest()
    cut = choice.get("finish_reason") in _CUT
    why = "max_output_tokens" if choice.get("finish_reason") == "length" else "content_filter"
    return {
        "id": f"resp_{named}",
        "object": "response",
        "created_at": int(reply.get("created") or 0),
        "status": "incomplete" if cut else "completed",
        "error": None,
        "incomplete_details": {"reason": why} if cut else None,
        "model": reply.get("model") or str(asked.get("model", "")),
        "output": list(_items(choice["message"], named, "incomplete" if cut else "completed")),
        "parallel_tool_calls": asked.get("parallel_tool_calls", True),
        "tool_choice": asked.get("tool_choice") or "auto",
        "tools": asked.get("tools") or [],
        "previous_response_id": None,
        "store": False,
        "usage": _usage(reply.get("usage")),
        **{name: asked.get(name) for name in _ECHOED},
    }


def _items(message: Body, named: str, status: str) -> Iterator[dict[str, Any]]:
    text = message.get("content") or ""
    if isinstance(text, list):
        text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
    parts: list[dict[str, Any]] = []
    if text:
        parts.append({"type": "output_text", "text": str(text), "annotations": [], "logprobs": []})
    if message.get("refusal"):
        parts.append({"type": "refusal", "refusal": message["refusal"]})
    calls = message.get("tool_calls") or ()
    if parts or not calls:
        yield {"type": "message", "id": f"msg_{named}", "status": status, "role": "assistant", "content": parts}
    for number, call in enumerate(calls):
        function = call["function"]
        arguments = function.get("arguments") or "{}"
        yield {
            "type": "function_call",
            "id": f"fc_{named}_{number}",
            "call_id": call.get("id") or f"call_{named}_{number}",
            "name": function["name"],
            "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
            "status": status,
        }


def _usage(usage: Any) -> dict[str, Any] | None:
    if not isinstance(usage, dict):
        return None
    sent, received = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    reasoning = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    return {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": received,
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": int(usage.get("total_tokens") or sent + received),
    }


def streamed_response(response: Body) -> Iterator[str]:
    """The events in order, numbered."""
    for number, (name, data) in enumerate(_events(response)):
        yield event({"type": name, "sequence_number": number, **data}, name)


def _events(response: Body) -> Iterator[tuple[str, dict[str, Any]]]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response["output"]):
        place = {"item_id": item["id"], "output_index": index}
        is_call = item["type"] == "function_call"
        empty: dict[str, Any] = {"arguments": ""} if is_call else {"content": []}
        added = {**item, "status": "in_progress", **empty}
        yield "response.output_item.added", {"output_index": index, "item": added}
        if is_call:
            name, arguments = "response.function_call_arguments", item["arguments"]
            yield from ((f"{name}.delta", {**place, "delta": part}) for part in pieces(arguments))
            yield f"{name}.done", {**place, "name": item["name"], "arguments": arguments}
        else:
            yield from _message(item, place)
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield f"response.{response['status']}", {"response": response}


def _message(item: Body, place: Body) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, part in enumerate(item["content"]):
        at = {**place, "content_index": index}
        field = "text" if part["type"] == "output_text" else "refusal"
        logged: dict[str, Any] = {"logprobs": []} if field == "text" else {}
        yield "response.content_part.added", {**at, "part": {**part, field: ""}}
        name = f"response.{part['type']}"
        yield from ((f"{name}.delta", {**at, "delta": piece, **logged}) for piece in pieces(part[field]))
        yield f"{name}.done", {**at, field: part[field], **logged}
        yield "response.content_part.done", {**at, "part": part}
