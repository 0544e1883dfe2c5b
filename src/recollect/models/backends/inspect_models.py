"""Models by way of Inspect, which reaches many providers; its retries, cache and limits of calls are off."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.backends.errors import UNKNOWN, error_of
from recollect.models.backends.secrets import given_headers, given_key, refused_settings
from recollect.models.settings import OPENAI, ModelSettings
from recollect.models.wire.parsing import label_of, shown


class InspectModel:
    """One model behind Inspect."""

    def __init__(self, settings: ModelSettings) -> None:
        """Make the model.

        Raises:
            ConfigError: Inspect does not know the provider, or misses its SDK or its key.
        """
        self._settings = settings
        self._model = _made(settings)

    async def ask(self, body: bytes) -> bytes:
        """The reply, put into OpenAI's shape."""
        asked = json.loads(body)
        try:
            messages, tools, config = *arguments_of(asked), config_of(asked, given_headers(self._settings))
        except ValueError as error:
            told = f"{label_of(self._settings)}: Inspect cannot send this call: {error}. Use `openai:` for it."
            raise RefusedError(told, cause="bad_request") from None
        try:
            output = await self._model.generate(messages, tools=tools, config=config)
        except Exception as error:  # noqa: BLE001  # a package raises what it likes
            raise self._named(error) from None
        return json.dumps(openai_reply(label_of(self._settings), output)).encode()

    def _named(self, error: Exception) -> CallError:
        """The error by what is known of all; else by what Inspect knows of this provider's errors."""
        known = error_of(self._settings, error)
        if known.cause != UNKNOWN:
            return known
        last = getattr(error, "last_attempt", None)
        decision = self._model.api.should_retry(last.exception() if last is not None else error)
        if not decision:
            return known
        cause = "rate_limited" if getattr(decision, "kind", "") == "rate_limit" else "server_error"
        told = f"{label_of(self._settings)}: the call failed for now ({type(error).__name__}). It is tried again."
        return RetryableError(told, cause=cause, retry_after=getattr(decision, "retry_after", None) or 0.0)

    async def close(self) -> None:
        """Let go of its connections."""
        await self._model.api.aclose()


def _made(settings: ModelSettings) -> Any:
    from inspect_ai.model import GenerateConfig, get_model

    # our own gate bounds the calls in flight; its pool must be no second one
    config = GenerateConfig(max_retries=0, max_connections=settings.in_flight, cache=False)
    elsewhere = settings.base_url != OPENAI
    try:
        model = get_model(
            settings.model,
            config=config,
            base_url=settings.base_url if elsewhere else None,
            api_key=given_key(settings),
            memoize=False,
            **_arguments(settings.model, elsewhere=elsewhere),
        )
    except Exception as error:  # noqa: BLE001  # a missing SDK or key, an unknown provider: all are the settings
        raise refused_settings(settings, str(error).removeprefix("ERROR: ")) from None
    _try_once(model)
    return model


def _arguments(model: str, *, elsewhere: bool) -> Mapping[str, Any]:
    """Servers that only speak OpenAI's language know its chat, and rarely its newer interface."""
    return {"responses_api": False} if elsewhere and model.startswith("openai/") else {}


def _try_once(model: Any) -> None:
    """Switch off the retries of the provider's own SDK, where it has any."""
    client = getattr(model.api, "client", None)
    if client is not None and hasattr(client, "max_retries"):
        client.max_retries = 0


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
        "choices": [{"index": 0, "message": _reply_message(place, choice.message), "finish_reason": finish}],
    }
    return reply if output.usage is None else {**reply, "usage": _usage(output.usage)}


def _reply_message(place: str, message: Any) -> dict[str, Any]:
    """What was said, apart from what was thought and from a refusal."""
    parts = [] if isinstance(message.content, str) else message.content
    texts = [part for part in parts if part.type == "text"]
    said = message.content if isinstance(message.content, str) else "".join(p.text for p in texts if not p.refusal)
    calls = [_reply_call(place, call) for call in message.tool_calls or ()]
    further = {
        "tool_calls": calls,
        "refusal": "".join(part.text for part in texts if part.refusal),
        "reasoning_content": "".join(part.reasoning for part in parts if part.type == "reasoning"),
    }
    return {"role": "assistant", "content": said or None, **{name: told for name, told in further.items() if told}}


def _reply_call(place: str, call: Any) -> dict[str, Any]:
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
