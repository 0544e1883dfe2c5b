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
            ConfigError: Inspect does not know the provider, or lacks its SDK or its key.
        """
        from inspect_ai.model import GenerateConfig, get_model

        self._settings = settings
        elsewhere = settings.base_url != OPENAI
        # other servers know OpenAI's chat, and rarely its newer interface
        arguments = {"responses_api": False} if elsewhere and settings.model.startswith("openai/") else {}
        try:
            self._model: Any = get_model(
                settings.model,
                # our own gate limits the calls in flight; its pool must not
                config=GenerateConfig(max_retries=0, max_connections=settings.in_flight, cache=False),
                base_url=settings.base_url if elsewhere else None,
                api_key=given_key(settings),
                memoize=False,
                **arguments,
            )
        except Exception as error:  # noqa: BLE001  # a missing SDK or key, an unknown provider: all are the settings
            raise refused_settings(settings, str(error).removeprefix("ERROR: ")) from None
        client = getattr(self._model.api, "client", None)
        if client is not None and hasattr(client, "max_retries"):
            client.max_retries = 0

    async def ask(self, body: bytes) -> bytes:
        """The reply in OpenAI's shape."""
        request = json.loads(body)
        try:
            messages, tools, config = *arguments_of(request), config_of(request, given_headers(self._settings))
        except ValueError as error:
            problem = f"{label_of(self._settings)}: Inspect cannot send this call: {error}. Use `openai:` for it."
            raise RefusedError(problem, cause="bad_request") from None
        try:
            output = await self._model.generate(messages, tools=tools, config=config)
        except Exception as error:  # noqa: BLE001  # a package raises what it likes
            raise self._named(error) from None
        return json.dumps(openai_reply(label_of(self._settings), output)).encode()

    def _named(self, error: Exception) -> CallError:
        """The error by its chain of causes; else by what Inspect knows of this provider's errors."""
        known = error_of(self._settings, error)
        if known.cause != UNKNOWN:
            return known
        last = getattr(error, "last_attempt", None)
        decision = self._model.api.should_retry(last.exception() if last is not None else error)
        if not decision:
            return known
        cause = "rate_limited" if getattr(decision, "kind", "") == "rate_limit" else "server_error"
        problem = f"{label_of(self._settings)}: the call failed for now ({type(error).__name__}). It is tried again."
        return RetryableError(problem, cause=cause, retry_after=getattr(decision, "retry_after", None) or 0.0)

    async def close(self) -> None:
        """Close its connections."""
        await self._model.api.aclose()


_MESSAGE = frozenset({"model", "messages", "tools", "stream"})
_CONFIG = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "stop": "stop_seqs",
}
_OURS = frozenset(
    {"max_retries", "timeout", "attempt_timeout", "max_connections", "adaptive_connections", "cache", "batch"}
)
"""Settings of Inspect for how calls are made, which Recollect decides."""


def arguments_of(request: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The messages and the tools; a ValueError names what has no form in Inspect."""
    from inspect_ai.tool import ToolInfo, ToolParams

    turns, tools = request["messages"], []
    names = {call["id"]: call["function"]["name"] for turn in turns for call in turn.get("tool_calls", ())}
    for tool in request.get("tools", ()):
        function = tool["function"]
        parameters = {"type": "object", "properties": {}, **function["parameters"]}
        parsed = ToolParams.model_validate({"additionalProperties": True, **parameters})
        _check_complete(parameters, parsed.model_dump(exclude_none=True), f"tool `{function['name']}`")
        tools.append(ToolInfo(name=function["name"], description=function["description"], parameters=parsed))
    return [_message(turn, names) for turn in turns], tools


def config_of(request: Mapping[str, Any], headers: Mapping[str, str]) -> Any:
    """The settings. Those without a name in Inspect go into the body, which some providers take."""
    from inspect_ai.model import GenerateConfig, ResponseSchema
    from inspect_ai.util import JSONSchema

    renamed = {_CONFIG[name]: value for name, value in request.items() if name in _CONFIG}
    further = {name: value for name, value in request.items() if name not in {*_CONFIG, *_MESSAGE, "response_format"}}
    known = {name for name in further if name in GenerateConfig.model_fields and name not in _OURS}
    rest = {name: value for name, value in further.items() if name not in known}
    schema, form = None, request.get("response_format")
    if form is not None:
        form = form["json_schema"]
        parsed = JSONSchema.model_validate(form["schema"])
        _check_complete(form["schema"], parsed.model_dump(exclude_none=True), "the schema of the reply")
        schema = ResponseSchema(name=form["name"], json_schema=parsed, strict=form.get("strict"))
    return GenerateConfig(
        **renamed,
        **{name: further[name] for name in known},
        response_schema=schema,
        extra_headers=dict(headers) or None,
        extra_body=rest or None,
    )


def _message(turn: Mapping[str, Any], names: Mapping[str, str]) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    text, role, call_id = turn.get("content") or "", turn["role"], turn.get("tool_call_id")
    if role == "tool":
        return ChatMessageTool(content=text, tool_call_id=call_id, function=names.get(call_id or ""))
    if role != "assistant":
        return ChatMessageSystem(content=text) if role == "system" else ChatMessageUser(content=text)
    calls = []
    for call in turn.get("tool_calls", ()):
        name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"] or "{}")
        if not isinstance(arguments, dict):
            raise ValueError(f"the arguments of a past call of `{name}` are no JSON object")
        calls.append(ToolCall(id=call["id"], function=name, arguments=arguments))
    return ChatMessageAssistant(content=text, tool_calls=calls or None)


def _check_complete(asked: Any, kept: Any, where: str) -> None:
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
        return set().union(*(_lost(*pair) for pair in zip(asked, kept, strict=False)))
    return set()


_FINISH = {"max_tokens": "length", "model_length": "length"}


def openai_reply(place: str, output: Any) -> dict[str, Any]:
    """The reply in OpenAI's shape.

    Raises:
        RefusedError: The prompt was too long, which Inspect returns as an answer.
        MalformedError: A tool call has arguments that are no JSON object.
    """
    choice = output.choices[0]
    if choice.stop_reason == "model_length" and output.usage is None:
        problem = f"{place}: the prompt is too long: `{shown(output.completion)}`."
        raise RefusedError(f"{problem} Lower the context budget or `max_tokens`.", cause="too_long")
    finish = _FINISH.get(choice.stop_reason, choice.stop_reason)
    reply = {
        "id": output.response_id,
        "object": "chat.completion",
        "model": output.model,
        "choices": [{"index": 0, "message": _reply_message(place, choice.message), "finish_reason": finish}],
    }
    usage = output.usage
    if usage is not None:
        # Inspect leaves what was read from and written to a provider's cache out of the input; it was input
        read, written = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
        reply["usage"] = {
            "prompt_tokens": usage.input_tokens + read + written,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "prompt_tokens_details": {"cached_tokens": read},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens or 0},
        }
    return reply


def _reply_message(place: str, message: Any) -> dict[str, Any]:
    """The message, with its reasoning and its refusal apart from the text."""
    parts = [] if isinstance(message.content, str) else message.content
    texts = [part for part in parts if part.type == "text"]
    text = message.content if isinstance(message.content, str) else "".join(p.text for p in texts if not p.refusal)
    calls = []
    for call in message.tool_calls or ():
        if call.parse_error:
            problem = f"{place}: the arguments of a call of `{shown(call.function)}` are no JSON object."
            raise MalformedError(f"{problem} If it stays, take another model.", cause="wrong_schema")
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        calls.append({"id": call.id, "type": "function", "function": {"name": call.function, "arguments": arguments}})
    further = {
        "tool_calls": calls,
        "refusal": "".join(part.text for part in texts if part.refusal),
        "reasoning_content": "".join(part.reasoning for part in parts if part.type == "reasoning"),
    }
    return {"role": "assistant", "content": text or None, **{name: value for name, value in further.items() if value}}
