"""What an agent takes out of a batch before it forgets the rest: by rules, or by its own model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import Template
from typing import Any, Protocol

from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.chat import Chat, Schema
from recollect.memories.agents.prompts import filled, prompt
from recollect.memories.agents.topics import Sieve
from recollect.offline.extractor import Extracted, ExtractorSettings, RuleExtractor
from recollect.offline.lexicon import FRAMES
from recollect.text.sentences import split

MOST_A_MESSAGE = 3
"""Facts that a model may take out of one message."""
_FACT = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "from": {"type": "array", "items": {"type": "integer"}}},
    "required": ["from", "text"],
    "additionalProperties": False,
}
_FACTS: Schema = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": _FACT}},
    "required": ["facts"],
    "additionalProperties": False,
}
_ALL = RuleExtractor(ExtractorSettings(least_points=0))
"""Words what is left of a message; the sieve has said what that is."""


class Facts(Protocol):
    """Takes facts out of a batch."""

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve) -> list[Extracted]:
        """The facts of *batch*, in order; *before* is the message said before the first.

        Raises:
            CallError: A model failed.
            UnusableReplyError: A model's replies could not be used.
        """
        ...


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """What the sieve lets through of each message, but for what the assistant says: it says what it was told."""

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve) -> list[Extracted]:
        """At most one fact a message."""
        turns = [before, *batch]
        found = (by_rules(message, turns[place], sieve) for place, message in enumerate(batch))
        return [fact for facts in found for fact in facts]


def by_rules(message: Message, before: Message | None, sieve: Sieve) -> list[Extracted]:
    """What is kept of one message, as one text that stands alone; empty where nothing is."""
    if message.role == "assistant":
        return []
    kept = " ".join(sentence for sentence in split(message.text) if sieve.keeps(sentence))
    asked = None if before is None or before.text.startswith(FRAMES) else before  # a phrase of politeness asks nothing
    return _ALL.extract([replace(message, text=kept)], before=asked)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Whatever a chat model writes down, each fact with the messages that it names."""

    chat: Chat
    whole: bool = False
    """The policy is the whole prompt, and not only what to remember."""

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve) -> list[Extracted]:
        """One call a batch, two where the first reply cannot be used."""
        values = {**told(batch, before, sieve), "most": str(MOST_A_MESSAGE * len(batch))}

        def check(said: Mapping[str, Any]) -> list[Extracted]:
            facts = said.get("facts")
            if not isinstance(facts, list):
                raise ValueError("`facts` is no list")
            return [_fact(one, batch) for one in facts][: MOST_A_MESSAGE * len(batch)]

        return self.chat.value_of("facts", worded("facts", values, whole=self.whole), _FACTS, check)


def told(batch: Sequence[Message], before: Message | None, sieve: Sieve) -> dict[str, str]:
    """What an extraction prompt says of a batch."""
    known = f"Keep track of these in particular: {'; '.join(sieve.known)}.\n" if sieve.known else ""
    return {
        "remember": sieve.policy,
        "known": known,
        "before": line_of(before) if before else "",
        "messages": "\n".join(f"{number}. {line_of(message)}" for number, message in enumerate(batch, start=1)),
    }


def worded(role: str, values: Mapping[str, str], *, whole: bool) -> str:
    """The prompt of a role filled in, or the policy itself where that is a whole prompt."""
    return filled_in(values["remember"], values) if whole else filled(role, values)


def line_of(message: Message) -> str:
    """A message as a model reads it: when, who, what."""
    day = f"[{message.said_at}] " if message.said_at else ""
    return f"{day}{message.speaker or message.role}: {message.text}"


def _fact(said: Any, batch: Sequence[Message]) -> Extracted:
    text, numbers = (said.get("text"), said.get("from")) if isinstance(said, dict) else (None, None)
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a fact has no `text`")
    if not isinstance(numbers, list) or not numbers or not all(_is_place(one, len(batch)) for one in numbers):
        raise ValueError(f"`from` of a fact holds something else than numbers from 1 to {len(batch)}")
    sources = [batch[number - 1] for number in sorted(set(numbers))]
    return Extracted(text=text.strip(), sources=ids(sources), said_at=newest(sources))


def ids(messages: Sequence[Message]) -> tuple[MessageId, ...]:
    """Names of messages, in order."""
    return tuple(message.message_id for message in messages)


def newest(messages: Sequence[Message]) -> str | None:
    """The time of the last message that has one."""
    return next((message.said_at for message in reversed(messages) if message.said_at), None)


def _is_place(number: Any, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= most


_KNOWN = ("$known", "")
_BEFORE = ("<before>\n$before\n</before>", "The message before, to be understood by:")
_MESSAGES = ("<messages>\n$messages\n</messages>", "The messages:")
_ENTRIES = ("<entries>\n$entries\n</entries>", "The entries that there are:")
PLACES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "facts": {
        "known": _KNOWN,
        "before": _BEFORE,
        "messages": _MESSAGES,
        "most": ("Write at most $most facts.", ""),
    },
    "labels": {"known": _KNOWN, "entries": _ENTRIES, "before": _BEFORE, "messages": _MESSAGES},
}
"""Role -> placeholder -> how it is put back, and the words before it."""


def whole(role: str, section: str) -> str:
    """The prompt of a role with *section* as what to remember, and all its other placeholders as they are."""
    return Template(prompt(role).text).safe_substitute({"remember": section.replace("$", "$$")})


def restored(role: str, text: str) -> str:
    """*text* with the placeholders that it lost, and with the demand for JSON."""
    have = set(Template(text).get_identifiers())
    lost = [f"{words}\n{block}".strip() for name, (block, words) in PLACES[role].items() if name not in have]
    demand = _demand(role)
    is_asked = demand.partition("{")[2] in text
    return "\n\n".join([text, *lost, *([] if is_asked else [demand])])


def filled_in(policy: str, values: Mapping[str, str]) -> str:
    """A whole prompt with its placeholders filled in; what it says else with a `$` stays as it is."""
    return Template(policy).safe_substitute(values)


def _demand(role: str) -> str:
    """The last line of a role's prompt, which says the form of the reply."""
    return prompt(role).text.rstrip().rpartition("\n")[2]
