"""What is sent to a chat endpoint."""

from __future__ import annotations

from typing import Any

from recollect.contracts.models import ChatRequest, Tool, ToolCall, Turn
from recollect.models.settings import ModelSettings
from recollect.models.wire.chat import chat_body

SETTINGS = ModelSettings(model="m", base_url="http://127.0.0.1:1/v1")
HI = Turn(role="user", text="hi")


def body(settings: ModelSettings = SETTINGS, **request: Any) -> dict[str, Any]:
    return dict(chat_body(settings, ChatRequest(**({"turns": (HI,)} | request))))


def test_what_nobody_set_is_not_sent() -> None:
    settings = ModelSettings(model="m", base_url="http://h/v1", temperature=None)
    assert body(settings) == {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": False}


def test_a_request_goes_before_the_settings_and_the_limit_has_the_name_that_the_model_takes() -> None:
    settings = ModelSettings(
        model="m", max_tokens=50, max_tokens_field="max_completion_tokens", top_p=0.9, seed=3, stop=("a",)
    )
    sent = body(settings, max_tokens=20, temperature=0.7, stop=("b", "a"))
    assert sent["max_completion_tokens"] == 20
    assert "max_tokens" not in sent
    assert (sent["temperature"], sent["top_p"], sent["seed"], sent["stop"]) == (0.7, 0.9, 3, ["a", "b"])
    assert body(settings)["max_completion_tokens"] == 50


def test_a_model_that_takes_no_temperature_is_sent_none() -> None:
    assert "temperature" not in body(ModelSettings(model="m", temperature=None), temperature=0.5)


def test_a_temperature_of_zero_is_sent() -> None:
    assert body()["temperature"] == 0.0


def test_further_fields_are_sent_as_they_are_and_cannot_turn_the_call_into_another() -> None:
    extra = {"reasoning_effort": "low", "stream": True, "model": "other", "messages": []}
    sent = body(ModelSettings(model="m", extra=extra))
    assert sent["reasoning_effort"] == "low"
    assert (sent["stream"], sent["model"], len(sent["messages"])) == (False, "m", 1)


def test_tools_and_a_schema_are_sent_in_the_form_of_the_protocol() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    sent = body(tools=(Tool(name="find", description="Finds.", parameters=schema),), schema=schema)
    function = {"name": "find", "description": "Finds.", "parameters": schema}
    assert sent["tools"] == [{"type": "function", "function": function}]
    told = {"name": "reply", "strict": True, "schema": schema}
    assert sent["response_format"] == {"type": "json_schema", "json_schema": told}


def test_tool_turns_go_out_as_the_protocol_wants_them() -> None:
    call = ToolCall(call_id="c1", name="find", arguments='{"q": 1}')
    turns = (HI, Turn(role="assistant", text="", calls=(call,)), Turn(role="tool", text="found", call_id="c1"))
    _, asked, answered = body(turns=turns)["messages"]
    function = {"name": "find", "arguments": '{"q": 1}'}
    wanted = [{"id": "c1", "type": "function", "function": function}]
    assert asked == {"role": "assistant", "content": None, "tool_calls": wanted}
    assert answered == {"role": "tool", "content": "found", "tool_call_id": "c1"}
