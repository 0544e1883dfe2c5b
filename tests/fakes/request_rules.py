"""The documented rules of OpenAI's API for requests: what the strict stand-in server refuses, with every reason.

Parameters and limits are those of the public OpenAPI description (`openai/openai-openapi`, commit f85dbe2, August
2026); the rules for strict schemas are those of the guide *Structured Outputs*, February 2026. Where a service is known
to refuse what neither names (`minLength` and `maxLength`), so do these rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CHAT = _words("""
audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages
metadata modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key
prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier
stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
web_search_options
""")
RESPONSE = _words("""
background context_management conversation include input instructions max_output_tokens max_tool_calls metadata
model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text
tool_choice tools top_logprobs top_p truncation user
""")
EMBEDDING = frozenset({"dimensions", "encoding_format", "input", "model", "user"})
ROLES = frozenset({"developer", "system", "user", "assistant", "tool", "function"})
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
TOOLS, STOPS, INPUTS = 128, 4, 2048
TOKENS_OF_AN_INPUT, TOKENS_OF_A_REQUEST = 8192, 300_000
LEAST_OUTPUT = 16
"""Of `max_output_tokens` in the responses API."""

PROPERTIES, LEVELS, ENUM_VALUES, CHARACTERS = 5000, 10, 1000, 120_000
LONG_ENUM, LONG_ENUM_CHARACTERS = 250, 15_000
"""An enum with more values than the first may have at most so many characters altogether."""
_TYPES = frozenset({"string", "number", "boolean", "integer", "object", "array", "null"})
_ANYWHERE = frozenset({"type", "enum", "const", "anyOf", "$ref", "description", "title", "default"})
_KEYWORDS: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties", "$defs", "definitions"}),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "string": frozenset({"pattern", "format"}),
    "number": frozenset({"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}),
    "integer": frozenset({"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}),
}
_FORMATS = _words("date-time time date duration email hostname ipv4 ipv6 uuid")


def request_problems(path: str, body: Any) -> list[str]:
    """Everything for which the service would answer a request with HTTP 400; empty where it would serve it."""
    rules: Mapping[str, Callable[[Json], Iterator[str]]] = {
        "/v1/chat/completions": _chat,
        "/v1/responses": _response,
        "/v1/embeddings": _embedding,
    }
    if not isinstance(body, dict):
        return ["the body is not a JSON object"]
    return list(rules[path](body))


def schema_problems(schema: Any) -> list[str]:
    """Everything that a strict schema may not have."""
    if not isinstance(schema, dict):
        return ["the schema is not an object"]
    seen = _Sizes()
    problems = list(_schema(schema, "root", 1, seen))
    if schema.get("type") != "object":
        problems.insert(0, f"root: the type is {schema.get('type')!r}, not 'object'")
    if "anyOf" in schema:
        problems.insert(0, "root: may not be an anyOf")
    return [*problems, *seen.problems()]


class _Sizes:
    """What is counted over the whole of a schema."""

    def __init__(self) -> None:
        self.properties, self.enum_values, self.characters = 0, 0, 0

    def problems(self) -> Iterator[str]:
        for what, count, most in (
            ("properties", self.properties, PROPERTIES),
            ("enum values", self.enum_values, ENUM_VALUES),
            ("characters of names and values", self.characters, CHARACTERS),
        ):
            if count > most:
                yield f"root: {count} {what}, at most {most}"


def _schema(schema: Any, path: str, level: int, seen: _Sizes) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"{path}: is not a schema"
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not kinds and not {"anyOf", "$ref", "enum", "const"} & schema.keys():
        yield f"{path}: has no type"
    yield from (f"{path}: type {kind!r} is unknown" for kind in kinds if kind not in _TYPES)
    allowed = _ANYWHERE.union(*(_KEYWORDS.get(kind, frozenset()) for kind in kinds))
    yield from (f"{path}: {word!r} is not permitted" for word in sorted(schema.keys() - allowed))
    if "format" in schema and schema["format"] not in _FORMATS:
        yield f"{path}: format {schema['format']!r} is not supported"
    yield from _values(schema, path, seen)
    if "object" in kinds:
        yield from _object(schema, path, level, seen)
    if "array" in kinds:
        yield from _schema(schema.get("items"), f"{path}[]", level, seen)
    for number, choice in enumerate(schema.get("anyOf", ())):
        yield from _schema(choice, f"{path}.anyOf[{number}]", level, seen)


def _object(schema: Json, path: str, level: int, seen: _Sizes) -> Iterator[str]:
    properties = schema.get("properties")
    if schema.get("additionalProperties") is not False:
        yield f"{path}: additionalProperties must be false"
    if level > LEVELS:
        yield f"{path}: more than {LEVELS} levels of objects"
    if not isinstance(properties, dict):
        yield f"{path}: an object needs properties"
        return
    required = schema.get("required", [])
    yield from (f"{path}: required lacks {name!r}" for name in properties if name not in required)
    yield from (f"{path}: required names {name!r}, which is no property" for name in required if name not in properties)
    seen.properties += len(properties)
    seen.characters += sum(map(len, properties))
    for name, inner in properties.items():
        yield from _schema(inner, f"{path}.{name}", level + 1, seen)
    for name, inner in {**schema.get("$defs", {}), **schema.get("definitions", {})}.items():
        seen.characters += len(name)
        yield from _schema(inner, f"{path}.$defs.{name}", level, seen)


def _values(schema: Json, path: str, seen: _Sizes) -> Iterator[str]:
    values = schema.get("enum")
    if values is not None and (not isinstance(values, list) or not values):
        yield f"{path}: enum must be a list with values"
        return
    values = values or []
    if len(values) != len({repr(value) for value in values}):
        yield f"{path}: enum has a value twice"
    length = sum(len(value) for value in values if isinstance(value, str))
    if len(values) > LONG_ENUM and length > LONG_ENUM_CHARACTERS:
        yield f"{path}: an enum of {len(values)} values has {length} characters, at most {LONG_ENUM_CHARACTERS}"
    seen.enum_values += len(values)
    seen.characters += length + len(str(schema.get("const", "")))


def _chat(body: Json) -> Iterator[str]:
    yield from _parameters(body, CHAT, needed=("model", "messages"))
    yield from _messages(body.get("messages"))
    yield from _tools([tool.get("function") for tool in _objects(body.get("tools"))], body.get("tools"))
    yield from _choice(body)
    if "max_tokens" in body and "max_completion_tokens" in body:
        yield "max_tokens and max_completion_tokens exclude each other"
    yield from _at_least(body, "max_tokens", 1)
    yield from _at_least(body, "max_completion_tokens", 1)
    stop = body.get("stop")
    if isinstance(stop, list) and not 1 <= len(stop) <= STOPS:
        yield f"stop: {len(stop)} sequences, 1 to {STOPS} are allowed"
    if stop is not None and not isinstance(stop, str | list):
        yield "stop: is neither a string nor a list"
    form = body.get("response_format")
    if form is not None:
        yield from _format(form, form.get("json_schema") if isinstance(form, dict) else None, "response_format")
        if isinstance(form, dict) and form.get("type") == "json_object" and "json" not in str(body["messages"]).lower():
            yield "response_format: 'messages' must contain the word 'json' to use 'json_object'"


def _response(body: Json) -> Iterator[str]:
    yield from _parameters(body, RESPONSE, needed=("model", "input"))
    yield from _tools(_objects(body.get("tools")), body.get("tools"))
    yield from _at_least(body, "max_output_tokens", LEAST_OUTPUT)
    given = body.get("input")
    if not isinstance(given, str | list) or not given:
        yield "input: is neither a text nor a list of items"
    for number, item in enumerate(given if isinstance(given, list) else []):
        if (
            isinstance(item, dict)
            and item.get("type", "message") == "message"
            and item.get("role") not in ROLES - {"tool"}
        ):
            yield f"input[{number}]: role {item.get('role')!r} is unknown"
    text = body.get("text")
    form = text.get("format") if isinstance(text, dict) else None
    if form is not None:
        yield from _format(form, form, "text.format")


def _embedding(body: Json) -> Iterator[str]:
    yield from _parameters(body, EMBEDDING, needed=("model", "input"))
    yield from _at_least(body, "dimensions", 1)
    if body.get("encoding_format", "float") not in {"float", "base64"}:
        yield f"encoding_format: {body['encoding_format']!r} is neither 'float' nor 'base64'"
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not 1 <= len(texts) <= INPUTS:
        yield f"input: is neither a text nor a list of 1 to {INPUTS} texts"
        return
    sizes = [len(str(text).split()) for text in texts]
    for number, text in enumerate(texts):
        if not isinstance(text, str) or not text:
            yield f"input[{number}]: is empty or no text"
        elif sizes[number] > TOKENS_OF_AN_INPUT:
            yield f"input[{number}]: {sizes[number]} tokens, at most {TOKENS_OF_AN_INPUT}"
    if sum(sizes) > TOKENS_OF_A_REQUEST:
        yield f"input: {sum(sizes)} tokens, at most {TOKENS_OF_A_REQUEST}"


def _parameters(body: Json, known: frozenset[str], *, needed: Sequence[str]) -> Iterator[str]:
    yield from (f"unrecognized request argument: {name}" for name in sorted(body.keys() - known))
    yield from (f"{name}: is missing" for name in needed if name not in body)
    if not isinstance(body.get("model", ""), str):
        yield "model: is no text"
    for name, low, high in (
        ("temperature", 0, 2),
        ("top_p", 0, 1),
        ("frequency_penalty", -2, 2),
        ("presence_penalty", -2, 2),
        ("n", 1, 128),
    ):
        value = body.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            yield f"{name}: {value!r} is no number"
        elif value is not None and not low <= value <= high:
            yield f"{name}: {value!r} is not within {low} to {high}"
    if "seed" in body and (isinstance(body["seed"], bool) or not isinstance(body["seed"], int | None)):
        yield f"seed: {body['seed']!r} is no integer"
    if body.get("stream_options") is not None and not body.get("stream"):
        yield "stream_options: only allowed when stream is true"
    metadata = body.get("metadata") or {}
    if len(metadata) > 16 or any(len(str(k)) > 64 or len(str(v)) > 512 for k, v in metadata.items()):
        yield "metadata: at most 16 pairs, of 64 and 512 characters"


def _at_least(body: Json, name: str, least: int) -> Iterator[str]:
    value = body.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        yield f"{name}: {value!r} is no integer from {least} on"


def _messages(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: is no list with messages"
        return
    open_calls: list[str] = []
    for number, message in enumerate(messages):
        place = f"messages[{number}]"
        if not isinstance(message, dict):
            yield f"{place}: is no object"
            continue
        role = message.get("role")
        if role not in ROLES:
            yield f"{place}: role {role!r} is unknown"
        if role == "tool":
            called = message.get("tool_call_id")
            if called not in open_calls:
                yield f"{place}: answers the tool call {called!r}, which nobody made"
            open_calls = [name for name in open_calls if name != called]
        elif open_calls:
            yield f"{place}: the tool calls {', '.join(open_calls)} have no answer"
            open_calls = []
        yield from _content(message, place)
        open_calls += [str(call.get("id")) for call in message.get("tool_calls") or () if isinstance(call, dict)]
        known = {"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio", "function_call"}
        yield from (f"{place}: unknown field {name!r}" for name in sorted(message.keys() - known))
        if "name" in message and not re.fullmatch(r"[^\s<|\\/>]{1,64}", str(message["name"])):
            yield f"{place}: name {message['name']!r} has signs that are not allowed"
    if open_calls:
        yield f"messages: the tool calls {', '.join(open_calls)} have no answer"


def _content(message: Json, place: str) -> Iterator[str]:
    content, calls = message.get("content"), message.get("tool_calls")
    if content is None:
        if message.get("role") != "assistant" or not calls:
            yield f"{place}: content is missing"
    elif isinstance(content, list):
        if not content or not all(isinstance(part, dict) and "type" in part for part in content):
            yield f"{place}: content has parts without a type, or none"
    elif not isinstance(content, str):
        yield f"{place}: content is neither a text nor a list of parts"
    if calls is not None and (message.get("role") != "assistant" or not isinstance(calls, list) or not calls):
        yield f"{place}: tool_calls is no list with calls of an assistant"
    for call in _objects(calls):
        function = call.get("function")
        if call.get("type") != "function" or not isinstance(function, dict):
            yield f"{place}: a tool call is no function"
        elif not isinstance(function.get("arguments"), str) or not NAME.fullmatch(str(function.get("name"))):
            yield f"{place}: a tool call needs a name and arguments as text"


def _objects(found: Any) -> list[Json]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _tools(functions: Sequence[Any], given: Any) -> Iterator[str]:
    if given is not None and (not isinstance(given, list) or not 1 <= len(given) <= TOOLS):
        yield f"tools: is no list of 1 to {TOOLS}"
        return
    names = [function.get("name") for function in functions if isinstance(function, dict)]
    if len(names) != len(set(names)):
        yield "tools: two have the same name"
    for number, function in enumerate(functions):
        place = f"tools[{number}]"
        if not isinstance(function, dict):
            yield f"{place}: has no function"
            continue
        if not NAME.fullmatch(str(function.get("name", ""))):
            yield f"{place}: name {function.get('name')!r} is not 1 to 64 letters, digits, _ and -"
        parameters = function.get("parameters")
        if parameters is not None and (not isinstance(parameters, dict) or parameters.get("type") != "object"):
            yield f"{place}: parameters are no schema of an object"
        elif function.get("strict"):
            yield from (f"{place}: {problem}" for problem in schema_problems(parameters))


def _choice(body: Json) -> Iterator[str]:
    if "tool_choice" in body and "tools" not in body and body["tool_choice"] not in {None, "none"}:
        yield "tool_choice: only allowed when tools are given"
    if "parallel_tool_calls" in body and "tools" not in body:
        yield "parallel_tool_calls: only allowed when tools are given"


def _format(form: Any, named: Any, place: str) -> Iterator[str]:
    kind = form.get("type") if isinstance(form, dict) else None
    if kind not in {"text", "json_object", "json_schema"}:
        yield f"{place}: type {kind!r} is unknown"
    if kind != "json_schema":
        return
    if not isinstance(named, dict) or not NAME.fullmatch(str(named.get("name", ""))):
        yield f"{place}: the schema's name is not 1 to 64 letters, digits, _ and -"
    elif named.get("strict"):
        yield from (f"{place}: {problem}" for problem in schema_problems(named.get("schema")))
