"""How an agent's policy, what to remember, is made anew from what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.contracts.agent import PolicyMaker
from recollect.contracts.memory import Room
from recollect.memories.agents.asking import Chat
from recollect.memories.agents.prompts import prompt
from recollect.memories.agents.topics import EVERYTHING, lines_of
from recollect.text.normal import search_tokens

MOST_LINES = 40
_TOPIC_WORDS = 6
_ASKED, _SAID, _RIGHT = "Question: ", " | Your answer: ", " | Right answer: "
_POLICY = {
    "type": "object",
    "properties": {name: {"type": "array", "items": {"type": "string"}} for name in ("policy", "changes")},
    "required": ["changes", "policy"],
    "additionalProperties": False,
}


def first_policy(by: str) -> str:
    """The policy to begin with."""
    return EVERYTHING if by == "rules" else prompt("remember").text


def maker_of(by: str, room: Room, agent: str) -> PolicyMaker:
    """Who makes the next policy."""
    return RuleMaker() if by == "rules" else ModelMaker(Chat.of(room, agent))


@dataclass(frozen=True, slots=True)
class RuleMaker:
    """Adds the words of content of each question as a topic, but for those that are known to be answered right.

    It takes nothing away but the oldest topics, once there are too many, and generalises nothing.
    """

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return "rules-policy-1"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The old lines, then the new topics."""
        lines = lines_of(policy)
        for topic in _topics(feedback):
            wanted = set(search_tokens(topic))
            if not any(wanted <= set(search_tokens(line)) for line in lines):
                lines.append(topic)
        first = [line for line in lines if line == EVERYTHING]
        topics = [line for line in lines if line != EVERYTHING]
        return "\n".join([*first, *topics[-(MOST_LINES - len(first)) :]])


@dataclass(frozen=True, slots=True)
class ModelMaker:
    """The agent's own chat model."""

    chat: Chat

    @property
    def fingerprint(self) -> str:
        """The model's and the prompt's."""
        return f"{self.chat.model.fingerprint}+{prompt('policy').digest}"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """One call, two where the first reply cannot be used.

        Raises:
            UnusableReplyError: Neither reply can be used.
        """
        told = "\n".join(f"- {' '.join(line.split())}" for line in feedback)
        values = {"policy": policy, "feedback": told, "most": str(MOST_LINES)}
        return self.chat.value("policy", values, _POLICY, _policy)


def _policy(said: Mapping[str, Any]) -> str:
    lines = said.get("policy")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("`policy` is no list of texts")
    kept = [line for text in lines for line in lines_of(text)][:MOST_LINES]
    if not kept:
        raise ValueError("`policy` has no line")
    return "\n".join(f"- {line}" for line in kept)


def _topics(feedback: Sequence[str]) -> Iterator[str]:
    for line in feedback:
        told, _, right = line.removeprefix(_ASKED).partition(_RIGHT)
        asked, _, said = told.rpartition(_SAID) if _SAID in told else (told, "", "")
        is_right = right and said.strip().casefold() in [one.strip().casefold() for one in right.split(";")]
        words = list(dict.fromkeys(search_tokens(asked, stemmed=False)))[:_TOPIC_WORDS]
        if words and not is_right:
            yield " ".join(words)
