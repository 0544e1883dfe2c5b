"""Calls of a model: asked once more, never silently wrong, several at once in order."""

from __future__ import annotations

from functools import partial
from threading import Barrier

import pytest

from recollect.domain.errors import CallError, MalformedError
from recollect.memories.published.chat import ModelCaller, flag, object_schema, texts

from tests.unit.memories.published.scripted_chat import ScriptedChat

SCHEMA = object_schema(retrieve={"type": "boolean"})


def decided(*replies: str) -> tuple[ScriptedChat, bool]:
    left = list(replies)
    chat = ScriptedChat(lambda _: left.pop(0))
    return chat, ModelCaller(chat, 1).value("decide", {"question": "Where?"}, SCHEMA, flag("retrieve"))


@pytest.mark.parametrize("said", ['{"retrieve": true}', ' ```json\n{"retrieve": true}\n``` '])
def test_a_good_reply_costs_one_call(said: str) -> None:
    chat, value = decided(said)
    assert (value, len(chat.asked), chat.schemas) == (True, 1, [SCHEMA])


def test_a_reply_that_cannot_be_used_is_asked_for_once_more_with_the_reason() -> None:
    chat, value = decided("Sure!", '{"retrieve": false}')
    assert value is False
    assert "it is no JSON" in chat.asked[1]


@pytest.mark.parametrize(
    ("said", "cause"),
    [("Sure!", "not_json"), ("[1]", "wrong_schema"), ('{"retrieve": "yes"}', "wrong_schema"), ("{}", "wrong_schema")],
)
def test_two_such_replies_are_a_fault_with_its_cause(said: str, cause: str) -> None:
    with pytest.raises(MalformedError, match="prompt `decide`") as raised:
        decided(said, said)
    assert raised.value.cause == cause


def test_an_empty_text_is_a_fault() -> None:
    with pytest.raises(MalformedError, match="empty"):
        ModelCaller(ScriptedChat(lambda _: " \n"), 1).text("summary", {"notes": "x", "words": "9"})


def test_blank_entries_and_those_over_the_limit_are_left_out() -> None:
    assert texts("names", 2)({"names": [" a ", "", "b", "c"]}) == ("a", "b")
    with pytest.raises(ValueError, match="no list of texts"):
        texts("names", 2)({"names": ["a", 1]})


def test_calls_go_out_together_and_come_back_in_order() -> None:
    """Each waits for the others: in series they would wait for ever."""
    barrier = Barrier(3, timeout=20)

    def call(number: int) -> int:
        barrier.wait()
        return number

    assert ModelCaller(ScriptedChat(str), 3).together([partial(call, n) for n in range(3)]) == [0, 1, 2]


def test_the_first_call_that_fails_is_the_error() -> None:
    def call(number: int) -> int:
        raise CallError(f"call {number}")

    for at_once in (1, 4):
        with pytest.raises(CallError, match="call 0"):
            ModelCaller(ScriptedChat(str), at_once).together([partial(call, n) for n in range(3)])
