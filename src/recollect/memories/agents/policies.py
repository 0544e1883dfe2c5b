"""The policy of an agent: the first one, and who proposes the next from the feedback, rules or its own model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, Protocol

from recollect.contracts.agent import PolicyMaker
from recollect.contracts.memory import Room
from recollect.memories.agents.chat import Chat, Schema
from recollect.memories.agents.extraction import PLACES, restored, whole
from recollect.memories.agents.prompts import inputs_of, prompt
from recollect.memories.agents.responders import By
from recollect.memories.agents.topics import EVERYTHING, lines_of
from recollect.records.feedback import QuestionFeedback, read_feedback
from recollect.records.tables.policies import FIRST_POLICY
from recollect.text.normal import search_tokens

Rewrites = Literal["section", "prompt", "nothing"]
"""What evolves: the list of what to remember, the whole prompt of extraction, or not at all."""


class Evolving(Protocol):
    """The settings of an agent, as far as they say what policies it follows."""

    @property
    def by(self) -> By:
        """Who takes things out of messages."""
        ...

    @property
    def policy(self) -> str:
        """What to remember to begin with; empty for the built-in list."""
        ...

    @property
    def rewrites(self) -> Rewrites:
        """What evolves."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What an agent's settings say of its policies."""

    by: By
    rewrites: Rewrites
    role: str
    """The prompt by which it takes things out of messages."""
    section: str = ""
    """What to remember to begin with; empty for the built-in list."""

    @classmethod
    def of(cls, config: Evolving, role: str) -> Beginning:
        """That of an agent's settings."""
        return cls(by=config.by, rewrites=config.rewrites, role=role, section=config.policy)

    def __post_init__(self) -> None:
        if self.rewrites == "prompt" and self.by != "model":
            raise ValueError("rewrites `prompt` takes a model: rules follow a list of topics and no prompt")

    @property
    def policy(self) -> str:
        """The policy in force until another one is adopted."""
        section = self.section or first_policy(self.by)
        return whole(self.role, section) if self.rewrites == "prompt" else section

    def inputs(self, agent: str) -> Mapping[str, str]:
        """What is part of every key; the first policy, which no record tells, is here for all who read one."""
        made = inputs_of(agent) if self.by == "model" else {"policies by rules": RuleMaker().fingerprint}
        return {**made, FIRST_POLICY: self.policy}

    def maker(self, room: Room, agent: str) -> PolicyMaker:
        """Who makes the next one."""
        if self.rewrites == "nothing":
            return NoMaker()
        if self.by == "rules":
            return RuleMaker()
        chat = Chat.of(room, agent)
        return PromptMaker(chat, self.role) if self.rewrites == "prompt" else SectionMaker(chat)


def first_policy(by: By) -> str:
    """The built-in list."""
    return EVERYTHING if by == "rules" else prompt("remember").text


@dataclass(frozen=True, slots=True)
class NoMaker:
    """Stays with the policy in force: the row that others are compared with."""

    @property
    def fingerprint(self) -> str:
        """It has no versions."""
        return "no-policy"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:  # noqa: ARG002
        """The same again."""
        return policy


MOST_LINES = 40
MOST_WORDS = 40
"""Of one topic, behind its name."""
_NAME_WORDS = 6
_SHORTEST = 3
"""Letters of a word that is worth following."""
_SHARED = 2
"""Options in which a word must stand to be of the question and not of one option alone."""


@dataclass(frozen=True, slots=True)
class RuleMaker:
    """Follows what it is told, and no more: it generalises nothing.

    A question gives its words of content as a topic, unless it is known to be answered right. With options and no gold,
    the words that several options share come with it; with gold, the words of the right option that stand in nothing
    remembered. A state that the user told, and that nothing remembered shares a word with, is a topic by its name and
    value. Nothing is taken away but the oldest topics and words, once there are too many.
    """

    @property
    def fingerprint(self) -> str:
        """Version of the rules."""
        return "rules-policy-2"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        """The old lines, some with more words, then the new topics."""
        told = read_feedback(feedback)
        topics = _Topics.of(policy)
        for lesson in told.asked:
            if not lesson.was_right:
                topics.add(_content(lesson.question)[:_NAME_WORDS], _missed_words(lesson))
        known = _stems(text for lesson in told.asked for text in lesson.remembered)
        for name, value in told.exposed.items():
            words = _content(value)
            if known.isdisjoint(_stems([name, *words])):
                topics.add(_content(name), words)
        return topics.text


@dataclass
class _Topics:
    """The lines of a policy by name; a line may say more behind a colon."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, policy: str) -> _Topics:
        made = cls()
        for line in lines_of(policy):
            name, _, behind = line.partition(": ")
            made.lines[name] = [word for word in behind.split(", ") if word]
        return made

    def add(self, name: Sequence[str], words: Sequence[str]) -> None:
        """Widen the topic that has all words of *name*, or begin one; with no word nobody can follow it."""
        wanted = _stems(name)
        if not wanted:
            return
        line = next((line for line in self.lines if wanted <= _stems([line])), " ".join(name))
        have = self.lines.setdefault(line, [])
        stems = _stems([line, *have])
        for word in words:
            if stems.isdisjoint(_stems([word])):
                have.append(word)
                stems |= _stems([word])
        del have[:-MOST_WORDS]

    @property
    def text(self) -> str:
        first = [line for line in self.lines if line == EVERYTHING]
        topics = [line for line in self.lines if line != EVERYTHING]
        kept = [*first, *topics[-(MOST_LINES - len(first)) :]]
        return "\n".join(f"{line}: {', '.join(self.lines[line])}" if self.lines[line] else line for line in kept)


def _missed_words(lesson: QuestionFeedback) -> list[str]:
    """Of the options: with gold, what the memory had nothing of; else what tells of the question as a whole."""
    right = " ".join(text for letter, text in lesson.options.items() if letter in lesson.right)
    known = _stems(lesson.remembered)
    if right:
        return [word for word in _content(right) if known.isdisjoint(_stems([word]))]
    return list(islice(_shared(lesson.options), MOST_WORDS))


def _shared(options: Mapping[str, str]) -> Iterator[str]:
    """Words of several options, those of the most options first."""
    said = [_content(text) for text in options.values()]
    counted = {word: sum(word in words for words in said) for words in said for word in words}
    order = sorted(counted, key=lambda word: -counted[word])
    return (word for word in order if counted[word] >= _SHARED)


def _content(text: str) -> list[str]:
    """Words of content, each once, as they come; `work_time` is two."""
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
