"""The policy of an agent: the first one, and how the next is made from the feedback, by rules or its own model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from recollect.contracts.agent import PolicyMaker
from recollect.contracts.memory import Room
from recollect.memories.agents.chat import Chat
from recollect.memories.agents.extraction import PLACES, restored, whole
from recollect.memories.agents.prompts import filled, inputs_of, prompt
from recollect.memories.agents.topics import EVERYTHING, lines_of
from recollect.memories.prompt_files import HasBy, by_model
from recollect.records.feedback import QuestionFeedback, read_feedback
from recollect.records.tables.policies import FIRST_POLICY
from recollect.text.normal import search_tokens

Rewrites = Literal["section", "prompt", "nothing"]
"""What evolves: the list of what to remember, the whole prompt of extraction, or not at all."""


class Evolving(HasBy, Protocol):
    """The settings that decide an agent's policies."""

    @property
    def policy(self) -> str:
        """What to remember to begin with; empty for the built-in list."""

    @property
    def rewrites(self) -> Rewrites:
        """What evolves."""


def check_rewrites(config: Evolving) -> None:
    """Refuse a whole prompt for rules."""
    if config.rewrites == "prompt" and not by_model(config):
        raise ValueError("rewrites `prompt` takes a model: rules follow a list of topics and no prompt")


def policy_at_start(config: Evolving, role: str) -> str:
    """The policy until another one is adopted; *role* names the prompt of extraction."""
    section = config.policy or (prompt("remember").text if by_model(config) else EVERYTHING)
    return whole(role, section) if config.rewrites == "prompt" else section


def policy_inputs(config: Evolving, role: str, agent: str) -> Mapping[str, str]:
    """What is part of every key; with the first policy, which no other record holds."""
    made_by = inputs_of(agent) if by_model(config) else {"policies by rules": RuleMaker().fingerprint}
    return {**made_by, FIRST_POLICY: policy_at_start(config, role)}


def policy_maker(config: Evolving, role: str, room: Room, agent: str) -> PolicyMaker:
    """Makes the next policies."""
    if config.rewrites == "nothing":
        return NoMaker()
    if not by_model(config):
        return RuleMaker()
    chat = Chat.of(room, agent)
    return PromptMaker(chat, role) if config.rewrites == "prompt" else SectionMaker(chat)


@dataclass(frozen=True, slots=True)
class NoMaker:
    """Stays with the policy in force: the row that others are compared with."""

    @property
    def fingerprint(self) -> str:
        return "no-policy"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:  # noqa: ARG002
        return policy


MOST_LINES = 40
MOST_WORDS = 40
"""Of one topic, after its name."""
_NAME_WORDS = 6
_SHORTEST = 3
"""Letters of a word that is worth following."""
_SHARED = 2
"""A word in so many options belongs to the question, and not to one option alone."""


@dataclass(frozen=True, slots=True)
class RuleMaker:
    """Adds topics from the feedback as they are, without generalising.

    A question gives its words of content as a topic, unless it is known to be answered right. With options and no gold,
    the words that several options share come with it; with gold, the words of the right option that occur in nothing
    remembered. A state that the user revealed, and that shares no word with anything remembered, is a topic by its name
    and value. Only the oldest topics and words are removed, once there are too many.
    """

    @property
    def fingerprint(self) -> str:
        return "rules-policy-2"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The old lines, some with more words, then the new topics."""
        read = read_feedback(feedback)
        topics = _Topics(policy)
        for lesson in read.asked:
            if not lesson.was_right:
                topics.add(_content(lesson.question)[:_NAME_WORDS], _missed_words(lesson))
        known = _stems(text for lesson in read.asked for text in lesson.remembered)
        for name, value in read.exposed.items():
            words = _content(value)
            if known.isdisjoint(_stems([name, *words])):
                topics.add(_content(name), words)
        return topics.text()


class _Topics:
    """The lines of a policy by name; a line may list words after a colon."""

    def __init__(self, policy: str) -> None:
        self._lines: dict[str, list[str]] = {}
        for line in lines_of(policy):
            name, _, behind = line.partition(": ")
            self._lines[name] = [word for word in behind.split(", ") if word]

    def add(self, name: Sequence[str], words: Sequence[str]) -> None:
        """Widen the topic that has all words of *name*, or begin one; nothing where *name* has no stem."""
        wanted = _stems(name)
        if not wanted:
            return
        line = next((line for line in self._lines if wanted <= _stems([line])), " ".join(name))
        have = self._lines.setdefault(line, [])
        stems = _stems([line, *have])
        for word in words:
            if stems.isdisjoint(_stems([word])):
                have.append(word)
                stems |= _stems([word])
        del have[:-MOST_WORDS]

    def text(self) -> str:
        first = [line for line in self._lines if line == EVERYTHING]
        topics = [line for line in self._lines if line != EVERYTHING]
        kept = [*first, *topics[-(MOST_LINES - len(first)) :]]
        return "\n".join(f"{line}: {', '.join(self._lines[line])}" if self._lines[line] else line for line in kept)


def _missed_words(lesson: QuestionFeedback) -> list[str]:
    """With gold, words of the right options that nothing remembered has; else words of several options."""
    right = " ".join(text for letter, text in lesson.options.items() if letter in lesson.right)
    if right:
        known = _stems(lesson.remembered)
        return [word for word in _content(right) if known.isdisjoint(_stems([word]))]
    options = [_content(text) for text in lesson.options.values()]
    counted = {word: sum(word in words for words in options) for words in options for word in words}
    order = sorted(counted, key=lambda word: -counted[word])
    return [word for word in order if counted[word] >= _SHARED][:MOST_WORDS]


def _content(text: str) -> list[str]:
    """Words of content, each once, in order; `work_time` is two."""
    words = search_tokens(text.replace("_", " "), stemmed=False)
    return [word for word in dict.fromkeys(words) if len(word) >= _SHORTEST or not word.isascii()]


def _stems(texts: Iterable[str]) -> set[str]:
    return {stem for text in texts for stem in search_tokens(text.replace("_", " "))}


MOST_CHARACTERS = 8_000
"""Of a whole prompt."""


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """Rewrites the list of what to remember; the prompt around it stays."""

    chat: Chat

    @property
    def fingerprint(self) -> str:
        return f"{self.chat.model.fingerprint}+{prompt('policy_section').digest}"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        values = {"policy": policy, "feedback": "\n".join(feedback), "most": str(MOST_LINES)}
        text = _rewritten(self.chat, "policy_section", values, name="new_types")
        return "\n".join(f"- {line}" for line in lines_of(text)[:MOST_LINES])


@dataclass(frozen=True, slots=True)
class PromptMaker:
    """Rewrites the whole prompt of extraction; what it needs to work is put back where it is lost."""

    chat: Chat
    role: str

    @property
    def fingerprint(self) -> str:
        return f"{self.chat.model.fingerprint}+{prompt('policy_prompt').digest}+{self.role}"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        values = {
            "policy": policy,
            "feedback": "\n".join(feedback),
            "places": ", ".join(f"${name}" for name in PLACES[self.role]),
            "most": str(MOST_CHARACTERS),
        }
        text = _rewritten(self.chat, "policy_prompt", values, name="new_prompt", most=MOST_CHARACTERS)
        return restored(self.role, text)


def _rewritten(chat: Chat, role: str, values: Mapping[str, str], *, name: str, most: int | None = None) -> str:
    """The text in field *name* of the reply to prompt *role*, of at most *most* characters."""

    def check(reply: Mapping[str, Any]) -> str:
        text = reply.get(name)
        if not isinstance(text, str) or not any(lines_of(text)):
            raise ValueError(f"`{name}` is no text")
        text = text.strip()
        if most is not None and len(text) > most:
            raise ValueError(f"`{name}` has {len(text)} characters, more than {most}")
        return text

    schema = {
        "type": "object",
        "properties": {name: {"type": "string"}, "changes": {"type": "array", "items": {"type": "string"}}},
        "required": ["changes", name],
        "additionalProperties": False,
    }
    return chat.value_of(role, filled(role, values), schema, check)
