"""What an agent extracts from a batch before it forgets the rest: by rules, or by its own model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import Template
from typing import Any

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
"""Makes a fact of the sentences that the sieve keeps."""


Facts = Callable[[Sequence[Message], Message | None, Sieve], list[Extracted]]
"""The facts of a batch, in order, from the batch, the message before it and the sieve."""


def facts_by_rules(batch: Sequence[Message], before: Message | None, sieve: Sieve) -> list[Extracted]:
    """At most one fact a message."""
    turns = [before, *batch]
    return [fact for place, message in enumerate(batch) for fact in by_rules(message, turns[place], sieve)]


def by_rules(message: Message, before: Message | None, sieve: Sieve) -> list[Extracted]:
    """The sentences that the sieve keeps, as one fact; nothing of the assistant, which repeats what it was told."""
    if message.role == "assistant":
        return []
    kept = " ".join(sentence for sentence in split(message.text) if sieve.keeps(sentence))
    is_polite = before is not None and before.text.startswith(FRAMES)  # and asks nothing
    return _ALL.extract([replace(message, text=kept)], before=None if is_polite else before)


def facts_by_model(
    batch: Sequence[Message], before: Message | None, sieve: Sieve, *, chat: Chat, whole: bool
) -> list[Extracted]:
    """Facts of a chat model, each with its messages; one call, two where the first reply cannot be used.

    With *whole* the policy is the whole prompt, and not only what to remember.
    """
    most = MOST_A_MESSAGE * len(batch)
    values = {**values_of(batch, before, sieve), "most": str(most)}

    def check(reply: Mapping[str, Any]) -> list[Extracted]:
        facts = reply.get("facts")
        if not isinstance(facts, list):
            raise ValueError("`facts` is no list")
        return [_fact(fact, batch) for fact in facts][:most]

    return chat.value_of("facts", prompt_text("facts", values, whole=whole), _FACTS, check)


def values_of(batch: Sequence[Message], before: Message | None, sieve: Sieve) -> dict[str, str]:
    """Values of an extraction prompt."""
    known = f"Keep track of these in particular: {'; '.join(sieve.known)}.\n" if sieve.known else ""
    return {
        "remember": sieve.policy,
        "known": known,
        "before": _line(before) if before else "",
        "messages": "\n".join(f"{number}. {_line(message)}" for number, message in enumerate(batch, start=1)),
    }


def prompt_text(role: str, values: Mapping[str, str], *, whole: bool) -> str:
    """The prompt of a role filled in, or the policy itself where that is a whole prompt."""
    return filled_in(values["remember"], values) if whole else filled(role, values)


def _line(message: Message) -> str:
    day = f"[{message.said_at}] " if message.said_at else ""
    return f"{day}{message.speaker or message.role}: {message.text}"


def _fact(entry: Any, batch: Sequence[Message]) -> Extracted:
    text, numbers = (entry.get("text"), entry.get("from")) if isinstance(entry, dict) else (None, None)
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a fact has no `text`")
    valid = range(1, len(batch) + 1)
    if not isinstance(numbers, list) or not numbers or not all(type(n) is int and n in valid for n in numbers):
        raise ValueError(f"`from` of a fact holds something else than numbers from 1 to {len(batch)}")
    sources = [batch[number - 1] for number in sorted(set(numbers))]
    return Extracted(text=text.strip(), sources=ids(sources), said_at=newest(sources))


def ids(messages: Sequence[Message]) -> tuple[MessageId, ...]:
    """Ids of messages, in order."""
    return tuple(message.message_id for message in messages)


def newest(messages: Sequence[Message]) -> str | None:
    """The time of the last message that has one."""
    return next((message.said_at for message in reversed(messages) if message.said_at), None)


_BEFORE = ("<before>\n$before\n</before>", "The message before, to be understood by:")
_MESSAGES = ("<messages>\n$messages\n</messages>", "The messages:")
PLACES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "facts": {
        "known": ("$known", ""),
        "before": _BEFORE,
        "messages": _MESSAGES,
        "most": ("Write at most $most facts.", ""),
    },
    "labels": {
        "known": ("$known", ""),
        "entries": ("<entries>\n$entries\n</entries>", "The entries that there are:"),
        "before": _BEFORE,
        "messages": _MESSAGES,
    },
}
"""Role -> placeholder -> how it is put back, and the words before it."""


def whole(role: str, section: str) -> str:
    """The prompt of a role with *section* as what to remember, and all its other placeholders as they are."""
    return Template(prompt(role).text).safe_substitute({"remember": section.replace("$", "$$")})


def restored(role: str, text: str) -> str:
    """*text* with the placeholders that it lost, and with the request for JSON."""
    have = set(Template(text).get_identifiers())
    lost = [f"{words}\n{block}".strip() for name, (block, words) in PLACES[role].items() if name not in have]
    demand = prompt(role).text.rstrip().rpartition("\n")[2]
    is_asked = demand.partition("{")[2] in text
    return "\n\n".join([text, *lost, *([] if is_asked else [demand])])


def filled_in(policy: str, values: Mapping[str, str]) -> str:
    """A whole prompt with its placeholders filled in; any other `$` stays as it is."""
    return Template(policy).safe_substitute(values)
