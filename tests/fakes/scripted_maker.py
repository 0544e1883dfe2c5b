"""A chat model whose replies are a function of the request; it counts, and may fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import sleep
from typing import Any

from recollect.contracts.call_context import CallContext, current_context
from recollect.contracts.models import ChatReply, ChatRequest

Said = str | ChatReply | Exception | dict[str, Any]


@dataclass
class ScriptedMaker:
    """Plays the maker without an endpoint."""

    reply: Callable[[ChatRequest], Said]
    fingerprint: str = "scripted"
    delay_s: float = 0.0
    asked: list[ChatRequest] = field(default_factory=list)
    occasions: list[CallContext | None] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    _lock: Lock = field(default_factory=Lock)

    def complete(self, turns: object, **_: object) -> str:
        """Makers are asked by `chat`."""
        raise NotImplementedError

    def chat(self, request: ChatRequest) -> ChatReply:
        """What *reply* says of *request*."""
        with self._lock:
            self.asked.append(request)
            self.occasions.append(current_context())
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        sleep(self.delay_s)
        try:
            said = self.reply(request)
        finally:
            with self._lock:
                self.at_once -= 1
        if isinstance(said, Exception):
            raise said
        if isinstance(said, ChatReply):
            return said
        return ChatReply(text=said if isinstance(said, str) else json.dumps(said))


def prompt_of(request: ChatRequest) -> str:
    """The first turn."""
    return request.turns[0].text
