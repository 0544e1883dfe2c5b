"""Answers chats of systems by rules, so that they store and find without a model.

What it answers is made of the prompt alone, and of no system in particular: a tool or schema says what is wanted, else
an example of JSON does. It measures plumbing: no result with it says anything about a system.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
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
    calls = _calls_for(body, material)
    text = None if calls else _text(body, turns, material)
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if text is not None and isinstance(limit, int) and not text.startswith("{"):  # half of a JSON object is useless
        text = cut_end(text, max(1, limit))
    digest = blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=12).hexdigest()
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if calls:
        message["tool_calls"] = [
            {
                "id": f"call_{digest}_{number}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for number, (name, arguments) in enumerate(calls)
        ]
    written = count(text or "") + sum(count(arguments) for _, arguments in calls)
    sent = sum(count(text_of(turn.get("content"))) for turn in turns)
    return {
        "id": f"chatcmpl-{digest}",
        "object": "chat.completion",
        "created": 0,
        "model": NAME,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {"prompt_tokens": sent, "completion_tokens": written, "total_tokens": sent + written},
    }


def _text(body: Body, turns: Sequence[Mapping[str, Any]], material: Material) -> str:
    # examples stand with the orders of the system first; what a user's turn shows may be stored already
    sorted_turns = sorted(turns, key=lambda turn: turn.get("role") == "user")
    schema = _schema(body, [_orders(turn) for turn in sorted_turns if turn.get("role") != "assistant"])
    if schema is not None:
        return json.dumps(Filler(material, schema).fill(schema), ensure_ascii=False)
    prompt = "\n".join(text_of(turn.get("content")) for turn in turns)
    for marker, answer in MARKERS.items():
        if marker in prompt:
            return answer(material)
    orders = " ".join(map(_orders, turns)).lower().split()
    if material.facts and not DISTILLING.isdisjoint(word.strip(".,:;*") for word in orders):
        return "\n".join(material.facts)
    roles = [turn.get("role") for turn in turns]
    return RuleChat().complete(
        [
            Turn(role=role if role in _ROLES else "system", text=text_of(turn.get("content")))
            for role, turn in zip(roles, turns, strict=True)
        ]
    )


def _schema(body: Body, orders: Sequence[str]) -> Schema | None:
    """The schema of the reply: as the request says, else as its example shows."""
    wanted = body.get("response_format")
    kind = wanted.get("type") if isinstance(wanted, dict) else None
    if kind == "json_schema" and isinstance(wanted, dict):
        found = wanted.get("json_schema") or {}
        return found.get("schema") or {"type": "object"}
    if kind == "json_object" or any(map(asks_for_json, orders)):
        example = next(filter(None, map(schema_in, orders)), None)
        return example if example is not None or kind is None else {"type": "object"}
    return None


def _orders(turn: Mapping[str, Any]) -> str:
    """A turn without what it wants read: JSON in there is no example."""
    text = text_of(turn.get("content"))
    material = material_of(text) if turn.get("role") == "user" else ""
    return text.replace(material, "\n") if material and material != text else text


MARKERS: Mapping[str, Callable[[Material], str]] = {}
"""A text in a prompt -> the reply, of what the prompt wants read. For replies in prose; tools and JSON need none."""


def _calls_for(body: Mapping[str, Any], material: Material) -> list[tuple[str, str]]:
    """Name and JSON arguments of the calls that answer *body*; none where a text is wanted, or no tool is left."""
    tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or () if "function" in tool}
    choice = body.get("tool_choice") or "auto"
    if not tools or choice == "none":
        return []
    forced = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    if forced in tools:
        return _calls(tools[forced], material, body)
    must = choice in {"required", "any"}
    # after a tool has spoken another call would go on for ever
    answered = any(turn.get("role") == "tool" for turn in body["messages"][-1:])
    if not must and (answered or not material.facts):
        return []
    new = [tool for tool in tools.values() if words_of(tool["name"]).isdisjoint(CHANGING)]
    storing = [tool for tool in new if not words_of(tool["name"]).isdisjoint(STORING)]
    storing += [tool for tool in new if _text_field(tool.get("parameters") or {})]
    chosen = [*storing, *(tools.values() if must else ())][:1]
    return [call for tool in chosen for call in _calls(tool, material, body)]


def _calls(tool: Mapping[str, Any], material: Material, body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """One call a fact where the tool takes one text, and one may call it several times at once; else one."""
    schema = tool.get("parameters") or {}
    fillers = [Filler(material, schema)]
    if _text_field(schema) and material.facts and body.get("parallel_tool_calls") is not False:
        fillers = [Filler(material, schema, fact=fact, number=number) for number, fact in enumerate(material.facts)]
    filled = (filler.fill({"type": "object", **schema}) for filler in fillers)
    return [(tool["name"], json.dumps(arguments, ensure_ascii=False)) for arguments in filled]


def _text_field(schema: Schema) -> str:
    """The field of *schema* that takes one text to be kept."""
    for field, part in (schema.get("properties") or {}).items():
        if kind_of(part) == "string" and not words_of(field).isdisjoint(TEXTS | FACTS):
            return str(field)
    return ""
