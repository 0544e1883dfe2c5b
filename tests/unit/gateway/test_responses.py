"""A request of the responses API asks a chat the same."""

from __future__ import annotations

import pytest

from recollect.contracts.gateway import BadRequestError
from recollect.gateway.responses import chat_of

CALL = {"type": "function_call", "call_id": "c1", "name": "save", "arguments": '{"x": 1}'}


def test_text_and_instructions_are_turns() -> None:
    """Of the system first."""
    assert chat_of({"model": "m", "input": "Hello", "instructions": "Be kind."}) == {
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}]
    }


def test_items_are_turns_and_parts_are_texts() -> None:
    """Developers speak as the system; what a model thought is not told again."""
    items = [
        {"role": "developer", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "c"}]},
        {"role": "user", "content": "d"},
    ]
    assert [(turn["role"], turn["content"]) for turn in chat_of({"input": items})["messages"]] == [
        ("system", "a\nb"),
        ("assistant", "c"),
        ("user", "d"),
    ]


def test_past_tool_calls_are_one_turn_with_what_was_said_before_them() -> None:
    """As a chat has them; their results follow."""
    items = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "well"},
        CALL,
        {**CALL, "call_id": "c2"},
        {"type": "function_call_output", "call_id": "c1", "output": "done"},
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "too"}]},
    ]
    _, said, first, second = chat_of({"input": items})["messages"]
    assert (said["content"], [call["id"] for call in said["tool_calls"]]) == ("well", ["c1", "c2"])
    assert said["tool_calls"][0]["function"] == {"name": "save", "arguments": '{"x": 1}'}
    assert (first["role"], first["tool_call_id"], first["content"]) == ("tool", "c1", "done")
    assert second["content"] == "too"


def test_images_go_along() -> None:
    """As parts of a chat."""
    parts = [{"type": "input_text", "text": "see"}, {"type": "input_image", "image_url": "data:,x"}]
    (turn,) = chat_of({"input": [{"role": "user", "content": parts}]})["messages"]
    assert turn["content"] == [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:,x"}},
    ]


def test_tools_schema_and_settings_have_other_places() -> None:
    """What has none goes along as it is; what is for the provider's own keeping does not."""
    schema = {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": True}
    chat = chat_of(
        {
            "input": "x",
            "tools": [{"type": "function", "name": "save", "parameters": {}, "strict": True}],
            "tool_choice": {"type": "function", "name": "save"},
            "text": {"format": schema, "verbosity": "low"},
            "max_output_tokens": 9,
            "reasoning": {"effort": "low"},
            "temperature": 0.2,
            "made_up": 1,
            "store": True,
            "include": ["x"],
            "stream": True,
            "top_p": None,
        }
    )
    del chat["messages"]
    assert chat == {
        "tools": [{"type": "function", "function": {"name": "save", "parameters": {}, "strict": True}}],
        "tool_choice": {"type": "function", "function": {"name": "save"}},
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": True},
        },
        "verbosity": "low",
        "max_tokens": 9,
        "reasoning_effort": "low",
        "temperature": 0.2,
        "made_up": 1,
    }


@pytest.mark.parametrize("form", [None, {"type": "text"}])
def test_plain_text_is_no_format(form: object) -> None:
    """A chat says nothing then."""
    assert "response_format" not in chat_of({"input": "x", "text": {"format": form}})


def test_everything_that_is_not_served_is_told_at_once() -> None:
    """Stored state, tools of the provider, unknown items."""
    with pytest.raises(BadRequestError) as raised:
        chat_of(
            {
                "input": [{"type": "item_reference", "id": "i"}, {"role": "user", "content": [{"type": "input_file"}]}],
                "tools": [{"type": "web_search"}],
                "conversation": "c",
                "background": True,
            }
        )
    for word in ("conversation", "background", "item_reference", "input_file", "web_search"):
        assert f"`{word}`" in str(raised.value)


@pytest.mark.parametrize("given", [None, [], 7])
def test_a_request_without_input_is_refused(given: object) -> None:
    """Whatever stands there instead."""
    with pytest.raises(BadRequestError, match="`input`"):
        chat_of({"input": given})
