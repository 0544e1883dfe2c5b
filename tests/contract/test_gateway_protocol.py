"""The gateway by the official client of its protocol: what the package makes of our replies is what we meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from recollect.contracts.memory import Access
from recollect.gateway.embeddings import EmbedderEmbedding
from recollect.gateway.server import GatewayServer
from recollect.offline.completions import OfflineChatting

from tests.fakes.gateway_calls import CountedEmbedder, Doing

openai: Any = pytest.importorskip("openai", reason="openai is not installed")

SAID = "I moved to Lisbon in May. My cat is called Rex."
FACTS = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}
SAVE: dict[str, Any] = {
    "name": "save_memory",
    "description": "Keep something.",
    "parameters": {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
}
TURNS: Any = [{"role": "user", "content": SAID}]


@pytest.fixture(scope="module")
def access() -> Iterator[Access]:
    """Rules behind a server."""
    gateway = GatewayServer(OfflineChatting(), EmbedderEmbedding(CountedEmbedder()))
    yield gateway.open(Doing())
    gateway.shut()


@pytest.fixture
def client(access: Access) -> Iterator[Any]:
    """The official client."""
    with openai.OpenAI(base_url=access.base_url, api_key=access.token) as client:
        yield client


def test_models_are_listed_and_found(client: Any) -> None:
    """Any name is."""
    assert [model.id for model in client.models.list()] == ["recollect-rules", "recollect-embedder"]
    assert client.models.retrieve("gpt-9").id == "gpt-9"


def test_a_chat_and_its_stream_say_the_same(client: Any) -> None:
    """With the same tokens."""
    whole = client.chat.completions.create(model="x", messages=TURNS)
    chunks = list(
        client.chat.completions.create(model="x", messages=TURNS, stream=True, stream_options={"include_usage": True})
    )
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert said == whole.choices[0].message.content
    assert chunks[-1].usage == whole.usage
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}


def test_a_schema_is_followed_by_chats_and_responses(client: Any) -> None:
    """And both find the same facts."""
    form: Any = {"type": "json_schema", "json_schema": {"name": "facts", "schema": FACTS, "strict": True}}
    chat = client.chat.completions.create(model="x", messages=TURNS, response_format=form)
    text: Any = {"format": {"type": "json_schema", "name": "facts", "schema": FACTS, "strict": True}}
    response = client.responses.create(model="x", input=SAID, text=text)
    found = json.loads(chat.choices[0].message.content or "")["facts"]
    assert any("Lisbon" in fact for fact in found)
    assert json.loads(response.output_text)["facts"] == found


def test_tools_are_called_by_chats_and_responses(client: Any) -> None:
    """Whole and in a stream."""
    tool: Any = {"type": "function", "function": SAVE}
    chat = client.chat.completions.create(model="x", messages=TURNS, tools=[tool], tool_choice="required")
    calls = chat.choices[0].message.tool_calls or []
    assert calls
    with client.chat.completions.stream(model="x", messages=TURNS, tools=[tool], tool_choice="required") as stream:
        streamed = stream.get_final_completion().choices[0].message.tool_calls or []
    arguments = [call.function.arguments for call in calls if call.type == "function"]
    assert [call.function.arguments for call in streamed] == arguments
    flat: Any = {"type": "function", **SAVE}
    with client.responses.stream(model="x", input=SAID, tools=[flat], tool_choice="required") as events:
        for _ in events:
            pass
        output = events.get_final_response().output
    assert [item.arguments for item in output if item.type == "function_call"] == arguments


def test_a_dialogue_with_tools_goes_on_by_responses(client: Any) -> None:
    """What came out is put in again, as agents do."""
    flat: Any = {"type": "function", **SAVE}
    asked: Any = [{"role": "user", "content": SAID}]
    first = client.responses.create(model="x", input=asked, tools=[flat])
    results: Any = [
        {"type": "function_call_output", "call_id": item.call_id, "output": "kept"}
        for item in first.output
        if item.type == "function_call"
    ]
    past: Any = [item.model_dump() for item in first.output]
    last = client.responses.create(model="x", input=[*asked, *past, *results], tools=[flat])
    assert results
    assert last.output_text


def test_vectors_come_packed_or_as_numbers(client: Any) -> None:
    """The package asks for base64 where it is not told."""
    packed = client.embeddings.create(model="x", input=["a", "b"])
    plain = client.embeddings.create(model="x", input=["a", "b"], encoding_format="float")
    assert [one.embedding for one in packed.data] == [one.embedding for one in plain.data]
    assert len(client.embeddings.create(model="x", input="a", dimensions=4).data[0].embedding) == 4


def test_errors_have_their_classes_and_are_not_tried_again(client: Any, access: Access) -> None:
    """The package would try a 429 or 500 twice more."""
    with pytest.raises(openai.BadRequestError, match="1536"):
        client.embeddings.create(model="x", input="a", dimensions=1536)
    with pytest.raises(openai.AuthenticationError, match="token"):
        openai.OpenAI(base_url=access.base_url, api_key="sk-wrong").models.list()
    with pytest.raises(openai.NotFoundError, match="Served"):
        client.completions.create(model="x", prompt="x")


def test_a_failure_is_sent_once(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was tried behind the gateway as often as it is worth."""
    seen: list[object] = []

    async def broken(self: OfflineChatting, body: object) -> bytes:
        seen.append(body)
        raise RuntimeError("no luck")

    monkeypatch.setattr(OfflineChatting, "chat", broken)
    with (
        openai.OpenAI(base_url=access.base_url, api_key=access.token) as client,
        pytest.raises(openai.InternalServerError),
    ):
        client.chat.completions.create(model="x", messages=TURNS)
    assert len(seen) == 1
