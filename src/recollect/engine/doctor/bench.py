"""Where a memory is examined: opens it in rooms of its own, feeds it as a run would, and looks at what it has."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from recollect.contracts.call_context import CallContext, in_context
from recollect.contracts.gateway import Gateway
from recollect.contracts.memory import Forget, Memory, Room
from recollect.contracts.models import ChatModel, Embedder
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import RecollectError
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.engine.doctor.models import CallTally, FailureMode, RecordedEmbedder, recorded
from recollect.engine.doctor.story import STORY, sessions_of
from recollect.engine.faults import close_safely
from recollect.engine.feeding.feeder import BatchWithOrigins, feed, feed_whole
from recollect.engine.rows import Row
from recollect.engine.systems.call_context import CurrentCall, RoomEmbedder, RoomModel, run_in_context
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_recall, validate_receipt, validate_units

T = TypeVar("T")
WIDE = 30
"""Items of a search that is to find all there is of something."""
WIDE_TOKENS = 4000


class Line(NamedTuple):
    """A unit or item without the name that the system gave it."""

    text: str
    sources: tuple[MessageId, ...]
    said_at: str | None


class Picture(NamedTuple):
    """All that can be seen of what a memory holds: its listing in order, and what searches find in order."""

    held: tuple[Line, ...] | None
    found: tuple[tuple[Line, ...], ...]


@dataclass
class Subject:
    """One open instance."""

    driver: Driver
    swallows: bool = False
    """Errors of models that the system itself says nothing of are kept in `unsaid`, not raised."""
    writes: list[tuple[Batch, Receipt]] = field(default_factory=list)
    pieces: dict[MessageId, MessageId] = field(default_factory=dict)
    unsaid: list[RecollectError] = field(default_factory=list)
    _waiting: list[Session] = field(default_factory=list)

    @property
    def traits(self) -> Traits:
        """What it says of itself."""
        return self.driver.row.traits

    def write(self, *sessions: Session) -> None:
        """Feed sessions as the traits ask; those that take a whole history get it at `settle`."""
        if self.traits.takes is WriteUnit.WHOLE_HISTORY:
            self._waiting.extend(sessions)
            return
        self._write(chain.from_iterable(feed(session, self.traits) for session in sessions))

    def settle(self) -> None:
        """Wait until all can be found."""
        waiting, self._waiting = self._waiting, []
        self._write(feed_whole(waiting, self.traits))
        self._do("settle", self.driver.settle)

    def tell(self, *sessions: Session) -> None:
        """Write and settle."""
        self.write(*sessions)
        self.settle()

    def search(self, text: str, limit: int | None = None) -> Recall:
        """What it finds; without *limit*, as much as there can be."""
        memory = cast("Memory", self.driver.memory)
        wide = WIDE_TOKENS if self.traits.limit == "tokens" else WIDE
        cue = Cue(text=text, limit=wide if limit is None else limit)
        return self._do("recall", lambda: validate_recall(memory.search(cue)))

    def units(self) -> list[Unit]:
        """All that it lists."""
        return self._do("check", lambda: validate_units(self.driver.units()))

    def stored_from(self, sources: Sequence[MessageId]) -> Recall:
        """What it reads back."""
        return self._do("check", lambda: validate_recall(self.driver.readback().stored_from(frozenset(sources))))

    def forget(self, sources: Sequence[MessageId]) -> None:
        """Have it forget."""
        memory = cast("Forget", self.driver.memory)
        self._do("check", lambda: memory.forget(frozenset(sources)))

    def save(self, folder: Path) -> None:
        """Save it into an empty folder."""
        folder.mkdir(parents=True)
        self._do("state", lambda: self.driver.save(folder))

    def load(self, folder: Path) -> None:
        """Have it become what was saved."""
        self._do("state", lambda: self.driver.load(folder))

    def can(self, capability: Capability) -> bool:
        """As its traits say."""
        return self.driver.can(capability)

    @property
    def can_list(self) -> bool:
        """Whether it can tell all that it holds."""
        return self.can(Capability.LISTING)

    def shown(self, source: MessageId) -> MessageId:
        """The message of which *source* is the whole or a piece."""
        return self.pieces.get(source, source)

    def lines(self, things: Sequence[Unit] | Recall) -> tuple[Line, ...]:
        """Units or items without their names."""
        listed = things.items if isinstance(things, Recall) else things
        told = [Line(one.text, tuple(self.shown(s) for s in one.sources), one.said_at) for one in listed]
        if isinstance(things, Recall) and things.rendered is not None:
            told.append(Line(things.rendered, (), None))
        return tuple(told)

    def picture(self, cues: Sequence[str]) -> Picture:
        """All that can be seen of it now."""
        held = self.lines(self.units()) if self.can(Capability.LISTING) else None
        return Picture(held, tuple(self.lines(self.search(cue)) for cue in cues))

    def _write(self, writes: Iterator[BatchWithOrigins]) -> None:
        for fed in writes:
            receipt = self._do("observe", lambda batch=fed.batch: validate_receipt(self.driver.write(batch)))  # type: ignore[misc]
            self.writes.append((fed.batch, receipt))
            self.pieces.update(fed.pieces)

    def _do(self, stage: str, call: Callable[[], T]) -> T:
        occasion, desk = CallContext(stage=stage), self.driver.desk
        if not self.swallows:
            return run_in_context(occasion, call, desk)
        desk.now = occasion
        try:
            with in_context(occasion):
                return call()
        finally:
            desk.now = None
            self.unsaid.extend(occasion.failed.values())


@dataclass
class Bench:
    """The system under examination, and what it takes to open it as often as needed."""

    row: Row
    folder: Path
    """Scratch; nothing of it is kept."""
    model: ChatModel | None = None
    embedder: Embedder | None = None
    serve: Callable[[CallTally], Gateway] | None = None
    """A server for systems that call models over HTTP, which counts on the tally; the caller shuts it down."""
    send: Callable[[ProcessTask, Bench], ProcessReport] | None = None
    """Does an errand in a process of its own."""
    tally: CallTally = field(default_factory=CallTally)
    """Of all that is not counted apart."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _told: Subject | None = None
    _until_closed: ExitStack = field(default_factory=ExitStack)
    _seen: dict[float, ProcessReport] = field(default_factory=dict)
    _gateways: dict[int, tuple[CallTally, Gateway]] = field(default_factory=dict)

    @property
    def traits(self) -> Traits:
        """What the system says of itself."""
        return self.row.traits

    @contextmanager
    def open(self, tally: CallTally | None = None, *, swallows: bool = False) -> Iterator[Subject]:
        """A fresh instance in an empty room of its own namespace; closed at the end of the block."""
        desk, counts = CurrentCall(), tally or self.tally
        gateway = self.gateway(counts)
        room = self._room(desk, counts, gateway)
        driver = run_in_context(CallContext(stage="open"), lambda: Driver(self.row, room, desk, gateway), desk)
        try:
            yield Subject(driver, swallows=swallows)
        finally:
            close_safely(driver.close)

    @contextmanager
    def told(self) -> Iterator[Subject]:
        """One that was told the story, for checks that only look; they share it, unless asking changes it."""
        if self.traits.writes_when_asked:
            with self.open() as own:
                own.tell(*sessions_of(STORY))
                yield own
            return
        if self._told is None:
            subject = self._until_closed.enter_context(self.open())
            subject.tell(*sessions_of(STORY))
            self._told = subject
        yield self._told

    def close(self) -> None:
        """Let go of what checks share."""
        self._told = None
        self._until_closed.close()

    def counting(self, ill: FailureMode | None = None) -> CallTally:
        """A tally that begins at nothing; what was asked before costs nothing again."""
        return CallTally(ill=ill, behind=self.tally)

    def place(self, name: str) -> Path:
        """A path below the scratch folder that nothing is at yet."""
        return self.folder / f"{name}-{next(self._numbers)}"

    def seen(self, ahead_s: float = 0.0, *, again: bool = False) -> ProcessReport | None:
        """What a process of its own sees of the system, under a clock that is so far ahead; done once for each."""
        if self.send is None:
            return None
        if ahead_s not in self._seen or again:
            errand = ProcessTask(folder=str(self.place("errand")), ahead_s=ahead_s)
            self._seen[ahead_s] = self.send(errand, self)
        return self._seen[ahead_s]

    def gateway(self, tally: CallTally) -> Gateway | None:
        """The server that counts on *tally*, where the system calls models over HTTP."""
        if self.serve is None or not self.row.gateway:
            return None
        if id(tally) not in self._gateways:
            self._gateways[id(tally)] = (tally, self.serve(tally))
        return self._gateways[id(tally)][1]

    def _room(self, desk: CurrentCall, tally: CallTally, gateway: Gateway | None) -> Room:
        model = recorded(self.model, tally)
        embedder = RecordedEmbedder(self.embedder, tally) if self.embedder is not None else None
        return Room(
            folder=self.place("room"),
            namespace=secrets.token_hex(8),
            seed=0,
            model=RoomModel(model, desk) if model else None,
            embedder=RoomEmbedder(embedder, desk) if embedder else None,
            access=gateway.open(desk) if gateway else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTask:
    """Open the system in a process of its own, tell it the story, look at it, close it."""

    folder: str
    """Home, working folder, folder for temporary files and the room are below it."""
    ahead_s: float = 0.0
    """How far the process's clock is ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessReport:
    """What came of an errand."""

    picture: str = ""
    """Digest of the listing and of what searches found."""
    asked: str = ""
    """Digest of all prompts that its models got."""
    is_ahead: bool = True
    """Whether its clock could be set."""
    error: str = ""
    """Why it did not come to its end; empty if it did."""
    reached: tuple[str, ...] = ()
    """Addresses beyond this machine that were tried."""
    servers: tuple[str, ...] = ()
    """Servers on this machine that were talked to."""
    programs: tuple[str, ...] = ()
    """Programs that it started."""
    left: tuple[str, ...] = ()
    """What was written outside its room and is still there."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Packages that were loaded, and their versions."""
