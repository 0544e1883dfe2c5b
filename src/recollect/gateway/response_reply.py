"""A chat completion as a response of the responses API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from recollect.gateway.backing import Body

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
