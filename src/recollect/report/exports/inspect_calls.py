"""Calls of models as messages and events of an Inspect log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from recollect.records.calls import CallLine
from recollect.report.exports.material import Exchange
from recollect.report.plain import plain, shortened

LONGEST = 200_000
_KNOWN = ("temperature", "top_p", "seed", "max_tokens")


def asked_and_said(exchange: Exchange, longest: int = LONGEST) -> tuple[list[Any], Any]:
    """The messages that were sent, and the reply."""
    from inspect_ai.model import ModelOutput

    body, reply = _read(exchange.prompt), _read(exchange.reply)
    choice: Mapping[str, Any] = next(iter(reply.get("choices") or ()), {})
    said = choice.get("message", {})
    output = ModelOutput.from_content(str(reply.get("model", "")), _text(said, longest))
    return [_message(turn, longest) for turn in body.get("messages", ())], output


def event_of(line: CallLine, exchange: Exchange, moment: datetime) -> Any:
    """A call; *moment* stands for its time, which the ledger does not tell."""
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import GenerateConfig

    asked, output = asked_and_said(exchange)
    body = _read(exchange.prompt)
    output.time = line.seconds
    return ModelEvent(
        model=line.model,
        role=line.role,
        input=asked,
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(**{name: body[name] for name in _KNOWN if name in body}),
        output=output,
        retries=max(0, line.tries - 1),
        cache="read" if line.status == "cached" else None,
        timestamp=moment,
        working_start=0.0,
        metadata={"stage": line.stage, "status": line.status, "waited_s": line.waited, "causes": list(line.causes)},
    )


def _message(turn: Mapping[str, Any], longest: int) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    text = _text(turn, longest)
    match turn.get("role"):
        case "system":
            return ChatMessageSystem(content=text)
        case "assistant":
            return ChatMessageAssistant(content=text)
        case "tool":
            return ChatMessageTool(content=text, tool_call_id=turn.get("tool_call_id"))
        case _:
            return ChatMessageUser(content=text)


def _text(turn: Mapping[str, Any], longest: int) -> str:
    """What was said; calls of tools as their JSON."""
    said = turn.get("content")
    calls = turn.get("tool_calls")
    parts = [said if isinstance(said, str) else json.dumps(said) if said else "", json.dumps(calls) if calls else ""]
    return shortened(plain("\n".join(filter(None, parts))), longest)


def _read(text: str | bytes) -> dict[str, Any]:
    """A JSON object; empty where it is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
