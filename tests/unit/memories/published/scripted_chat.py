"""A chat model for tests: answers by a function of the prompt, and notes what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from recollect.contracts.models import Turn


@dataclass
class ScriptedChat:
    """May be called by several threads at once."""

    say: Callable[[str], str]
    """The reply to the last turn."""
    asked: list[str] = field(default_factory=list)
    """The last turns, sorted by nothing: threads come as they come."""
    schemas: list[Mapping[str, Any] | None] = field(default_factory=list)
    fingerprint: str = "scripted-1"
    _lock: Lock = field(default_factory=Lock)

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        with self._lock:
            self.asked.append(turns[-1].text)
            self.schemas.append(schema)
        return self.say(turns[-1].text)


def between(tag: str, prompt: str) -> str:
    """What stands between the marks of a prompt."""
    return prompt.split(f"<{tag}>\n", 1)[1].rsplit(f"\n</{tag}>", 1)[0]
