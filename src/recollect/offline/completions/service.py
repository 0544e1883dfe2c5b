"""Answers chats of systems by rules, so that they store and find without a model.

What it answers is made of the prompt alone, and of no system in particular: a tool or schema says what is wanted, else
an example of JSON does. It measures plumbing: no result with it says anything about a system.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from recollect.contracts.gateway import Body
from recollect.contracts.models import Turn
from recollect.offline.chat import RuleChat
from recollect.offline.completions.lexicon import CHANGING, DISTILLING, FACTS, STORING, TEXTS, words_of
from recollect.offline.completions.material import Material, read_material, text_of
from recollect.offline.completions.schemas import Filler, Schema, asks_for_json, kind_of, schema_in
from recollect.offline.completions.sections import material_of
from recollect.text.tokens import count, cut_end

VERSION = 1
NAME = "recollect-rules"
_ROLES = ("system", "user", "assistant", "tool")


class OfflineChatting:
    """The rules as the model of a gateway."""

    @property
    def model(self) -> str:
        """A name, for the list of models."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return f"rules-gateway-{VERSION}+{RuleChat().fingerprint}"

    async def chat(self, body: Body) -> bytes:
        """A chat completion; the same for the same request."""
        return await asyncio.to_thread(lambda: json.dumps(completion(body), ensure_ascii=False).encode())


def completion(body: Body) -> dict[str, Any]:
    """The whole reply to *body*."""
    turns = [turn for turn in body["messages"] if isinstance(turn, dict)]
    material = read_material(turns)
    calls = calls_for(body, material)
    text = None if calls else _cut(_text(body, turns, material), body)
    named = blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=12).hexdigest()
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if calls:
        message["tool_calls"] = [_call(named, number, call) for number, call in enumerate(calls)]
    said = count(text or "") + sum(count(arguments) for _, arguments in calls)
    sent = sum(count(text_of(turn.get("content"))) for turn in turns)
    return {
        "id": f"chatcmpl-{named}",
        "object": "chat.completion",
        "created": 0,
        "model": NAME,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said},
    }


def _text(body: Body, turns: Sequence[Mapping[str, Any]], material: Material) -> str:
    schema = _wanted(body, turns)
    if schema is not None:
        return json.dumps(Filler(material, schema).fill(schema), ensure_ascii=False)
    prompt = "\n".join(text_of(turn.get("content")) for turn in turns)
    for marker, answer in MARKERS.items():
        if marker in prompt:
            return answer(material)
    orders = " ".join(map(_orders, turns)).lower().split()
    if material.facts and not DISTILLING.isdisjoint(word.strip(".,:;*") for word in orders):
        return "\n".join(material.facts)
    return RuleChat().complete([_turn(turn) for turn in turns])


def _wanted(body: Body, turns: Sequence[Mapping[str, Any]]) -> Schema | None:
    """The schema of the reply: as the request says, else as its example shows."""
    said = body.get("response_format")
    kind = said.get("type") if isinstance(said, dict) else None
    if kind == "json_schema" and isinstance(said, dict):
        found = said.get("json_schema") or {}
        return found.get("schema") or {"type": "object"}
    orders = [_orders(turn) for turn in sorted(turns, key=_is_users) if turn.get("role") != "assistant"]
    if kind == "json_object" or any(map(asks_for_json, orders)):
        shown = next(filter(None, map(schema_in, orders)), None)
        return shown if shown is not None or kind is None else {"type": "object"}
    return None


def _is_users(turn: Mapping[str, Any]) -> bool:
    """Examples stand with the orders of the system first; what a user's turn shows may be held already."""
    return turn.get("role") == "user"


def _orders(turn: Mapping[str, Any]) -> str:
    """A turn without what it wants read: JSON in there is no example."""
    text = text_of(turn.get("content"))
    material = material_of(text) if turn.get("role") == "user" else ""
    return text.replace(material, "\n") if material and material != text else text


def _turn(turn: Mapping[str, Any]) -> Turn:
    role = turn.get("role")
    return Turn(role=role if role in _ROLES else "system", text=text_of(turn.get("content")))


def _call(named: str, number: int, call: Call) -> dict[str, Any]:
    name, arguments = call
    return {"id": f"call_{named}_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


def _cut(text: str, body: Body) -> str:
    """Prose cut at the caller's limit; JSON is never cut, for half of it is worth nothing."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if not isinstance(limit, int) or text.startswith("{"):
        return text
    return cut_end(text, max(1, limit))


MARKERS: Mapping[str, Callable[[Material], str]] = {}
"""A text in a prompt -> the reply, of what the prompt wants read. For replies in prose; tools and JSON need none."""


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
