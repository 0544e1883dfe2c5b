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
"""Not for the model: how the reply is handed over and kept; a stored state is refused, see `_state`."""
_PARTS: Mapping[str, str] = {"input_text": "text", "output_text": "text", "text": "text", "summary_text": "text"}


def chat_of(body: Body) -> dict[str, Any]:
    """The chat that asks the same; fields that are not known here go along as they are.

    Raises:
        BadRequestError: It asks for something that needs a state or a tool of the provider's; all problems at once.
    """
    problems: list[str] = list(_state(body))
    messages = list(_messages(body, problems))
    given = {
        "tools": _tools(body.get("tools"), problems),
        "tool_choice": _choice(body.get("tool_choice")),
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


def _state(body: Body) -> Iterator[str]:
    for name in ("previous_response_id", "conversation", "prompt", "background"):
        if body.get(name):
            yield f"`{name}` is not served, for nothing is kept between calls; send the whole input"


def _messages(body: Body, problems: list[str]) -> Iterator[dict[str, Any]]:
    if body.get("instructions"):
        yield {"role": "system", "content": body["instructions"]}
    given = body.get("input")
    if isinstance(given, str):
        yield {"role": "user", "content": given}
    elif isinstance(given, list):
        yield from _joined(_turns(given, problems))


def _turns(items: list[Any], problems: list[str]) -> Iterator[dict[str, Any]]:
    for item in items:
        kind = item.get("type", "message") if isinstance(item, dict) else type(item).__name__
        if kind == "message" and isinstance(item, dict):
            yield {"role": _role(item.get("role")), "content": _content(item.get("content"), problems)}
        elif kind == "function_call":
            yield {"role": "assistant", "content": None, "tool_calls": [_past_call(item)]}
        elif kind == "function_call_output":
            output = _content(item.get("output"), problems)
            yield {"role": "tool", "tool_call_id": item.get("call_id", ""), "content": output}
        elif kind != "reasoning":  # what a model thought is not told again
            problems.append(f"items of type `{kind}` are not served")


def _joined(turns: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Tool calls that follow one another, or what was said before them, are one turn in a chat."""
    last: dict[str, Any] | None = None
    for turn in turns:
        if last is not None and "tool_calls" in turn and last["role"] == "assistant":
            last = {**last, "tool_calls": [*last.get("tool_calls", ()), *turn["tool_calls"]]}
            continue
        if last is not None:
            yield last
        last = turn
    if last is not None:
        yield last


def _role(said: object) -> str:
    return "system" if said == "developer" else str(said or "user")


def _content(content: Any, problems: list[str]) -> Any:
    """A text where all parts are texts, else parts as a chat has them."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False)
    parts = [_part(part, problems) for part in content]
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts


def _part(part: Any, problems: list[str]) -> dict[str, Any]:
    kind = part.get("type") if isinstance(part, dict) else type(part).__name__
    if kind in _PARTS:
        return {"type": "text", "text": str(part.get("text", ""))}
    if kind == "refusal":
        return {"type": "text", "text": str(part.get("refusal", ""))}
    if kind == "input_image" and part.get("image_url"):
        return {"type": "image_url", "image_url": {"url": part["image_url"]}}
    problems.append(f"content of type `{kind}` is not served")
    return {"type": "text", "text": ""}


def _past_call(item: Body) -> dict[str, Any]:
    function = {"name": item.get("name", ""), "arguments": item.get("arguments") or "{}"}
    return {"id": item.get("call_id") or item.get("id", ""), "type": "function", "function": function}


def _tools(tools: Any, problems: list[str]) -> list[dict[str, Any]] | None:
    if not isinstance(tools, list) or not tools:
        return None
    made = []
    for tool in tools:
        kind = tool.get("type") if isinstance(tool, dict) else type(tool).__name__
        if kind != "function":
            problems.append(f"tools of type `{kind}` are the provider's own and not served")
            continue
        made.append({"type": "function", "function": {name: said for name, said in tool.items() if name != "type"}})
    return made or None


def _choice(choice: Any) -> Any:
    if isinstance(choice, dict) and choice.get("type") == "function":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice


def _format(said: Any) -> dict[str, Any] | None:
    if not isinstance(said, dict) or said.get("type") in (None, "text"):
        return None
    if said["type"] == "json_schema":
        return {"type": "json_schema", "json_schema": {name: value for name, value in said.items() if name != "type"}}
    return dict(said)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


_ECHOED = ("instructions", "metadata", "temperature", "top_p", "max_output_tokens", "text", "reasoning", "truncation")
_CUT = frozenset({"length", "content_filter"})


def response_of(reply: Body, asked: Body) -> dict[str, Any]:
    """The response to *asked* that *reply* is: its first choice."""
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
    text = _text(message.get("content"))
    parts: list[dict[str, Any]] = []
    if text:
        parts.append({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
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


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _usage(usage: Any) -> dict[str, Any] | None:
    if not isinstance(usage, dict):
        return None
    sent, said = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    return {
        "input_tokens": sent,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": said,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": int(usage.get("total_tokens") or sent + said),
    }


Told = tuple[str, dict[str, Any]]
"""Name of an event, and its data."""


def streamed_response(response: Body) -> Iterator[str]:
    """The events in order, numbered."""
    for number, (name, data) in enumerate(_told(response)):
        yield event({"type": name, "sequence_number": number, **data}, name)


def _told(response: Body) -> Iterator[Told]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response["output"]):
        place = {"item_id": item["id"], "output_index": index}
        yield "response.output_item.added", {"output_index": index, "item": _opened(item)}
        yield from _call(item, place) if item["type"] == "function_call" else _message(item, place)
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield f"response.{response['status']}", {"response": response}


def _opened(item: Body) -> dict[str, Any]:
    empty: dict[str, Any] = {"arguments": ""} if item["type"] == "function_call" else {"content": []}
    return {**item, "status": "in_progress", **empty}


def _call(item: Body, place: Body) -> Iterator[Told]:
    name = "response.function_call_arguments"
    for part in pieces(item["arguments"]):
        yield f"{name}.delta", {**place, "delta": part}
    yield f"{name}.done", {**place, "name": item["name"], "arguments": item["arguments"]}


def _message(item: Body, place: Body) -> Iterator[Told]:
    for index, part in enumerate(item["content"]):
        at = {**place, "content_index": index}
        field = "text" if part["type"] == "output_text" else "refusal"
        logged: dict[str, Any] = {"logprobs": []} if field == "text" else {}
        yield "response.content_part.added", {**at, "part": {**part, field: ""}}
        name = f"response.{part['type']}"
        for piece in pieces(part[field]):
            yield f"{name}.delta", {**at, "delta": piece, **logged}
        yield f"{name}.done", {**at, field: part[field], **logged}
        yield "response.content_part.done", {**at, "part": part}
