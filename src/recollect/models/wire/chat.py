"""Chat in OpenAI's protocol: the body of a request, and the reply from what came back."""

from __future__ import annotations

import json

from recollect.contracts.models import ChatReply, ChatRequest, ToolCall, Turn, Usage
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
    """The body of a request; settings that are not given are left out, so that the model's own apply.

    A model whose settings have no temperature gets none, whatever the request says: it would refuse the call.
    """
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
        "tools": [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in request.tools
        ]
        or None,
    }
    if request.schema is not None:
        schema = {"name": SCHEMA_NAME, "strict": True, "schema": dict(request.schema)}
        given["response_format"] = {"type": "json_schema", "json_schema": schema}
    given = {name: value for name, value in given.items() if value is not None}
    messages = [_message(turn) for turn in request.turns]
    return {**given, **settings.extra, "model": settings.model, "messages": messages, "stream": False}


def read_chat(settings: ModelSettings, raw: bytes) -> ChatReply:
    """The reply in *raw*. Reasoning goes into `extra`, never into the text.

    Raises:
        MalformedError: It cannot be used; the cause says why.
        RetryableError: It is an error that may pass.
        RefusedError: It is an error that stays, or was filtered.
    """
    reply = parse_object(label_of(settings), raw)
    complaint = error_details_in(reply)
    if complaint is not None:
        raise error_in_reply(label_of(settings), complaint)
    return _chat_reply(settings, reply, usage_in(reply), kept=False)


def kept_chat(settings: ModelSettings, raw: bytes, usage: Usage | None) -> ChatReply:
    """As `read_chat`, of a cached reply: only what the settings decide is checked again."""
    return _chat_reply(settings, json.loads(raw.decode()), usage, kept=True)


def _chat_reply(settings: ModelSettings, reply: Json, usage: Usage | None, *, kept: bool) -> ChatReply:
    choice, message = _choice(settings, reply)
    text, calls = _text(settings, message.get("content")), _calls(settings, message.get("tool_calls"))
    reason, empty = choice.get("finish_reason"), not text.strip() and not calls
    if not isinstance(reason, str) or not reason:
        finish = "tool_calls" if calls else "stop"
    else:
        finish = "length" if reason.lower() in _CUT else clean(reason)
    if not kept:
        _check_finish(settings, choice, message, finish, empty=empty)
    model = check_model(settings, reply.get("model"))
    if not kept and empty and finish != "length":
        raise _empty(settings, finish)
    usage, extra = required_usage(settings, usage), _extra(reply, choice, message)
    return ChatReply(text=text, calls=calls, finish=finish, usage=usage, model=model, extra=extra)


def _message(turn: Turn) -> Json:
    message: Json = {"role": turn.role, "content": turn.text}
    if turn.calls:
        message["content"] = turn.text or None
        message["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    if turn.call_id is not None:
        message["tool_call_id"] = turn.call_id
    return message


def _choice(settings: ModelSettings, reply: Json) -> tuple[Json, Json]:
    choices = reply.get("choices")
    if choices == []:
        raise _empty(settings, "no choice")
    if not isinstance(choices, list):
        names = ", ".join(f"`{shown(name)}`" for name in list(reply)[:6]) or "no field"
        raise wrong_schema(label_of(settings), f"`choices` is no list; it has {names}")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise wrong_schema(label_of(settings), "`choices[0].message` is no object")
    return choice, message


def _text(settings: ModelSettings, content: object) -> str:
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
    calls = []
    for number, call in enumerate(found):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(call, dict) or not isinstance(function, dict):
            raise wrong_schema(label_of(settings), f"`tool_calls[{number}]` names no function")
        name, arguments, call_id = function.get("name"), function.get("arguments"), call.get("id")
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments, ensure_ascii=False)
        if not isinstance(name, str) or not name or not isinstance(arguments, str | None):
            problem = f"`tool_calls[{number}]` lacks a name, or its arguments are no text"
            raise wrong_schema(label_of(settings), problem)
        call_id = clean(call_id) if isinstance(call_id, str) and call_id else f"call-{number}"
        calls.append(ToolCall(call_id=call_id, name=clean(name), arguments=clean(arguments or "{}")))
    return tuple(calls)


def _check_finish(settings: ModelSettings, choice: Json, message: Json, finish: str, *, empty: bool) -> None:
    """Refuse a reply that broke off for another reason than its length."""
    place, filtered = label_of(settings), ""
    complaint = error_details_in({"error": choice.get("error"), "choices": ()})
    if complaint is not None:
        raise error_in_reply(place, complaint)
    if finish == "error":
        problem = f"{place}: the reply broke off: it ended by `error`. It is tried again."
        raise RetryableError(problem, cause="error_in_reply")
    refusal = message.get("refusal")
    if finish == "content_filter":
        filtered = "the provider filtered the reply"
    elif isinstance(refusal, str) and refusal and empty:
        filtered = f"the model refused: `{shown(refusal)}`"
    if filtered:
        raise RefusedError(f"{place}: {filtered}. Another model may answer this prompt.", cause="filtered")


def _empty(settings: ModelSettings, finish: str) -> CallError:
    return MalformedError(
        f"{label_of(settings)}: the reply holds neither text nor a tool call (it ended by `{shown(finish)}`). "
        "If it stays, look at what the model is asked.",
        cause="empty_choice",
    )


def _extra(reply: Json, choice: Json, message: Json) -> Json:
    """Every field that is not read here: those of the reply by name, the others under `choice`, `message`, `usage`."""
    extra = _unread(reply, _OF_REPLY)
    usage, choices = reply.get("usage"), reply["choices"]
    in_parts = isinstance(message.get("content"), list)
    parts = {
        "choice": _unread(choice, _OF_CHOICE),
        "message": {**message, "tool_calls": None} if in_parts else _unread(message, _OF_MESSAGE),
        "usage": _unread(usage, COUNTED) if isinstance(usage, dict) else None,
        "choices": choices[1:] if isinstance(choices, list) else None,
    }
    return extra | {name: part for name, part in parts.items() if part}


def _unread(fields: Json, known: frozenset[str]) -> Json:
    return {} if fields.keys() <= known else {name: value for name, value in fields.items() if name not in known}
