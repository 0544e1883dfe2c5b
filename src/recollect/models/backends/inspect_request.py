"""A request in OpenAI's shape as what Inspect takes: messages, tools, settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_MESSAGE = frozenset({"model", "messages", "tools", "stream"})
_CONFIG = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "stop": "stop_seqs",
}
"""Field of a request -> name of Inspect's setting."""
_OURS = frozenset(
    {"max_retries", "timeout", "attempt_timeout", "max_connections", "adaptive_connections", "cache", "batch"}
)
"""Settings of Inspect that say how calls are made; that is our affair."""


def arguments_of(asked: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The messages and the tools.

    Raises:
        ValueError: A past tool call or a schema cannot be said in Inspect's words.
    """
    named = {call["id"]: call["function"]["name"] for turn in asked["messages"] for call in turn.get("tool_calls", ())}
    return [_message(turn, named) for turn in asked["messages"]], [_tool(tool) for tool in asked.get("tools", ())]


def config_of(asked: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
    """The settings. What Inspect has a name for goes under it; all else into the body, which some providers take.

    Raises:
        ValueError: A schema cannot be said in Inspect's words.
    """
    from inspect_ai.model import GenerateConfig

    said = {_CONFIG[name]: value for name, value in asked.items() if name in _CONFIG}
    further = {name: value for name, value in asked.items() if name not in {*_CONFIG, *_MESSAGE, "response_format"}}
    known = {name for name in further if name in GenerateConfig.model_fields and name not in _OURS}
    rest = {name: value for name, value in further.items() if name not in known}
    return GenerateConfig(
        **said,
        **{name: further[name] for name in known},
        response_schema=_response_schema(asked.get("response_format")),
        extra_headers=dict(headers) or None,
        extra_body=rest or None,
    )


def _message(turn: Mapping[str, Any], named: Mapping[str, str]) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    text, role = turn.get("content") or "", turn["role"]
    if role == "assistant":
        calls = [_call(call) for call in turn.get("tool_calls", ())]
        return ChatMessageAssistant(content=text, tool_calls=calls or None)
    if role == "tool":
        call_id = turn.get("tool_call_id")
        return ChatMessageTool(content=text, tool_call_id=call_id, function=named.get(call_id or ""))
    return ChatMessageSystem(content=text) if role == "system" else ChatMessageUser(content=text)


def _call(call: Mapping[str, Any]) -> Any:
    from inspect_ai.tool import ToolCall

    told = call["function"]
    arguments = json.loads(told["arguments"] or "{}")
    if not isinstance(arguments, dict):
        raise ValueError(f"the arguments of a past call of `{told['name']}` are no JSON object")
    return ToolCall(id=call["id"], function=told["name"], arguments=arguments)


def _tool(tool: Mapping[str, Any]) -> Any:
    from inspect_ai.tool import ToolInfo, ToolParams

    told = tool["function"]
    parameters = {"type": "object", "properties": {}, **told["parameters"]}
    made = ToolParams.model_validate({"additionalProperties": True, **parameters})
    _check_whole(parameters, made.model_dump(exclude_none=True), f"tool `{told['name']}`")
    return ToolInfo(name=told["name"], description=told["description"], parameters=made)


def _response_schema(form: Mapping[str, Any] | None) -> Any:
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema

    if form is None:
        return None
    told = form["json_schema"]
    made = JSONSchema.model_validate(told["schema"])
    _check_whole(told["schema"], made.model_dump(exclude_none=True), "the schema of the reply")
    return ResponseSchema(name=told["name"], json_schema=made, strict=told.get("strict"))


def _check_whole(asked: Any, kept: Any, where: str) -> None:
    """Refuse a schema of which something would be dropped without a word."""
    lost = sorted(_lost(asked, kept))
    if lost:
        raise ValueError(f"{where} uses {', '.join(f'`{name}`' for name in lost)}, which Inspect drops")


def _lost(asked: Any, kept: Any) -> set[str]:
    if isinstance(asked, Mapping):
        if not isinstance(kept, Mapping):
            return set()
        gone = {name for name, value in asked.items() if name not in kept and value is not None}
        return gone.union(*(_lost(value, kept[name]) for name, value in asked.items() if name in kept))
    if isinstance(asked, list) and isinstance(kept, list):
        return set().union(*(_lost(one, other) for one, other in zip(asked, kept, strict=False)))
    return set()
