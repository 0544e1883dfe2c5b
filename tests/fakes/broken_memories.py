"""An honest small memory and its broken twins: each breaks one promise, so that a check can be seen to fail."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import ClassVar

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability, Traits
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message

TRAITS = Traits(
    can=frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET}),
    score="similarity",
    snapshot_deterministic=True,
)
KEEPS_ALL = replace(TRAITS, keeps="all")
_COMMON = "a all also and called day does from how is my of on she the to what when where in"


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold())) - set(_COMMON.split())


@dataclass
class HonestTwin:
    """Finds messages that share words with the cue, most shared words first; keeps every promise."""

    room: Path
    messages: list[Message] = field(default_factory=list)

    def write(self, batch: Batch) -> Receipt:
        self.messages.extend(batch.messages)
        return Receipt.stored(m.message_id for m in batch.messages)

    def settle(self) -> None: ...

    def search(self, cue: Cue) -> Recall:
        shared = {m.message_id: len(_words(cue.text) & _words(m.text)) for m in self.messages}
        found = sorted((m for m in self.messages if shared[m.message_id]), key=lambda m: -shared[m.message_id])
        found = found[: cue.limit]
        return Recall.of_messages(found, scores=[float(shared[m.message_id]) for m in found])

    def close(self) -> None: ...

    def units(self) -> Iterator[Unit]:
        for m in self.messages:
            yield Unit(unit_id=UnitId(m.message_id), text=m.text, sources=(m.message_id,), said_at=m.said_at)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return Recall.of_messages((m for m in self.messages if m.message_id in sources), order="time")

    def save(self, folder: Path) -> None:
        (folder / "messages.json").write_text(json.dumps([asdict(m) for m in self.messages]))

    def load(self, folder: Path) -> None:
        self.messages = [Message(**row) for row in json.loads((folder / "messages.json").read_text())]

    def forget(self, sources: Set[MessageId]) -> None:
        self.messages = [m for m in self.messages if m.message_id not in sources]


class LosesProvenance(HonestTwin):
    """Its items do not say where they came from."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return replace(found, items=tuple(replace(item, sources=()) for item in found.items))


class WrongProvenance(HonestTwin):
    """Its items name the first message as their source."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        first = tuple(m.message_id for m in self.messages[:1])
        return replace(found, items=tuple(replace(item, sources=first) for item in found.items))


class Rewords(HonestTwin):
    """Shows messages otherwise than they were shown to it."""

    def search(self, cue: Cue) -> Recall:
        return Recall.of_messages(_shout(item) for item in super().search(cue).items)


def _shout(item: RecallItem) -> Message:
    if item.message is None:
        raise ValueError("the honest twin shows messages")
    return replace(item.message, text=item.message.text.upper())


class WidensAnEmptySearch(HonestTwin):
    """Shows the first messages where nothing matches."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return found if found.items else Recall.of_messages(self.messages[: cue.limit])


class WritesOnSearch(HonestTwin):
    """Keeps the cue as a message."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        name = MessageId(f"cue{len(self.messages)}")
        self.messages.append(replace(self.messages[0], message_id=name, text=cue.text) if self.messages else _note(cue))
        return found


def _note(cue: Cue) -> Message:
    from recollect.domain.ids import SessionId

    return Message(message_id=MessageId("cue"), session_id=SessionId("cues"), text=cue.text)


class TiresOnSearch(HonestTwin):
    """Every search finds its items in the opposite order of the last."""

    asked = 0

    def search(self, cue: Cue) -> Recall:
        self.asked += 1
        found = super().search(cue)
        return replace(found, items=found.items[:: 1 if self.asked % 2 else -1])


@dataclass
class BreaksTiesByInstance(HonestTwin):
    """Equal scores stand in an order that depends on how many instances there were."""

    instances: ClassVar[Iterator[int]] = count()

    def __post_init__(self) -> None:
        self.turn = next(self.instances) % 2

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue).items
        order = sorted(enumerate(found), key=lambda pair: (-(pair[1].score or 0), pair[0] * (1 - 2 * self.turn)))
        return Recall(items=tuple(item for _, item in order))


class ShowsTwice(HonestTwin):
    """Fills the limit by repeating itself."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return replace(found, items=(*found.items, *found.items)[: cue.limit])


class PassesTheLimit(HonestTwin):
    """Shows one item more than it was asked for."""

    def search(self, cue: Cue) -> Recall:
        return super().search(replace(cue, limit=cue.limit + 1))


class NeverSettles(HonestTwin):
    """The newest message cannot be found, whatever `settle` says."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        newest = {m.message_id for m in self.messages[-1:]}
        return replace(found, items=tuple(item for item in found.items if not newest & set(item.sources)))


class SilentReceipts(HonestTwin):
    """Says that there was nothing to store, and stores."""

    def write(self, batch: Batch) -> Receipt:
        super().write(batch)
        return Receipt.nothing()


class GenerousReadback(HonestTwin):
    """Reads back the message after each one that was asked for, too."""

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        wanted = [i for i, m in enumerate(self.messages) if m.message_id in sources]
        places = sorted({i + step for i in wanted for step in (0, 1)} & set(range(len(self.messages))))
        return Recall.of_messages((self.messages[i] for i in places), order="time")


class SkipsOnWrite(HonestTwin):
    """Drops every fourth message and says that it stored it."""

    seen = 0

    def write(self, batch: Batch) -> Receipt:
        for message in batch.messages:
            self.seen += 1
            if self.seen % 4:
                self.messages.append(message)
        return Receipt.stored(m.message_id for m in batch.messages)


@dataclass
class ForgetsInTheListingOnly(HonestTwin):
    """What was forgotten is listed no more, but is still found."""

    hidden: set[MessageId] = field(default_factory=set)

    def forget(self, sources: Set[MessageId]) -> None:
        self.hidden |= sources

    def units(self) -> Iterator[Unit]:
        return (unit for unit in super().units() if not self.hidden & set(unit.sources))

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return super().stored_from(sources - self.hidden)


class ForgetsAll(HonestTwin):
    """Forgets everything when asked to forget anything."""

    def forget(self, sources: Set[MessageId]) -> None:
        self.messages = []


@dataclass
class SharesAStore(HonestTwin):
    """All instances write into one list."""

    everything: ClassVar[dict[Path, list[Message]]] = {}

    def __post_init__(self) -> None:
        self.messages = self.everything.setdefault(self.room.parent, [])


class SavesTooLittle(HonestTwin):
    """Leaves the last message out of the snapshot."""

    def save(self, folder: Path) -> None:
        (folder / "messages.json").write_text(json.dumps([asdict(m) for m in self.messages[:-1]]))


class WritesIntoTheSnapshot(HonestTwin):
    """Goes on writing into the folder it was loaded from."""

    home: Path | None = None

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.home = folder

    def write(self, batch: Batch) -> Receipt:
        receipt = super().write(batch)
        if self.home is not None:
            self.save(self.home)
        return receipt


class SignsItsSnapshots(HonestTwin):
    """Says that its snapshots are deterministic, and numbers them."""

    numbers: ClassVar[Iterator[int]] = count()

    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "number").write_text(str(next(self.numbers)))


class CannotStartEmpty(HonestTwin):
    """Saves no file before the first write, and then misses it."""

    def save(self, folder: Path) -> None:
        if self.messages:
            super().save(folder)


class ShowsNothingOfNothing(HonestTwin):
    """Says *nothing found* as an item."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return found if self.messages else Recall(items=(RecallItem(text="nothing found", sources=()),))


class TrimsTexts(HonestTwin):
    """Takes white space for nothing."""

    def write(self, batch: Batch) -> Receipt:
        return super().write(replace(batch, messages=tuple(replace(m, text=m.text.strip()) for m in batch.messages)))


class NamesFilesByText(HonestTwin):
    """Puts each session into a file named by its id."""

    def write(self, batch: Batch) -> Receipt:
        for m in batch.messages:
            (self.room / m.session_id.replace("\x00", "")).write_text(m.text, errors="replace")
        return super().write(batch)


# Silently broken: nothing raises, and what is found looks like that of a bad memory.


class ReturnsEverything(HonestTwin):
    """The limit never arrives."""

    def search(self, cue: Cue) -> Recall:
        return super().search(replace(cue, limit=10**6))


class RendersEverything(HonestTwin):
    """The limit in tokens never arrives, and all is shown as one text."""

    def search(self, cue: Cue) -> Recall:
        return Recall(rendered="\n".join(m.text for m in self.messages))


class DropsTheAssistant(HonestTwin):
    """Keeps what users say, and acknowledges all."""

    def write(self, batch: Batch) -> Receipt:
        super().write(replace(batch, messages=tuple(m for m in batch.messages if m.role != "assistant")))
        return Receipt.stored()


@dataclass
class HalfIngests(HonestTwin):
    """Keeps four messages of each session, and acknowledges all."""

    seen: Counter[str] = field(default_factory=Counter)

    def write(self, batch: Batch) -> Receipt:
        self.seen.update(m.session_id for m in batch.messages)
        if self.seen[batch.messages[0].session_id] <= 4:
            super().write(batch)
        return Receipt.queued()


class CutsLongWrites(HonestTwin):
    """Keeps the first messages of a write only."""

    def write(self, batch: Batch) -> Receipt:
        super().write(replace(batch, messages=batch.messages[:3]))
        return Receipt.stored(m.message_id for m in batch.messages)


WALL_CLOCK = "2031-05-17T12:00:00+00:00"


class StampsByTheWall(HonestTwin):
    """A message was said when it was stored."""

    def write(self, batch: Batch) -> Receipt:
        return super().write(replace(batch, messages=tuple(replace(m, said_at=WALL_CLOCK) for m in batch.messages)))


class StampsWhatItFinds(HonestTwin):
    """What is found was said just now."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return replace(found, items=tuple(replace(i, said_at=WALL_CLOCK, message=None) for i in found.items))


@dataclass
class SettlesTooEarly(HonestTwin):
    """Works on what was written last when `settle` has long returned."""

    waiting: list[Message] = field(default_factory=list)

    def write(self, batch: Batch) -> Receipt:
        self.waiting.extend(batch.messages)
        while len(self.waiting) > 3:
            self.messages.append(self.waiting.pop(0))
        return Receipt.queued()


class NeverIndexes(HonestTwin):
    """Acknowledges all; its index stays empty."""

    def search(self, cue: Cue) -> Recall:
        return Recall()


class IndexesOnceOnly(SettlesTooEarly):
    """Names units of which none gets into the index once that was asked."""

    is_asked = False

    def write(self, batch: Batch) -> Receipt:
        (self.waiting if self.is_asked else self.messages).extend(batch.messages)
        return Receipt.stored(m.message_id for m in batch.messages)

    def search(self, cue: Cue) -> Recall:
        self.is_asked = True
        return super().search(cue)


class LoadsNothing(HonestTwin):
    """Reads its saved state without an error, and holds nothing afterwards."""

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.messages = []


class LoadsHalf(HonestTwin):
    """Brings back half of what was saved."""

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.messages = self.messages[::2]


@dataclass
class ServesAnotherUser(HonestTwin):
    """Finds what somebody else said, too."""

    other: ClassVar[RecallItem] = RecallItem(text="My router is a Nimbus 9.", sources=(MessageId("m" + "0" * 16),))

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        return replace(found, items=(self.other, *found.items)[: cue.limit])


class HoldsAnotherUser(ServesAnotherUser):
    """Lists what somebody else said, too."""

    def units(self) -> Iterator[Unit]:
        yield Unit(unit_id=UnitId("other"), text=self.other.text, sources=self.other.sources)
        yield from super().units()

    def search(self, cue: Cue) -> Recall:
        return HonestTwin.search(self, cue)


@dataclass
class SharesAStoreWithAll(HonestTwin):
    """All instances of the process write into one list."""

    everything: ClassVar[list[Message]] = []

    def __post_init__(self) -> None:
        self.messages = self.everything


@dataclass(frozen=True, slots=True)
class TwinConfig:
    """There is nothing to set."""


def kind_of(twin: type[HonestTwin], traits: Traits = KEEPS_ALL, name: str = "twin") -> MemoryKind:
    """A twin as a memory that can be named on the command line."""

    def opened(_: TwinConfig, room: Room) -> Memory:
        return twin(room.folder)

    return MemoryKind(
        name=name, version=1, summary=twin.__name__, config=TwinConfig, traits=lambda _: traits, open=opened
    )
