"""A list of labelled notes as an agent's memory, shown whole; batches that no note could be made of stand beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from recollect.domain.exchange import Cue, Recall, RecallItem, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.memories.agents.chat import Chat, Schema
from recollect.memories.agents.extraction import by_rules, ids, newest, told, worded
from recollect.memories.agents.stores import Extraction, read_json, write_json
from recollect.memories.agents.topics import Sieve
from recollect.memories.storage.message_log import read_messages, units_of, write_messages
from recollect.offline.extractor import Extracted
from recollect.offline.slots import slot_of
from recollect.records.digests import opaque
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


FILE, ASIDE = "notes.json", "aside.jsonl"


@dataclass
class Notebook(Extraction):
    """All that was noted, oldest first, whatever the cue."""

    labeller: Labeller
    notes: Notes = field(default_factory=Notes, init=False)
    _aside: list[tuple[int, Message]] = field(default_factory=list, init=False)
    """Messages whose extraction broke, with the number of notes' writes before them."""

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """One merge; a batch whose extraction broke is kept aside."""
        found: list[Note] | None = self.take(lambda: self.labeller.of(batch, before, self.sieve, self.notes))
        if found is None:
            self._aside += [(self.notes.writes, message) for message in batch]
        else:
            self.notes.merge(found)

    def settle(self) -> None:
        """Nothing is under way."""

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:  # noqa: ARG002
        """All of it."""
        noted = [(note.written, _noted(note)) for note in self.notes.oldest_first()]
        raw = [(number, item) for number, message in self._aside for item in Recall.of_messages([message]).items]
        return tuple(item for _, item in sorted([*noted, *raw], key=lambda one: one[0]))

    def units(self) -> Iterator[Unit]:
        """The notes, then what is kept aside."""
        for note in self.notes.oldest_first():
            yield Unit(unit_id=_unit(note), text=note.text, sources=note.sources, said_at=note.said_at)
        yield from units_of(message for _, message in self._aside)

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        """What came of *sources*."""
        return tuple(item for item in self.recall(Cue(text="", limit=0)) if not sources.isdisjoint(item.sources))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop what came of *sources*; what a note replaced does not come back."""
        self.notes.forget(sources)
        self._aside = [(number, message) for number, message in self._aside if message.message_id not in sources]

    def save(self, folder: Path) -> None:
        """Notes, policy and what is kept aside."""
        notes = [asdict(note) for note in self.notes.by_label.values()]
        aside = [number for number, _ in self._aside]
        write_json(folder / FILE, {**self.counted(), "notes": notes, "merges": self.notes.writes, "aside": aside})
        write_messages(folder / ASIDE, [message for _, message in self._aside])

    def load(self, folder: Path) -> None:
        """Become what was saved."""
        said = read_json(folder / FILE)
        self.become(said)
        notes = [Note(**{**note, "sources": tuple(note["sources"])}) for note in said["notes"]]
        self.notes = Notes({note.label: note for note in notes}, said["merges"])
        self._aside = list(zip(said["aside"], read_messages(folder / ASIDE), strict=True))

    def close(self) -> None:
        """Nothing is held open."""


def _unit(note: Note) -> UnitId:
    return UnitId(opaque("n", note.label))


def _noted(note: Note) -> RecallItem:
    return RecallItem(text=note.text, sources=note.sources, unit_id=_unit(note), said_at=note.said_at)
