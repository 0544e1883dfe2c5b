"""Notes with labels: what an agent writes when its memory is a list in its own context."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.asking import Chat, Schema
from recollect.memories.agents.extraction import by_rules, ids, newest, told, worded
from recollect.memories.agents.topics import Sieve
from recollect.models.offline.extract_slots import slot_of
from recollect.models.offline.extractor import Extracted
from recollect.text.normal import search_tokens
from recollect.text.sentences import split

_LABELS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
_TOPIC_WORDS = 3
"""Words that make a label where a statement has no slot."""
_RELATION_WORDS = 3
"""With more the slot holds half the statement, and no other will ever have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What holds for a label."""

    label: str
    value: str
    sources: tuple[MessageId, ...]
    said_at: str | None
    written: int = 0
    """Number of the write that last set it."""
    named: bool = True
    """The label is shown; one made of the value's own words would only be read twice."""

    @property
    def text(self) -> str:
        """As it is shown."""
        return f"{self.label}: {self.value}" if self.named else self.value


@dataclass
class Notes:
    """Notes by label, merged by dict union: a label that is there gets the new value and time."""

    by_label: dict[str, Note] = field(default_factory=dict)
    writes: int = 0

    def merge(self, written: Sequence[Note]) -> None:
        """One write."""
        self.writes += 1
        self.by_label |= {note.label: replace(note, written=self.writes) for note in written}

    def oldest_first(self) -> list[Note]:
        """By the write that last set them; of one write in the order of their first appearance."""
        return sorted(self.by_label.values(), key=lambda note: note.written)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the notes that came from any of *sources*."""
        self.by_label = {key: note for key, note in self.by_label.items() if sources.isdisjoint(note.sources)}


class Labeller(Protocol):
    """Says which notes a batch writes."""

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve, notes: Notes) -> list[Note]:
        """The notes to write, of which the last holds where a label comes twice.

        Raises:
            CallError: A model failed.
            UnusableReplyError: A model's replies could not be used.
        """
        ...


@dataclass(frozen=True, slots=True)
class RuleLabeller:
    """A note for each sentence that the sieve lets through.

    Its label is the known variable that it is about; else its slot, subject and relation, where that is short and has
    one value at a time; else its first words of content. So a new value replaces the old one where both are told in the
    same way. Rules see neither that two wordings mean the same, nor that `no longer` ends another note.
    """

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve, notes: Notes) -> list[Note]:  # noqa: ARG002
        """In the order in which they were said."""
        turns = [before, *batch]
        return [note for place, message in enumerate(batch) for note in self._of(message, turns[place], sieve)]

    def _of(self, message: Message, before: Message | None, sieve: Sieve) -> list[Note]:
        single = [replace(message, text=sentence) for sentence in split(message.text)]
        found = [(one.text, fact) for one in single for fact in by_rules(one, before, sieve)]
        return [_note(said, fact, sieve) for said, fact in found]


@dataclass(frozen=True, slots=True)
class ModelLabeller:
    """Whatever a chat model writes down; each note comes from the whole batch."""

    chat: Chat
    whole: bool = False
    """The policy is the whole prompt, and not only what to remember."""

    def of(self, batch: Sequence[Message], before: Message | None, sieve: Sieve, notes: Notes) -> list[Note]:
        """One call a batch, two where the first reply cannot be used."""
        entries = "\n".join(f"- {note.text}" for note in notes.oldest_first())
        values = {**told(batch, before, sieve), "entries": entries}
        text = worded("labels", values, whole=self.whole)
        said = self.chat.value_of("labels", text, _LABELS, labelled)
        return [
            Note(label=label, value=value, sources=ids(batch), said_at=newest(batch)) for label, value in said.items()
        ]


def labelled(said: Mapping[str, Any]) -> dict[str, str]:
    """Label -> text of a reply; a value that is no text is kept as its JSON.

    Raises:
        ValueError: A label is blank.
    """
    if any(not label.strip() for label in said):
        raise ValueError("a label is blank")
    return {
        label: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for label, value in said.items()
    }


def _note(said: str, fact: Extracted, sieve: Sieve) -> Note:
    variable = sieve.about(said)
    return Note(
        label=variable or _label(said, fact.text),
        value=fact.text,
        sources=fact.sources,
        said_at=fact.said_at,
        named=bool(variable),
    )


def _label(said: str, fact: str) -> str:
    slot = slot_of(fact)
    if slot is not None and not slot.many and len(slot.relation.split()) <= _RELATION_WORDS:
        return f"{slot.subject} {slot.relation}"
    return " ".join(search_tokens(said, stemmed=False)[:_TOPIC_WORDS]) or said
