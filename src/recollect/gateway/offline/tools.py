"""Which tools the rules ask for, and with what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.gateway.offline.filling import Filler, Schema, kind_of
from recollect.gateway.offline.material import Material
from recollect.gateway.offline.vocabulary import CHANGING, FACTS, STORING, TEXTS, words_of

Call = tuple[str, str]
"""Name, and arguments as JSON."""


def calls_for(body: Mapping[str, Any], material: Material) -> list[Call]:
    """The calls that answer *body*; none where a text is wanted, or where the tools have been used already."""
    tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or () if "function" in tool}
    choice = body.get("tool_choice") or "auto"
    if not tools or choice == "none":
        return []
    forced = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    if forced in tools:
        return _calls(tools[forced], material, body)
    must = choice in {"required", "any"}
    if not must and (_was_answered(body["messages"]) or not material.facts):
        return []
    tool = _storing(tools.values()) or (next(iter(tools.values())) if must else None)
    return _calls(tool, material, body) if tool is not None else []


def _was_answered(messages: Sequence[Mapping[str, Any]]) -> bool:
    """A tool has spoken since the user did: another call would go on for ever."""
    return any(turn.get("role") == "tool" for turn in messages[-1:])


def _storing(tools: Any) -> Mapping[str, Any] | None:
    """The tool that keeps something new."""
    new = [tool for tool in tools if words_of(tool["name"]).isdisjoint(CHANGING)]
    named = [tool for tool in new if not words_of(tool["name"]).isdisjoint(STORING)]
    takes = [tool for tool in new if _text_field(tool.get("parameters") or {})]
    return next(iter([*named, *takes]), None)


def _calls(tool: Mapping[str, Any], material: Material, body: Mapping[str, Any]) -> list[Call]:
    """One call a fact where the tool takes one text, and one may call it several times at once; else one."""
    schema = tool.get("parameters") or {}
    field = _text_field(schema)
    if field and material.facts and body.get("parallel_tool_calls") is not False:
        return list(_one_each(tool["name"], schema, material))
    return [(tool["name"], _spelled(Filler(material, schema), schema))]


def _one_each(name: str, schema: Schema, material: Material) -> Iterator[Call]:
    for number, fact in enumerate(material.facts):
        yield name, _spelled(Filler(material, schema, fact=fact, number=number), schema)


def _spelled(filler: Filler, schema: Schema) -> str:
    return json.dumps(filler.fill({"type": "object", **schema}), ensure_ascii=False)


def _text_field(schema: Schema) -> str:
    """The field of *schema* that takes one text to be kept."""
    for field, part in (schema.get("properties") or {}).items():
        if kind_of(part) == "string" and not words_of(field).isdisjoint(TEXTS | FACTS):
            return str(field)
    return ""
