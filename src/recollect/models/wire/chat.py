"""Chat in OpenAI's protocol: the body of a request, and the reply from what came back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from recollect.contracts.models import ChatReply, ChatRequest, Tool, ToolCall, Turn, Usage
from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.settings import ModelSettings
from recollect.models.wire.errors import error_details_in, error_in_reply
from recollect.models.wire.parsing import Json, check_model, clean, label_of, parse_object, shown, wrong_schema
from recollect.models.wire.usage import COUNTED, required_usage, usage_in

SCHEMA_NAME = "reply"
_OF_REPLY = frozenset({"choices", "model", "usage"})
_OF_CHOICE = frozenset({"message", "finish_reason", "index"})
_OF_MESSAGE = frozenset({"role", "content", "tool_calls"})
_TEXTS = ("text", "output_text")
_CUT = frozenset({"length", "max_tokens", "max_output_tokens"})


def chat_body(settings: ModelSettings, request: ChatRequest) -> Json:
    """What is sent; a setting that nobody gave is left out, so that the model's own holds.

    A model whose settings have no temperature gets none, whatever the request says: it would refuse the call.
    """
    body: Json = {"messages": [_turn(turn) for turn in request.turns]}
    temperature = None
    if settings.temperature is not None:
        temperature = settings.temperature if request.temperature is None else request.temperature
    limit = settings.max_tokens if request.max_tokens is None else request.max_tokens
    given: Json = {
        "temperature": temperature,
        "top_p": settings.top_p,
        "seed": settings.seed,
        settings.max_tokens_field: None if limit is None else limit + settings.thinking_tokens,
        "stop": list(dict.fromkeys(settings.stop + request.stop)) or None,
        "tools": [_tool(tool) for tool in request.tools] or None,
        "response_format": None if request.schema is None else _format(request.schema),
    }
    body |= {name: value for name, value in given.items() if value is not None}
    return {**body, **settings.extra, "model": settings.model, "messages": body["messages"], "stream": False}


def read_chat(settings: ModelSettings, raw: bytes) -> ChatReply:
    """The reply in *raw*. What the model thought before it spoke stays in `extra`, never in the text.

    Raises:
        MalformedError: It is none that can be used; the cause says why.
        RetryableError: It is an error that may pass.
        RefusedError: It is an error that stays, or was filtered.
    """
    reply = parse_object(label_of(settings), raw)
    complaint = error_details_in(reply)
    if complaint is not None:
        raise error_in_reply(label_of(settings), complaint)
    choice, message = _choice(settings, reply)
    text, calls = _text(settings, message.get("content")), _calls(settings, message.get("tool_calls"))
    finish = _finish(choice, calls)
    _check_finish(settings, choice, message, finish, said=bool(text.strip() or calls))
    model = check_model(settings, reply.get("model"))
    if not text.strip() and not calls and finish != "length":
        raise _empty(settings, finish)
    usage = required_usage(settings, usage_in(reply))
    extra = _extra(reply, choice, message)
    return ChatReply(text=text, calls=calls, finish=finish, usage=usage, model=model, extra=extra)


def kept_chat(settings: ModelSettings, raw: bytes, usage: Usage | None) -> ChatReply:
    """As `read_chat`, of a reply that it has read before: what cannot have changed since is not looked at again.

    Raises:
        MalformedError: By these settings another model answered, or the tokens are missing.
    """
    reply = json.loads(raw.decode())
    choice, message = _choice(settings, reply)
    calls = _calls(settings, message.get("tool_calls"))
    return ChatReply(
        text=_text(settings, message.get("content")),
        calls=calls,
        finish=_finish(choice, calls),
        usage=required_usage(settings, usage),
        model=check_model(settings, reply.get("model")),
        extra=_extra(reply, choice, message),
    )


def _turn(turn: Turn) -> Json:
    said: Json = {"role": turn.role, "content": turn.text}
    if turn.calls:
        said["content"] = turn.text or None
        said["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    if turn.call_id is not None:
        said["tool_call_id"] = turn.call_id
    return said


def _tool(tool: Tool) -> Json:
    told = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": told}


def _format(schema: Mapping[str, object]) -> Json:
    told = {"name": SCHEMA_NAME, "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": told}


def _choice(settings: ModelSettings, reply: Json) -> tuple[Json, Json]:
    """The first choice and its message."""
    choices = reply.get("choices")
    if choices == []:
        raise _empty(settings, "no choice")
    if not isinstance(choices, list):
        raise wrong_schema(label_of(settings), f"`choices` is no list; it has {_names(reply)}")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise wrong_schema(label_of(settings), "`choices[0].message` is no object")
    return choice, message


def _text(settings: ModelSettings, content: object) -> str:
    """The text of a message, also where it comes in parts."""
    if isinstance(content, str):
        return clean(content)
    if content is None:
        return ""
    if not isinstance(content, list):
        raise wrong_schema(label_of(settings), f"`content` is a JSON {type(content).__name__}")
    parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type", "text") in _TEXTS]
    if not all(isinstance(part, dict) for part in content) or not all(isinstance(part, str) for part in parts):
        raise wrong_schema(label_of(settings), "`content` has parts without a `text`")
    return clean("".join(part for part in parts if isinstance(part, str)))


def _calls(settings: ModelSettings, found: object) -> tuple[ToolCall, ...]:
    if found is None:
        return ()
    if not isinstance(found, list):
        raise wrong_schema(label_of(settings), "`tool_calls` is no list")
    return tuple(_call(settings, number, call) for number, call in enumerate(found))


def _call(settings: ModelSettings, number: int, call: object) -> ToolCall:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        raise wrong_schema(label_of(settings), f"`tool_calls[{number}]` names no function")
    name, arguments, call_id = function.get("name"), function.get("arguments"), call.get("id")
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    if not isinstance(name, str) or not name or not isinstance(arguments, str | None):
        raise wrong_schema(label_of(settings), f"`tool_calls[{number}]` lacks a name, or its arguments are no text")
    told = clean(call_id) if isinstance(call_id, str) and call_id else f"call-{number}"
    return ToolCall(call_id=told, name=clean(name), arguments=clean(arguments or "{}"))


def _finish(choice: Json, calls: Sequence[ToolCall]) -> str:
    reason = choice.get("finish_reason")
    if not isinstance(reason, str) or not reason:
        return "tool_calls" if calls else "stop"
    return "length" if reason.lower() in _CUT else clean(reason)


def _check_finish(settings: ModelSettings, choice: Json, message: Json, finish: str, *, said: bool) -> None:
    """Refuse a reply that broke off for another reason than its length."""
    complaint = error_details_in({"error": choice.get("error"), "choices": ()})
    if complaint is not None:
        raise error_in_reply(label_of(settings), complaint)
    if finish == "error":
        told = f"{label_of(settings)}: the reply broke off: it ended by `error`. It is tried again."
        raise RetryableError(told, cause="error_in_reply")
    refusal = message.get("refusal")
    if finish == "content_filter":
        raise _filtered(settings, "the provider filtered the reply")
    if isinstance(refusal, str) and refusal and not said:
        raise _filtered(settings, f"the model refused: `{shown(refusal)}`")


def _empty(settings: ModelSettings, finish: str) -> CallError:
    told = f"{label_of(settings)}: the reply holds neither text nor a tool call (it ended by `{shown(finish)}`)."
    return MalformedError(f"{told} If it stays, look at what the model is asked.", cause="empty_choice")


def _filtered(settings: ModelSettings, what: str) -> RefusedError:
    return RefusedError(f"{label_of(settings)}: {what}. Another model may answer this prompt.", cause="filtered")


def _names(reply: Json) -> str:
    return ", ".join(f"`{shown(name)}`" for name in list(reply)[:6]) or "no field"


def _extra(reply: Json, choice: Json, message: Json) -> Json:
    """Every field that is not read here: those of the reply by name, the others under `choice`, `message`, `usage`."""
    extra = _beside(reply, _OF_REPLY)
    usage, choices = reply.get("usage"), reply["choices"]
    in_parts = isinstance(message.get("content"), list)
    parts = (
        ("choice", _beside(choice, _OF_CHOICE)),
        ("message", {**message, "tool_calls": None} if in_parts else _beside(message, _OF_MESSAGE)),
        ("usage", _beside(usage, COUNTED) if isinstance(usage, dict) else None),
        ("choices", choices[1:] if isinstance(choices, list) else None),
    )
    for name, part in parts:
        if part:
            extra[name] = part
    return extra


def _beside(said: Json, known: frozenset[str]) -> Json:
    return {} if said.keys() <= known else {name: value for name, value in said.items() if name not in known}
