"""A whole memory system in one file: it finds messages that share words with the question.

Run it: recollect run own --data examples/own_data --memory examples/overlap_memory.py --name overlap
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability, Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True)
class OverlapConfig:
    min_shared_words: int = 1


@dataclass
class OverlapMemory:
    config: OverlapConfig
    _messages: list[Message] = field(default_factory=list, init=False)

    def write(self, batch: Batch) -> Receipt:
        self._messages.extend(batch.messages)
        return Receipt.stored(m.message_id for m in batch.messages)

    def settle(self) -> None: ...

    def search(self, cue: Cue) -> Recall:
        wanted = set(cue.text.casefold().split())
        shared = [len(wanted & set(m.text.casefold().split())) for m in self._messages]
        ranked = sorted(range(len(shared)), key=lambda i: (-shared[i], i))
        keep = [i for i in ranked if shared[i] >= self.config.min_shared_words]
        return Recall.of_messages(self._messages[i] for i in keep[: cue.limit])

    def close(self) -> None: ...

    def units(self) -> Iterator[Unit]:
        """Optional, LISTING: lets the harness prove that asking changes nothing."""
        for m in self._messages:
            yield Unit(unit_id=UnitId(m.message_id), text=m.text, sources=(m.message_id,), said_at=m.said_at)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """Optional, READBACK: tells lost in writing from lost in searching."""
        return Recall.of_messages(m for m in self._messages if m.message_id in sources)


def _open(config: OverlapConfig, room: Room) -> Memory:
    return OverlapMemory(config)


KIND = MemoryKind(
    name="overlap",
    version=1,
    summary="messages that share words with the question",
    config=OverlapConfig,
    traits=lambda config: Traits(can=frozenset({Capability.LISTING, Capability.READBACK})),
    open=_open,
)
