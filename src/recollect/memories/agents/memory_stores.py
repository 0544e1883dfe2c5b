"""Any registered memory behind an agent's buffer: raw messages or extracted facts, earliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import cast

from recollect.contracts.memory import Forget, Listing, Memory, Readback, Room, Snapshot
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Batch, Cue, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.extraction import Facts
from recollect.memories.agents.stores import Extraction, read_json, write_json
from recollect.offline.extractor import Extracted
from recollect.records.digests import opaque
from recollect.text.dates.calendars import SaidTime, read_iso

FOLDER, PLACES = "memory", "places.json"


def memory_in(room: Room, agent: str) -> Memory:
    """The memory that the harness opens for an agent.

    Raises:
        NotAvailableError: The room has none to open.
    """
    if room.memory is None:
        raise NotAvailableError(f"`{agent}` writes to a memory, and its room holds none")
    return room.memory(room)


@dataclass
class InnerMemory:
    """A memory with the order in which its messages were written."""

    memory: Memory
    _places: dict[MessageId, int] = field(default_factory=dict, init=False)
    _is_settled: bool = field(default=True, init=False)

    def heed(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Raw messages all belong to the talk."""
        return messages

    def write(self, batch: Sequence[Message], before: Message | None) -> None:  # noqa: ARG002
        """One write."""
        if not batch:
            return
        text = "\n".join(message.text for message in batch)
        self.memory.write(Batch(messages=tuple(batch), text=text))
        last = next(reversed(self._places.values()), 0)
        self._places |= {message.message_id: last + number for number, message in enumerate(batch, start=1)}
        self._is_settled = False

    def settle(self) -> None:
        """Only where something was written since."""
        if not self._is_settled:
            self.memory.settle()
            self._is_settled = True

    def check(self) -> None:
        """Raw messages are what they are."""

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        """The best within the limit, in time; an empty cue finds nothing."""
        if not cue.text.strip() or not self._places:
            return ()
        found = self.memory.search(cue)
        items = found.to_read()
        best = items[-cue.limit :] if found.order == "time" else items[: cue.limit]
        return self.in_time(best)

    def in_time(self, items: Iterable[RecallItem]) -> tuple[RecallItem, ...]:
        """*items*, earliest first."""
        return in_time(items, lambda name: self._places.get(name, 0))

    def units(self) -> Iterator[Unit]:
        """As the memory lists them."""
        return cast("Listing", self.memory).units()

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        """As the memory says."""
        return self.in_time(cast("Readback", self.memory).stored_from(sources).items)

    def forget(self, sources: Set[MessageId]) -> None:
        """As the memory does."""
        cast("Forget", self.memory).forget(sources)
        self._places = {name: place for name, place in self._places.items() if name not in sources}
        self._is_settled = False

    def save(self, folder: Path) -> None:
        """The memory, and the order of writing."""
        self.settle()
        (folder / FOLDER).mkdir()
        cast("Snapshot", self.memory).save(folder / FOLDER)
        write_json(folder / PLACES, list(self._places))

    def load(self, folder: Path) -> None:
        """Become what was saved."""
        cast("Snapshot", self.memory).load(folder / FOLDER)
        names = read_json(folder / PLACES)
        self._places = {MessageId(name): place for place, name in enumerate(names, start=1)}

    def close(self) -> None:
        """The memory's."""
        self.memory.close()


Place = Callable[[MessageId], int]
"""Where a message stands in the order of writing."""


def in_time(items: Iterable[RecallItem], place: Place) -> tuple[RecallItem, ...]:
    """*items*, earliest first: by instant where all have an offset, else by local time; then by order of writing.

    Where one has no time it is the order of writing alone that counts. Equal ones stay as they were found.
    """
    found = list(items)
    times = [_time(item) for item in found]
    by_instant = all(time is not None and time.offset is not None for time in times)
    keys: list[tuple[datetime, int]] = []
    for item, time in zip(found, times, strict=True):
        newest = max((place(source) for source in item.sources), default=0)
        keys.append((_moment(time, by_instant=by_instant) if time and all(times) else datetime.min, newest))  # noqa: DTZ901
    return tuple(found[at] for at in sorted(range(len(found)), key=lambda at: (*keys[at], at)))


def _time(item: RecallItem) -> SaidTime | None:
    """The time of an item; a vendor's may be no ISO 8601, and then it has none."""
    try:
        return read_iso(item.said_at) if item.said_at else None
    except ValueError:
        return None


def _moment(time: SaidTime, *, by_instant: bool) -> datetime:
    return time.local - time.offset if by_instant and time.offset is not None else time.local


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
