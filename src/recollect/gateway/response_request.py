"""A request of the responses API as a chat: the part of it that SDKs use to get text, tool calls and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.gateway.backing import BadRequestError, Body

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
