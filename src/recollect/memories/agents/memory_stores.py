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
    """The memory that the harness opens for an agent."""
    if room.memory is None:
        raise NotAvailableError(f"`{agent}` writes to a memory, and its room holds none")
    return room.memory(room)


@dataclass
class InnerMemory:
    """A memory with the order in which its messages were written."""

    memory: Memory
    _positions: dict[MessageId, int] = field(default_factory=dict, init=False)
    _is_settled: bool = field(default=True, init=False)

    def heed(self, messages: Sequence[Message]) -> Sequence[Message]:
        """All of them: raw messages all belong to the dialogue."""
        return messages

    def write(self, batch: Sequence[Message], before: Message | None) -> None:  # noqa: ARG002
        if not batch:
            return
        text = "\n".join(message.text for message in batch)
        self.memory.write(Batch(messages=tuple(batch), text=text))
        last = next(reversed(self._positions.values()), 0)
        self._positions |= {message.message_id: last + number for number, message in enumerate(batch, start=1)}
        self._is_settled = False

    def settle(self) -> None:
        """Settle the memory if something was written since."""
        if not self._is_settled:
            self.memory.settle()
            self._is_settled = True

    def check(self) -> None:
        """Raw messages need no check."""

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        """The best within the limit, earliest first; an empty cue finds nothing."""
        if not cue.text.strip() or not self._positions:
            return ()
        found = self.memory.search(cue)
        items = found.to_read()
        best = items[-cue.limit :] if found.order == "time" else items[: cue.limit]
        return self._in_time(best)

    def units(self) -> Iterator[Unit]:
        return cast("Listing", self.memory).units()

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        return self._in_time(cast("Readback", self.memory).stored_from(sources).items)

    def forget(self, sources: Set[MessageId]) -> None:
        cast("Forget", self.memory).forget(sources)
        self._positions = {name: position for name, position in self._positions.items() if name not in sources}
        self._is_settled = False

    def save(self, folder: Path) -> None:
        self.settle()
        (folder / FOLDER).mkdir()
        cast("Snapshot", self.memory).save(folder / FOLDER)
        write_json(folder / PLACES, list(self._positions))

    def load(self, folder: Path) -> None:
        cast("Snapshot", self.memory).load(folder / FOLDER)
        names = read_json(folder / PLACES)
        self._positions = {MessageId(name): position for position, name in enumerate(names, start=1)}

    def close(self) -> None:
        self.memory.close()

    def _in_time(self, items: Iterable[RecallItem]) -> tuple[RecallItem, ...]:
        return in_time(items, lambda name: self._positions.get(name, 0))


def in_time(items: Iterable[RecallItem], position: Callable[[MessageId], int]) -> tuple[RecallItem, ...]:
    """*items*, earliest first: by instant where all have an offset, else by local time; then by order of writing.

    Where one has no time only the order of writing, which *position* returns, counts. Ties keep their order.
    """
    found = list(items)
    times = [_time(item) for item in found]
    by_instant = all(time is not None and time.offset is not None for time in times)
    keys: list[tuple[datetime, int]] = []
    for item, time in zip(found, times, strict=True):
        newest = max((position(source) for source in item.sources), default=0)
        moment = datetime.min  # noqa: DTZ901
        if time and all(times):
            moment = time.local - time.offset if by_instant and time.offset is not None else time.local
        keys.append((moment, newest))
    return tuple(found[at] for at in sorted(range(len(found)), key=lambda at: (*keys[at], at)))


def _time(item: RecallItem) -> SaidTime | None:
    """The time of an item; `None` for a vendor's that is no ISO 8601."""
    try:
        return read_iso(item.said_at) if item.said_at else None
    except ValueError:
        return None


FILE = "facts.json"


@dataclass
class FactStore(Extraction):
    """Writes the facts of each batch; where the extraction is unusable, the batch itself."""

    facts: Facts
    inner: InnerMemory
    _origins: dict[MessageId, tuple[MessageId, ...]] = field(default_factory=dict, init=False)
    """Id of a fact -> the shown messages that it came from."""

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """One extraction, one write; a fact is a message of the session that it came from."""
        found: list[Extracted] | None = self.take(lambda: self.facts(batch, before, self.sieve))
        if found is None:
            self.inner.write(batch, before)
            return
        by_id = {message.message_id: message for message in batch}
        messages = []
        for fact in found:
            name = MessageId(opaque("f", self.writes, len(self._origins), fact.text))
            session_id = by_id.get(fact.sources[0], batch[-1]).session_id
            self._origins[name] = fact.sources
            messages.append(Message(message_id=name, session_id=session_id, text=fact.text, said_at=fact.said_at))
        self.inner.write(messages, before)

    def settle(self) -> None:
        self.inner.settle()

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        return self._traced(self.inner.recall(cue))

    def units(self) -> Iterator[Unit]:
        for unit in self.inner.units():
            yield replace(unit, sources=self._sources(unit.sources))

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        return self._traced(self.inner.stored_from(self._names(sources)))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the facts that came of *sources*, wholly or partly."""
        names = self._names(sources)
        self.inner.forget(names)
        self._origins = {name: origin for name, origin in self._origins.items() if name not in names}

    def save(self, folder: Path) -> None:
        self.inner.save(folder)
        write_json(folder / FILE, {**self.state(), "origins": self._origins})

    def load(self, folder: Path) -> None:
        self.inner.load(folder)
        state = read_json(folder / FILE)
        self.restore(state)
        self._origins = {MessageId(name): tuple(sources) for name, sources in state["origins"].items()}

    def close(self) -> None:
        self.inner.close()

    def _names(self, sources: Set[MessageId]) -> Set[MessageId]:
        """Ids in the memory: of facts that came of *sources*, and *sources* themselves where they are kept raw."""
        return {*sources, *(name for name, origin in self._origins.items() if not sources.isdisjoint(origin))}

    def _traced(self, items: Iterable[RecallItem]) -> tuple[RecallItem, ...]:
        traced = []
        for item in items:
            is_fact = any(source in self._origins for source in item.sources)
            message = None if is_fact else item.message
            traced.append(replace(item, sources=self._sources(item.sources), message=message))
        return tuple(traced)

    def _sources(self, names: Iterable[MessageId]) -> tuple[MessageId, ...]:
        return tuple(dict.fromkeys(source for name in names for source in self._origins.get(name, (name,))))
