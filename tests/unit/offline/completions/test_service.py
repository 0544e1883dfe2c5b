"""The rules answer the prompts of systems: by tools, by a schema, by an example, or in prose."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from recollect.offline.completions import OfflineChatting
from recollect.offline.completions.schemas import schema_in
from recollect.offline.completions.service import MARKERS, completion

SAID = "Ann: I like tea.\nBo: I live in Oslo."
FACTS = ["Ann likes tea.", "Bo lives in Oslo."]


def tool(name: str, **properties: Any) -> dict[str, Any]:
    """A tool with texts as its arguments."""
    made = {field: {"type": "string"} for field in properties}
    return {
        "type": "function",
        "function": {"name": name, "parameters": {"type": "object", "properties": made, "required": list(made)}},
    }


MEMORY, PATCH, DONE = tool("Memory", content=1), tool("PatchDoc", doc_id=1, text=1), tool("Done")


def asked(text: str = SAID, *, orders: str = "", **more: Any) -> dict[str, Any]:
    """The message that answers a prompt."""
    turns = [{"role": "system", "content": orders}] if orders else []
    made = completion({"messages": [*turns, {"role": "user", "content": text}], **more})
    message: dict[str, Any] = made["choices"][0]["message"]
    assert made["choices"][0]["finish_reason"] == ("tool_calls" if message.get("tool_calls") else "stop")
    return message


def calls(**more: Any) -> list[tuple[str, Any]]:
    """Tools that are called, and with what."""
    found = asked(**more).get("tool_calls", ())
    return [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in found]


@pytest.mark.parametrize("choice", [None, "auto", "required", "any"])
def test_a_tool_that_keeps_one_text_is_called_once_a_fact(choice: str | None) -> None:
    """Tools that change or end something are left alone, wherever they stand."""
    found = calls(tools=[DONE, PATCH, MEMORY], **({"tool_choice": choice} if choice else {}))
    assert found == [("Memory", {"content": fact}) for fact in FACTS]


def test_one_call_at_a_time_has_all_facts() -> None:
    """Where a caller wants no more."""
    assert calls(tools=[MEMORY], parallel_tool_calls=False) == [("Memory", {"content": " ".join(FACTS)})]


def test_a_tool_that_is_forced_is_called() -> None:
    """Whatever it does."""
    forced = {"type": "function", "function": {"name": "Done"}}
    assert calls(tools=[MEMORY, DONE], tool_choice=forced) == [("Done", {})]


def test_where_a_call_is_required_and_nothing_was_said_there_is_one() -> None:
    """A caller would take a text for a failure."""
    assert len(calls(text="Hello!", tools=[MEMORY], tool_choice="required")) == 1
    assert len(calls(tools=[DONE], tool_choice="required")) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [MEMORY], "tool_choice": "none"},
        {"tools": [PATCH, DONE]},
        {"tools": [MEMORY], "text": "Hello!"},
        {"tools": []},
    ],
)
def test_otherwise_nothing_is_called(more: dict[str, Any]) -> None:
    """There is a text instead."""
    assert calls(**more) == []
    assert asked(**more)["content"]


def test_after_a_tool_has_spoken_the_dialogue_ends() -> None:
    """Else an agent would go on for ever."""
    turns = [
        {"role": "user", "content": SAID},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "tool_call_id": "c", "content": "kept"},
    ]
    message = completion({"messages": turns, "tools": [MEMORY]})["choices"][0]["message"]
    assert message["content"]
    assert "tool_calls" not in message


def test_a_schema_is_filled() -> None:
    """Of the request, whatever the prompt shows."""
    schema = {"type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}}}
    form = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    said = asked(orders='Reply with {"other": []}', response_format=form)["content"]
    assert json.loads(said) == {"facts": FACTS}


def test_an_example_in_the_orders_shows_the_shape() -> None:
    """The kind that is shown most; what is held already, also JSON, shows none."""
    orders = """You keep memories. Reply with JSON.
Input: [{"role": "user", "content": "Hi"}]
Output: {"memory": []}
Output: {"memory": [{"id": "0", "text": "User likes pears", "linked_memory_ids": ["a"]}]}
Output: {"memory": [{"id": "0", "text": "User likes plums"}]}"""
    text = f'## Existing Memories\n[{{"id": "7", "text": "old"}}]\n\n## New Messages\n{SAID}\n\n# Output:'
    said = json.loads(asked(text, orders=orders, response_format={"type": "json_object"})["content"])
    assert [one["text"] for one in said["memory"]] == FACTS
    assert [one["id"] for one in said["memory"]] == ["0", "1"]
    assert "old" not in json.dumps(said)


def test_json_that_only_the_prompt_asks_for_is_given() -> None:
    """Without a word in the request."""
    said = asked(f'Return json such as {{"facts": ["a fact"]}}.\nText:\n{SAID}')["content"]
    assert json.loads(said) == {"facts": FACTS}


def test_json_without_any_example_is_an_empty_object() -> None:
    """As was asked."""
    assert asked(response_format={"type": "json_object"})["content"] == "{}"


def test_a_prompt_that_wants_something_distilled_gets_the_facts() -> None:
    """One a line; any other prompt gets a polite reply made of nothing but itself."""
    assert asked(f"Summarize the conversation.\nConversation:\n{SAID}")["content"].splitlines() == FACTS
    assert asked("I like tea.")["content"] == "Thank you for telling me, that stays with me."


def test_prose_is_cut_at_the_limit_and_json_is_not() -> None:
    """Half of it is worth nothing."""
    assert len(asked(f"Summarize.\nText:\n{SAID}", max_tokens=3)["content"]) < len(FACTS[0])
    assert json.loads(asked(f'JSON like {{"facts": [""]}}.\nText:\n{SAID}', max_tokens=3)["content"])


def test_the_same_request_gets_the_same_bytes() -> None:
    """From any machine at any time."""
    body = {"messages": [{"role": "user", "content": SAID}], "tools": [MEMORY]}
    first, second = (asyncio.run(OfflineChatting().chat(body)) for _ in range(2))
    assert first == second
    usage = json.loads(first)["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0


def test_an_example_that_is_no_json_shows_its_keys() -> None:
    """Authors put dots and comments into it."""
    shown = """{
        "keywords": [
            // several words
        ],
        "context":
            // one sentence
        ,
        "should_evolve": True or False,
        "new_tags": [["tag_1",...],...],
        "count": 3
    }"""
    schema = schema_in(shown)
    assert schema is not None
    kinds = {name: part["type"] for name, part in schema["properties"].items()}
    assert kinds == {
        "keywords": "array", "context": "string", "should_evolve": "boolean", "new_tags": "array", "count": "number",
    }  # fmt: skip
    assert schema_in("no braces here") is None


def test_a_mark_answers_only_the_prompts_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what no rule finds."""
    monkeypatch.setitem(MARKERS, "<|MARK|>", lambda material: f"fact<|>{material.facts[0]}")
    assert asked(f"Use <|MARK|>.\nText:\n{SAID}")["content"] == f"fact<|>{FACTS[0]}"
    assert "fact<|>" not in asked(SAID)["content"]
