"""What Inspect gives back, as a reply in OpenAI's shape."""

from __future__ import annotations

import json
from typing import Any

from recollect.domain.errors import MalformedError, RefusedError
from recollect.models.wire_json import shown

_FINISH = {"max_tokens": "length", "model_length": "length"}


def openai_reply(place: str, output: Any) -> dict[str, Any]:
    """The reply.

    Raises:
        RefusedError: The prompt was too long, which Inspect says as if it were an answer.
        MalformedError: A tool call came with arguments that are no JSON object.
    """
    choice = output.choices[0]
    if choice.stop_reason == "model_length" and output.usage is None:
        told = f"{place}: the prompt is too long: `{shown(output.completion)}`."
        raise RefusedError(f"{told} Lower the context budget or `max_tokens`.", cause="too_long")
    finish = _FINISH.get(choice.stop_reason, choice.stop_reason)
    reply = {
        "id": output.response_id,
        "object": "chat.completion",
        "model": output.model,
        "choices": [{"index": 0, "message": _message(place, choice.message), "finish_reason": finish}],
    }
    return reply if output.usage is None else {**reply, "usage": _usage(output.usage)}


def _message(place: str, message: Any) -> dict[str, Any]:
    """What was said, apart from what was thought and from a refusal."""
    parts = [] if isinstance(message.content, str) else message.content
    texts = [part for part in parts if part.type == "text"]
    said = message.content if isinstance(message.content, str) else "".join(p.text for p in texts if not p.refusal)
    calls = [_call(place, call) for call in message.tool_calls or ()]
    further = {
        "tool_calls": calls,
        "refusal": "".join(part.text for part in texts if part.refusal),
        "reasoning_content": "".join(part.reasoning for part in parts if part.type == "reasoning"),
    }
    return {"role": "assistant", "content": said or None, **{name: told for name, told in further.items() if told}}


def _call(place: str, call: Any) -> dict[str, Any]:
    if call.parse_error:
        told = f"{place}: the arguments of a call of `{shown(call.function)}` are no JSON object."
        raise MalformedError(f"{told} If it stays, take another model.", cause="wrong_schema")
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": arguments}}


def _usage(usage: Any) -> dict[str, Any]:
    """Inspect leaves what was read from and written to a provider's cache out of the input; it was input."""
    read, written = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
    return {
        "prompt_tokens": usage.input_tokens + read + written,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {"cached_tokens": read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens or 0},
    }
