"""The gateway as a memory gets it while it is examined: calls are counted, and its models fall ill when told to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.engine.doctor.models import PROSE, CallTally

if TYPE_CHECKING:
    from recollect.contracts.gateway import Body, ChatService, EmbeddingService

_ABOUT_THE_CALLER = frozenset({"stream", "stream_options", "user", "safety_identifier", "prompt_cache_key"})
"""Fields that change no reply."""


@dataclass(frozen=True, slots=True)
class WatchedChatting:
    """Chats, counted."""

    chatting: ChatService
    tally: CallTally

    @property
    def model(self) -> str:
        """As it is."""
        return self.chatting.model

    @property
    def fingerprint(self) -> str:
        """As it is."""
        return self.chatting.fingerprint

    async def chat(self, body: Body) -> bytes:
        """A reply, from the tally where it knows one; or what an ill model says."""
        self.tally.note_chat()
        key = self.tally.begin({name: value for name, value in body.items() if name not in _ABOUT_THE_CALLER})
        if wants_json(body) and self.tally.strikes("prose"):
            return _completion(self.model, {"content": PROSE}, "stop")
        if body.get("tools") and self.tally.strikes("empty_call"):
            called = {"name": _first(body["tools"]), "arguments": ""}
            call = {"id": "call-1", "type": "function", "function": called}
            return _completion(self.model, {"content": None, "tool_calls": [call]}, "tool_calls")
        if not self.tally.knows(key):
            self.tally.keep(key, await self.chatting.chat(body))
        reply: bytes = self.tally.known(key)
        return reply


@dataclass(frozen=True, slots=True)
class WatchedEmbedding:
    """Embeddings, counted by text."""

    embedding: EmbeddingService
    tally: CallTally

    @property
    def model(self) -> str:
        """As it is."""
        return self.embedding.model

    @property
    def dimensions(self) -> int:
        """As it is."""
        return self.embedding.dimensions

    async def embed(self, texts: Sequence[str], dimensions: int | None, *, packed: bool) -> bytes:
        """As it is; the texts are noted."""
        keys = [self.tally.begin({"text": text}) for text in texts]
        made = await self.embedding.embed(texts, dimensions, packed=packed)
        for key in keys:
            self.tally.keep(key, True)
        return made


def wants_json(body: Mapping[str, Any]) -> bool:
    """Whether prose would be no answer: a tool must be called, JSON is asked for, or the prompt speaks of it."""
    form, choice = body.get("response_format"), body.get("tool_choice")
    asked = isinstance(form, Mapping) and str(form.get("type", "")).startswith("json")
    return choice not in (None, "auto", "none") or asked or "json" in json.dumps(body.get("messages", "")).casefold()


def _first(tools: Sequence[Mapping[str, Any]]) -> str:
    return str(tools[0].get("function", {}).get("name", "tool"))


def _completion(model: str, message: Mapping[str, Any], finish: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    said = {"id": "chatcmpl-ill", "object": "chat.completion", "created": 0, "model": model, "usage": usage}
    return json.dumps({**said, "choices": [choice]}).encode()
