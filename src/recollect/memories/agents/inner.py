"""Any registered memory behind an agent's buffer: raw messages go in, and come out earliest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from recollect.contracts.memory import Forget, Listing, Memory, Readback, Room, Snapshot
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Batch, Cue, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.ordering import in_time
from recollect.memories.agents.stores import read_json, write_json

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
