"""Extracted facts in any registered memory: each is written as a message, and found with the messages it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.domain.exchange import Cue, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.extraction import Facts
from recollect.memories.agents.inner import InnerMemory
from recollect.memories.agents.stores import Extraction, read_json, write_json
from recollect.models.offline.extractor import Extracted
from recollect.records.digests import opaque

FILE = "facts.json"


@dataclass
class FactStore(Extraction):
    """Facts in, facts out; a batch whose extraction broke goes in as it was said."""

    facts: Facts
    inner: InnerMemory
    _origins: dict[MessageId, tuple[MessageId, ...]] = field(default_factory=dict, init=False)
    """Name of a fact -> the shown messages that it came from."""

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """One extraction, one write."""
        found: list[Extracted] | None = self.take(lambda: self.facts.of(batch, before, self.sieve))
        if found is None:
            self.inner.write(batch, before)
            return
        sessions = {message.message_id: message for message in batch}
        self.inner.write([self._named(fact, sessions.get(fact.sources[0], batch[-1])) for fact in found], before)

    def settle(self) -> None:
        """The memory's."""
        self.inner.settle()

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        """The best facts, in time."""
        return tuple(self._traced(self.inner.recall(cue)))

    def units(self) -> Iterator[Unit]:
        """As the memory lists them, with the messages that they came from."""
        for unit in self.inner.units():
            yield replace(unit, sources=self._sources(unit.sources))

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        """The facts that came of *sources*."""
        return tuple(self._traced(self.inner.stored_from(self._names(sources))))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the facts that came of *sources*, wholly or partly."""
        names = self._names(sources)
        self.inner.forget(names)
        self._origins = {name: origin for name, origin in self._origins.items() if name not in names}

    def save(self, folder: Path) -> None:
        """Memory, origins and policy."""
        self.inner.save(folder)
        origins = {name: list(sources) for name, sources in self._origins.items()}
        write_json(folder / FILE, {**self.counted(), "origins": origins})

    def load(self, folder: Path) -> None:
        """Become what was saved."""
        self.inner.load(folder)
        said = read_json(folder / FILE)
        self.become(said)
        self._origins = {MessageId(name): tuple(sources) for name, sources in said["origins"].items()}

    def close(self) -> None:
        """The memory's."""
        self.inner.close()

    def _named(self, fact: Extracted, origin: Message) -> Message:
        """A fact as a message of the session that it came from."""
        name = MessageId(opaque("f", self.writes, len(self._origins), fact.text))
        self._origins[name] = fact.sources
        return Message(message_id=name, session_id=origin.session_id, text=fact.text, said_at=fact.said_at)

    def _names(self, sources: Set[MessageId]) -> Set[MessageId]:
        """What the memory knows *sources* by: facts that came of them, and they themselves where they are kept raw."""
        return {*sources, *(name for name, origin in self._origins.items() if not sources.isdisjoint(origin))}

    def _traced(self, items: Iterable[RecallItem]) -> Iterator[RecallItem]:
        for item in items:
            made = any(source in self._origins for source in item.sources)
            yield replace(item, sources=self._sources(item.sources), message=None if made else item.message)

    def _sources(self, names: Iterable[MessageId]) -> tuple[MessageId, ...]:
        return tuple(dict.fromkeys(source for name in names for source in self._origins.get(name, (name,))))
