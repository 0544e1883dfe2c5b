"""The next policy by the agent's own chat model: a better list of what to remember, or a better prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.memories.agents.asking import Chat, Schema
from recollect.memories.agents.policy_by_rules import MOST_LINES
from recollect.memories.agents.prompts import prompt
from recollect.memories.agents.topics import lines_of
from recollect.memories.agents.whole_prompts import PLACES, restored

MOST_CHARACTERS = 8_000
"""Of a whole prompt."""


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """Rewrites the list of what to remember; the prompt around it stays."""

    chat: Chat

    @property
    def fingerprint(self) -> str:
        """The model's and the prompt's."""
        return _fingerprint(self.chat, "policy_section")

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """One call, two where the first reply cannot be used.

        Raises:
            UnusableReplyError: Neither reply can be used.
        """
        values = {"policy": policy, "feedback": "\n".join(feedback), "most": str(MOST_LINES)}
        return self.chat.value("policy_section", values, _schema("new_types"), _section)


@dataclass(frozen=True, slots=True)
class PromptMaker:
    """Rewrites the whole prompt of extraction; what it must hold to work is put back where it is lost."""

    chat: Chat
    role: str

    @property
    def fingerprint(self) -> str:
        """The model's and the prompt's."""
        return f"{_fingerprint(self.chat, 'policy_prompt')}+{self.role}"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """One call, two where the first reply cannot be used.

        Raises:
            UnusableReplyError: Neither reply can be used.
        """
        values = {
            "policy": policy,
            "feedback": "\n".join(feedback),
            "places": ", ".join(f"${name}" for name in PLACES[self.role]),
            "most": str(MOST_CHARACTERS),
        }
        return self.chat.value("policy_prompt", values, _schema("new_prompt"), self._whole)

    def _whole(self, said: Mapping[str, Any]) -> str:
        text = _told(said, "new_prompt")
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"`new_prompt` has {len(text)} characters, more than {MOST_CHARACTERS}")
        return restored(self.role, text)


def _section(said: Mapping[str, Any]) -> str:
    kept = lines_of(_told(said, "new_types"))[:MOST_LINES]
    return "\n".join(f"- {line}" for line in kept)


def _told(said: Mapping[str, Any], name: str) -> str:
    text = said.get(name)
    if not isinstance(text, str) or not any(lines_of(text)):
        raise ValueError(f"`{name}` is no text")
    return text.strip()


def _schema(name: str) -> Schema:
    changes = {"type": "array", "items": {"type": "string"}}
    return {
        "type": "object",
        "properties": {name: {"type": "string"}, "changes": changes},
        "required": ["changes", name],
        "additionalProperties": False,
    }


def _fingerprint(chat: Chat, role: str) -> str:
    return f"{chat.model.fingerprint}+{prompt(role).digest}"
