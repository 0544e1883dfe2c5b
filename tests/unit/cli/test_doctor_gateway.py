"""The gateway of the doctor: calls are counted and kept, and its models fall ill when told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from recollect.cli.doctor_gateway import WatchedChatting, WatchedEmbedding
from recollect.contracts.gateway import Body
from recollect.domain.errors import RetryableError
from recollect.engine.doctor.models import PROSE, CallTally

TOOLS = [{"type": "function", "function": {"name": "keep", "parameters": {"type": "object"}}}]
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "What is kept?"}]}


@dataclass
class Echo:
    """Answers with the number of the call."""

    calls: int = 0
    model: str = "echo"
    fingerprint: str = "echo-1"
    dimensions: int = 2
    texts: list[str] = field(default_factory=list)

    async def chat(self, body: Body) -> bytes:
        self.calls += 1
        return str(self.calls).encode()

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        self.texts.extend(texts)
        return b"{}"


def said(tally: CallTally, body: Body) -> dict[str, Any]:
    reply = json.loads(asyncio.run(WatchedChatting(Echo(), tally).chat(body)))
    message: dict[str, Any] = reply["choices"][0]["message"]
    return message


def test_the_same_request_is_made_once_whoever_the_caller_says_it_is() -> None:
    echo, tally = Echo(), CallTally()
    chatting = WatchedChatting(echo, tally)
    replies = [asyncio.run(chatting.chat({**ASKED, "user": name})) for name in ("a", "b")]
    assert replies == [b"1", b"1"]
    assert (echo.calls, tally.paid, len(tally.asked), tally.chats) == (1, 1, 2, 2)


def test_another_tally_knows_the_reply_and_counts_it_as_its_own() -> None:
    first = CallTally()
    asyncio.run(WatchedChatting(Echo(), first).chat(ASKED))
    second, echo = CallTally(behind=first), Echo()
    assert asyncio.run(WatchedChatting(echo, second).chat(ASKED)) == b"1"
    assert (echo.calls, second.paid, first.chats) == (0, 1, 2)


@pytest.mark.parametrize(
    ("more", "is_struck"),
    [
        ({}, False),
        ({"tools": TOOLS}, False),
        ({"tools": TOOLS, "tool_choice": "auto"}, False),
        ({"tools": TOOLS, "tool_choice": "required"}, True),
        ({"response_format": {"type": "json_object"}}, True),
        ({"response_format": {"type": "text"}}, False),
        ({"messages": [{"role": "system", "content": "Reply with JSON."}]}, True),
    ],
)
def test_prose_strikes_only_where_json_was_asked_for(more: dict[str, Any], is_struck: bool) -> None:
    """Tools that may be called need not be."""
    tally = CallTally(ill="prose")
    reply = asyncio.run(WatchedChatting(Echo(), tally).chat({**ASKED, **more}))
    assert (PROSE.encode() in reply) is is_struck
    assert tally.struck == int(is_struck)


def test_an_empty_call_is_one_of_the_first_tool() -> None:
    (call,) = said(CallTally(ill="empty_call"), {**ASKED, "tools": TOOLS})["tool_calls"]
    assert call["function"] == {"name": "keep", "arguments": ""}


def test_an_ill_server_answers_nothing() -> None:
    tally = CallTally(ill="server_error")
    with pytest.raises(RetryableError) as raised:
        asyncio.run(WatchedChatting(Echo(), tally).chat(ASKED))
    assert raised.value.cause == "server_error"
    with pytest.raises(RetryableError):
        asyncio.run(WatchedEmbedding(Echo(), tally).embed(["a"], None, packed=False))


def test_texts_are_counted_one_by_one() -> None:
    tally = CallTally()
    embedding = WatchedEmbedding(Echo(), tally)
    for texts in (["a", "b"], ["b", "c"]):
        asyncio.run(embedding.embed(texts, None, packed=False))
    assert (len(tally.asked), tally.paid, tally.chats) == (4, 3, 0)
