"""Answers chats of systems by rules, so that they store and find without a model.

What it answers is made of the prompt alone, and of no system in particular: a tool or schema says what is wanted, else
an example of JSON does. It measures plumbing: no result with it says anything about a system.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from recollect.contracts.models import Turn
from recollect.gateway.backing import Body
from recollect.gateway.offline.filling import Filler
from recollect.gateway.offline.markers import MARKERS
from recollect.gateway.offline.material import Material, read_material, text_of
from recollect.gateway.offline.sections import material_of
from recollect.gateway.offline.shapes import Schema, asks_for_json, schema_in
from recollect.gateway.offline.tools import Call, calls_for
from recollect.gateway.offline.vocabulary import DISTILLING
from recollect.models.offline.chat import RuleChat
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
