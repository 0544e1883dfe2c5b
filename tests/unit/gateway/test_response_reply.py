"""A chat completion reads as a response, whole and in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from recollect.gateway.responses import response_of, streamed_response


def reply(finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A chat completion."""
    return {
        "model": "m",
        "created": 5,
        "choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 2}},
    }


CALLS = [{"id": "c1", "type": "function", "function": {"name": "save", "arguments": '{"x": "' + "y" * 200 + '"}'}}]


def test_a_text_is_a_message_and_tokens_are_counted() -> None:
    """Under the names of this API."""
    response = response_of(reply(content="yes"), {"model": "x", "instructions": "Be kind."})
    (item,) = response["output"]
    assert (item["type"], item["content"][0]["text"], response["status"]) == ("message", "yes", "completed")
    assert (response["created_at"], response["model"], response["instructions"]) == (5, "m", "Be kind.")
    assert response["usage"]["input_tokens"] == 7
    assert response["usage"]["total_tokens"] == 10
    assert response["usage"]["input_tokens_details"] == {"cached_tokens": 2}


def test_tool_calls_are_items_beside_the_text() -> None:
    """A reply of calls alone has no empty message."""
    both = response_of(reply(content="well", tool_calls=CALLS), {})
    assert [item["type"] for item in both["output"]] == ["message", "function_call"]
    (alone,) = response_of(reply(content=None, tool_calls=CALLS), {})["output"]
    assert (alone["call_id"], alone["name"]) == ("c1", "save")
    assert alone["arguments"] == CALLS[0]["function"]["arguments"]  # type: ignore[index]


def test_a_reply_that_was_cut_is_incomplete() -> None:
    """And says why."""
    response = response_of(reply("length", content="and so"), {})
    assert (response["status"], response["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


def test_the_same_reply_has_the_same_id() -> None:
    """Nothing of a clock or of chance is in it."""
    assert response_of(reply(content="a"), {})["id"] == response_of(reply(content="a"), {})["id"]
    assert response_of(reply(content="a"), {})["id"] != response_of(reply(content="b"), {})["id"]


@pytest.mark.parametrize(
    ("made", "last"),
    [
        (reply(content="word " * 50, tool_calls=CALLS), "response.completed"),
        (reply("length", content="and so"), "response.incomplete"),
        (reply(content=None, refusal="I would rather not."), "response.completed"),
    ],
)
def test_the_pieces_of_a_stream_are_the_whole(made: dict[str, Any], last: str) -> None:
    """Numbered, each part opened and closed, with the whole response at the end."""
    response = response_of(made, {})
    events = [json.loads(one.partition("data: ")[2]) for one in streamed_response(response)]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert (events[0]["type"], events[-1]["type"]) == ("response.created", last)
    assert events[-1]["response"] == response
    for index, item in enumerate(response["output"]):
        pieces = "".join(event["delta"] for event in events if "delta" in event and event["output_index"] == index)
        content = "".join(part.get("text") or part.get("refusal") for part in item.get("content", ()))
        assert pieces == item.get("arguments", content)
        kinds = [event["type"] for event in events if event.get("output_index") == index]
        assert (kinds[0], kinds[-1]) == ("response.output_item.added", "response.output_item.done")
