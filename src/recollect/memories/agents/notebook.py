"""A list of labelled notes as an agent's memory, shown whole; batches that no note could be made of stand beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass, field
from pathlib import Path

from recollect.domain.exchange import Cue, Recall, RecallItem, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.memories.agents.labels import Labeller, Note, Notes
from recollect.memories.agents.stores import Extraction, read_json, write_json
from recollect.memories.message_log import read_messages, units_of, write_messages
from recollect.records.digests import opaque

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
