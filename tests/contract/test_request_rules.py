"""The strict stand-in server: it serves what OpenAI's documentation allows, and refuses all else with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from tests.fakes.request_rules import request_problems, schema_problems


def object_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these fields and no other."""
    return {"type": "object", "properties": dict(fields), "required": list(fields), "additionalProperties": False}


CHAT, RESPONSES, EMBEDDINGS = "/v1/chat/completions", "/v1/responses", "/v1/embeddings"
SCHEMA: Mapping[str, Any] = object_of(
    {
        "verdict": {"type": "string", "enum": ["right", "wrong"]},
        "numbers": {"type": "array", "items": {"type": "integer", "minimum": 1}},
        "inner": object_of({"note": {"type": ["string", "null"]}}),
    }
)
TOOL = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
SOUND: Mapping[str, Mapping[str, Any]] = {
    CHAT: {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Find it."}]},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "found"},
        ],
        "tools": [TOOL],
        "tool_choice": "auto",
        "temperature": 0.0,
        "top_p": 1,
        "seed": 7,
        "max_tokens": 10,
        "stop": ["\n"],
        "stream": False,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    },
    RESPONSES: {
        "model": "m",
        "input": [{"role": "user", "content": "Find it."}],
        "instructions": "Be brief.",
        "max_output_tokens": 16,
        "tools": [{"type": "function", "name": "search", "parameters": {"type": "object", "properties": {}}}],
        "text": {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": SCHEMA}},
    },
    EMBEDDINGS: {"model": "m", "input": ["one text", "another"], "dimensions": 8, "encoding_format": "base64"},
}


@pytest.mark.parametrize("path", SOUND)
def test_a_sound_request_is_served(path: str) -> None:
    assert request_problems(path, SOUND[path]) == []


DEFECTS: Mapping[str, tuple[str, Mapping[str, Any], str]] = {
    "unknown parameter": (CHAT, {"min_p": 0.1}, "unrecognized request argument: min_p"),
    "parameter of another API": (CHAT, {"max_output_tokens": 16}, "unrecognized request argument"),
    "no model": (CHAT, {"model": None}, "model: is no text"),
    "temperature": (CHAT, {"temperature": 2.1}, "temperature"),
    "top_p as text": (CHAT, {"top_p": "1"}, "top_p"),
    "seed": (CHAT, {"seed": 1.5}, "seed"),
    "both limits": (CHAT, {"max_completion_tokens": 5}, "exclude each other"),
    "limit of nothing": (CHAT, {"max_tokens": 0}, "max_tokens"),
    "five stops": (CHAT, {"stop": list("abcde")}, "stop"),
    "stop as number": (CHAT, {"stop": 5}, "stop"),
    "stream options": (CHAT, {"stream_options": {"include_usage": True}}, "stream_options"),
    "metadata": (CHAT, {"metadata": {"k" * 65: "v"}}, "metadata"),
    "no messages": (CHAT, {"messages": []}, "messages"),
    "role": (CHAT, {"messages": [{"role": "bot", "content": "x"}]}, "role 'bot'"),
    "field of a message": (CHAT, {"messages": [{"role": "user", "content": "x", "time": 1}]}, "unknown field 'time'"),
    "name of a speaker": (CHAT, {"messages": [{"role": "user", "content": "x", "name": "A B"}]}, "name 'A B'"),
    "no content": (CHAT, {"messages": [{"role": "user", "content": None}]}, "content is missing"),
    "content as object": (CHAT, {"messages": [{"role": "user", "content": {}}]}, "neither a text nor"),
    "empty parts": (CHAT, {"messages": [{"role": "user", "content": []}]}, "parts"),
    "unanswered tool call": (
        CHAT,
        {"messages": [{"role": "assistant", "content": None, "tool_calls": [CALL]}]},
        "have no answer",
    ),
    "answer to no tool call": (
        CHAT,
        {"messages": [{"role": "tool", "tool_call_id": "c9", "content": "x"}]},
        "which nobody made",
    ),
    "tool call without arguments": (
        CHAT,
        {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "function": {"name": "search"}}]}]},
        "arguments as text",
    ),
    "tool call of a user": (CHAT, {"messages": [{"role": "user", "content": "x", "tool_calls": [CALL]}]}, "assistant"),
    "no tools": (CHAT, {"tools": []}, "tools"),
    "name of a tool": (CHAT, {"tools": [{"type": "function", "function": {"name": "a b"}}]}, "name 'a b'"),
    "two tools of a name": (CHAT, {"tools": [TOOL, TOOL]}, "same name"),
    "tool without function": (CHAT, {"tools": [{"type": "function", "function": 3}]}, "no function"),
    "parameters of a tool": (
        CHAT,
        {"tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": "array"}}}]},
        "no schema of an object",
    ),
    "strict tool": (
        CHAT,
        {"tools": [{"type": "function", "function": {"name": "a", "strict": True, "parameters": {"type": "object"}}}]},
        "additionalProperties",
    ),
    "kind of format": (CHAT, {"response_format": {"type": "yaml"}}, "type 'yaml'"),
    "json without the word": (CHAT, {"response_format": {"type": "json_object"}}, "must contain the word 'json'"),
    "name of a schema": (
        CHAT,
        {"response_format": {"type": "json_schema", "json_schema": {"name": "my reply", "schema": {}}}},
        "schema's name",
    ),
    "responses: role": (RESPONSES, {"input": [{"role": "tool", "content": "x"}]}, "role 'tool'"),
    "responses: no input": (RESPONSES, {"input": ""}, "input"),
    "responses: few tokens": (RESPONSES, {"max_output_tokens": 10}, "max_output_tokens"),
    "responses: stop": (RESPONSES, {"stop": ["x"]}, "unrecognized request argument: stop"),
    "responses: open schema": (
        RESPONSES,
        {"text": {"format": {"type": "json_schema", "name": "r", "strict": True, "schema": {"type": "object"}}}},
        "additionalProperties",
    ),
    "embeddings: empty text": (EMBEDDINGS, {"input": ["a", ""]}, "input[1]"),
    "embeddings: no text": (EMBEDDINGS, {"input": []}, "input"),
    "embeddings: many texts": (EMBEDDINGS, {"input": ["a"] * 2049}, "input"),
    "embeddings: long text": (EMBEDDINGS, {"input": "word " * 8193}, "8193 tokens"),
    "embeddings: long request": (EMBEDDINGS, {"input": ["word " * 8000] * 38}, "304000 tokens"),
    "embeddings: encoding": (EMBEDDINGS, {"encoding_format": "hex"}, "encoding_format"),
    "embeddings: dimensions": (EMBEDDINGS, {"dimensions": 0}, "dimensions"),
    "embeddings: temperature": (EMBEDDINGS, {"temperature": 0}, "unrecognized request argument"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_each_defect_of_a_request_is_named(name: str) -> None:
    path, change, problem = DEFECTS[name]
    assert problem in "\n".join(request_problems(path, {**SOUND[path], **change}))


def test_a_parameter_that_is_needed_is_missed() -> None:
    for path, body in SOUND.items():
        for name in ("model", "messages" if path == CHAT else "input"):
            less = {key: value for key, value in body.items() if key != name}
            assert f"{name}: is missing" in request_problems(path, less)


def _with(path: str, value: Any) -> dict[str, Any]:
    """`SCHEMA` with one place changed; `None` takes it away."""
    schema = deepcopy(dict(SCHEMA))
    *way, last = path.split("/")
    place: Any = schema
    for name in way:
        place = place[name]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return schema


OPEN = {f"p{n}": {"type": "string"} for n in range(5001)}
BROKEN: Mapping[str, tuple[dict[str, Any], str]] = {
    "open map": ({"type": "object", "additionalProperties": {"type": "string"}}, "additionalProperties must be false"),
    "open object": (_with("additionalProperties", None), "additionalProperties must be false"),
    "open object within": (_with("properties/inner/additionalProperties", True), "root.inner: additionalProperties"),
    "optional field": (_with("required", ["verdict", "numbers"]), "required lacks 'inner'"),
    "required without property": (_with("required", ["verdict", "numbers", "inner", "x"]), "which is no property"),
    "list at the root": ({"type": "array", "items": {"type": "string"}}, "not 'object'"),
    "choice at the root": ({**SCHEMA, "anyOf": [{"type": "object"}]}, "may not be an anyOf"),
    "length of a text": (_with("properties/verdict/maxLength", 5), "'maxLength' is not permitted"),
    "unique items": (_with("properties/numbers/uniqueItems", True), "'uniqueItems' is not permitted"),
    "allOf": (_with("properties/verdict/allOf", []), "'allOf' is not permitted"),
    "keyword of another type": (_with("properties/verdict/minimum", 1), "'minimum' is not permitted"),
    "unknown type": (_with("properties/verdict/type", "text"), "type 'text' is unknown"),
    "no type": (_with("properties/numbers/items", {}), "has no type"),
    "no items": (_with("properties/numbers/items", None), "is not a schema"),
    "format": (_with("properties/verdict/format", "money"), "format 'money'"),
    "empty enum": (_with("properties/verdict/enum", []), "enum must be a list with values"),
    "double value": (_with("properties/verdict/enum", ["a", "a"]), "a value twice"),
    "many values": (_with("properties/verdict/enum", [str(n) for n in range(1001)]), "1001 enum values"),
    "long enum": (_with("properties/verdict/enum", [f"{n:061}" for n in range(251)]), "at most 15000"),
    "many properties": (object_of(OPEN), "5001 properties"),
    "long names": (object_of({"x" * 120_001: {"type": "string"}}), "120001 characters"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_defect_of_a_strict_schema_is_named(name: str) -> None:
    schema, problem = BROKEN[name]
    assert problem in "\n".join(schema_problems(schema))


def test_objects_nest_ten_deep_and_no_deeper() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(10):
        schema = object_of({"inner": schema})
    assert schema_problems(schema) == []
    assert "more than 10 levels" in "\n".join(schema_problems(object_of({"inner": schema})))
