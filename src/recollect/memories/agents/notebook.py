"""A list of labelled notes as an agent's memory, shown whole; batches without usable notes are kept as messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.domain.exchange import Cue, Recall, RecallItem, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.memories.agents.chat import Chat, Schema
from recollect.memories.agents.extraction import by_rules, ids, newest, prompt_text, values_of
from recollect.memories.agents.stores import Extraction, read_json, write_json
from recollect.memories.agents.topics import Sieve
from recollect.memories.storage.message_log import read_messages, units_of, write_messages
from recollect.offline.slots import slot_of
from recollect.records.digests import opaque
from recollect.text.normal import search_tokens
from recollect.text.sentences import split

_NOTE: Schema = {
    "type": "object",
    "properties": {"label": {"type": "string"}, "text": {"type": "string"}},
    "required": ["label", "text"],
    "additionalProperties": False,
}
_NOTES: Schema = {
    "type": "object",
    "properties": {"notes": {"type": "array", "items": _NOTE}},
    "required": ["notes"],
    "additionalProperties": False,
}
"""A list, since strict schemas have no objects with free names."""
_TOPIC_WORDS = 3
"""Words that make a label where a statement has no slot."""
_RELATION_WORDS = 3
"""With more words the slot is half the statement, and no other statement shares it."""


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
    """The label is shown; one made of the value's own words would only repeat them."""

    @property
    def text(self) -> str:
        return f"{self.label}: {self.value}" if self.named else self.value


@dataclass
class Notes:
    """Notes by label, merged by dict union: a label that is there gets the new value and time."""

    by_label: dict[str, Note] = field(default_factory=dict)
    writes: int = 0

    def merge(self, written: Sequence[Note]) -> None:
        self.writes += 1
        self.by_label |= {note.label: replace(note, written=self.writes) for note in written}

    def oldest_first(self) -> list[Note]:
        """By the write that last set them; of one write in the order of their first appearance."""
        return sorted(self.by_label.values(), key=lambda note: note.written)

    def forget(self, sources: Set[MessageId]) -> None:
        self.by_label = {key: note for key, note in self.by_label.items() if sources.isdisjoint(note.sources)}


Labeller = Callable[[Sequence[Message], Message | None, Sieve, Notes], list[Note]]
"""The notes of a batch, from the batch, the message before it, the sieve and all notes; the last of a label holds."""


def label_by_rules(batch: Sequence[Message], before: Message | None, sieve: Sieve, notes: Notes) -> list[Note]:  # noqa: ARG001
    """A note for each sentence that the sieve keeps.

    Its label is the known variable that it is about; else its slot, subject and relation, where that is short and has
    one value at a time; else its first words of content. So a new value replaces the old one where both are worded
    alike. Rules do not recognise paraphrases, nor that `no longer` ends another note.
    """
    found = []
    for previous, message in zip([before, *batch], batch, strict=False):
        for sentence in split(message.text):
            variable = sieve.about(sentence)
            found += [
                Note(
                    label=variable or _label(sentence, fact.text),
                    value=fact.text,
                    sources=fact.sources,
                    said_at=fact.said_at,
                    named=bool(variable),
                )
                for fact in by_rules(replace(message, text=sentence), previous, sieve)
            ]
    return found


def _label(sentence: str, fact: str) -> str:
    slot = slot_of(fact)
    if slot is not None and not slot.many and len(slot.relation.split()) <= _RELATION_WORDS:
        return f"{slot.subject} {slot.relation}"
    return " ".join(search_tokens(sentence, stemmed=False)[:_TOPIC_WORDS]) or sentence


def label_by_model(
    batch: Sequence[Message], before: Message | None, sieve: Sieve, notes: Notes, *, chat: Chat, whole: bool
) -> list[Note]:
    """Notes of a chat model, each from the whole batch; one call, two where the first reply cannot be used.

    With *whole* the policy is the whole prompt, and not only what to remember.
    """
    entries = "\n".join(f"- {note.text}" for note in notes.oldest_first())
    values = {**values_of(batch, before, sieve), "entries": entries}
    labels = chat.value_of("labels", prompt_text("labels", values, whole=whole), _NOTES, labelled)
    sources, said_at = ids(batch), newest(batch)
    return [Note(label=label, value=value, sources=sources, said_at=said_at) for label, value in labels.items()]


def labelled(reply: Mapping[str, Any]) -> dict[str, str]:
    """Label -> text of a reply: the last where a label comes twice. A text that is none is kept as its JSON."""
    notes = reply.get("notes")
    if not isinstance(notes, list) or not all(
        isinstance(note, dict) and {"label", "text"} <= note.keys() for note in notes
    ):
        raise ValueError("`notes` is no list of objects with `label` and `text`")
    if any(not str(note["label"]).strip() for note in notes):
        raise ValueError("a label is blank")
    texts = {str(note["label"]): note["text"] for note in notes}
    return {
        label: text if isinstance(text, str) else json.dumps(text, ensure_ascii=False) for label, text in texts.items()
    }


FILE, ASIDE = "notes.json", "aside.jsonl"


@dataclass
class Notebook(Extraction):
    """All notes, oldest first, whatever the cue."""

    labeller: Labeller
    notes: Notes = field(default_factory=Notes, init=False)
    _aside: list[tuple[int, Message]] = field(default_factory=list, init=False)
    """Messages whose extraction was unusable, with the number of merges before them."""

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """One merge; a batch whose extraction is unusable is kept as messages."""
        found: list[Note] | None = self.take(lambda: self.labeller(batch, before, self.sieve, self.notes))
        if found is None:
            self._aside += [(self.notes.writes, message) for message in batch]
        else:
            self.notes.merge(found)

    def settle(self) -> None:
        """Notes are made at once."""

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:  # noqa: ARG002
        numbered = [
            (
                note.written,
                RecallItem(text=note.text, sources=note.sources, unit_id=_unit_id(note), said_at=note.said_at),
            )
            for note in self.notes.oldest_first()
        ]
        numbered += [(number, Recall.of_messages([message]).items[0]) for number, message in self._aside]
        return tuple(item for _, item in sorted(numbered, key=lambda pair: pair[0]))

    def units(self) -> Iterator[Unit]:
        for note in self.notes.oldest_first():
            yield Unit(unit_id=_unit_id(note), text=note.text, sources=note.sources, said_at=note.said_at)
        yield from units_of(message for _, message in self._aside)

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        return tuple(item for item in self.recall(Cue(text="", limit=0)) if not sources.isdisjoint(item.sources))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop what came of *sources*; what a note replaced does not come back."""
        self.notes.forget(sources)
        self._aside = [(number, message) for number, message in self._aside if message.message_id not in sources]

    def save(self, folder: Path) -> None:
        notes = [asdict(note) for note in self.notes.by_label.values()]
        aside = [number for number, _ in self._aside]
        write_json(folder / FILE, {**self.state(), "notes": notes, "merges": self.notes.writes, "aside": aside})
        write_messages(folder / ASIDE, [message for _, message in self._aside])

    def load(self, folder: Path) -> None:
        state = read_json(folder / FILE)
        self.restore(state)
        notes = [Note(**{**note, "sources": tuple(note["sources"])}) for note in state["notes"]]
        self.notes = Notes({note.label: note for note in notes}, state["merges"])
        self._aside = list(zip(state["aside"], read_messages(folder / ASIDE), strict=True))

    def close(self) -> None:
        """Nothing to close."""


def _unit_id(note: Note) -> UnitId:
    return UnitId(opaque("n", note.label))
