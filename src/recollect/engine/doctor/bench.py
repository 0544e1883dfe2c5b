"""The test bench for a memory: opens instances in rooms of their own, feeds them as a run would, inspects them."""

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
WIDE_TOKENS = 4000


class Line(NamedTuple):
    """A unit or item without the id that the system gave it."""

    text: str
    sources: tuple[MessageId, ...]
    said_at: str | None


class Picture(NamedTuple):
    """The visible state of a memory: its listing and the results of searches, in order."""

    listed: tuple[Line, ...] | None
    found: tuple[tuple[Line, ...], ...]


@dataclass
class Subject:
    """One open instance."""

    driver: Driver
    swallows: bool = False
    """Errors of models that the system swallows are collected in `unsaid`, not raised."""
    writes: list[tuple[Batch, Receipt]] = field(default_factory=list)
    pieces: dict[MessageId, MessageId] = field(default_factory=dict)
    unsaid: list[RecollectError] = field(default_factory=list)
    _waiting: list[Session] = field(default_factory=list)

    @property
    def traits(self) -> Traits:
        """The traits of the system."""
        return self.driver.row.traits

    def write(self, *sessions: Session) -> None:
        """Feed sessions as the traits ask; those that take a whole history get it at `settle`."""
        if self.traits.takes is WriteUnit.WHOLE_HISTORY:
            self._waiting.extend(sessions)
            return
        self._write(chain.from_iterable(feed(session, self.traits) for session in sessions))

    def settle(self) -> None:
        """Wait until all that was written can be found."""
        waiting, self._waiting = self._waiting, []
        self._write(feed_whole(waiting, self.traits))
        self._do("settle", self.driver.settle)

    def tell(self, *sessions: Session) -> None:
        """Write and settle."""
        self.write(*sessions)
        self.settle()

    def search(self, text: str, limit: int | None = None) -> Recall:
        """The result of a search; without *limit*, a wide one."""
        memory = cast("Memory", self.driver.memory)
        wide = WIDE_TOKENS if self.traits.limit == "tokens" else WIDE
        cue = Cue(text=text, limit=wide if limit is None else limit)
        return self._do("recall", lambda: validate_recall(memory.search(cue)))

    def units(self) -> list[Unit]:
        """Its listing."""
        return self._do("check", lambda: validate_units(self.driver.units()))

    def stored_from(self, sources: Sequence[MessageId]) -> Recall:
        """The result of a readback."""
        return self._do("check", lambda: validate_recall(self.driver.readback().stored_from(frozenset(sources))))

    def forget(self, sources: Sequence[MessageId]) -> None:
        """Forget *sources*."""
        memory = cast("Forget", self.driver.memory)
        self._do("check", lambda: memory.forget(frozenset(sources)))

    def save(self, folder: Path) -> None:
        """Save into a new folder."""
        folder.mkdir(parents=True)
        self._do("state", lambda: self.driver.save(folder))

    def load(self, folder: Path) -> None:
        """Load a saved state."""
        self._do("state", lambda: self.driver.load(folder))

    def can(self, capability: Capability) -> bool:
        """As its traits say."""
        return self.driver.can(capability)

    @property
    def can_list(self) -> bool:
        """Whether it can list all its units."""
        return self.can(Capability.LISTING)

    def shown(self, source: MessageId) -> MessageId:
        """The message of which *source* is the whole or a piece."""
        return self.pieces.get(source, source)

    def lines(self, things: Sequence[Unit] | Recall) -> tuple[Line, ...]:
        """Units or items without their ids."""
        listed = things.items if isinstance(things, Recall) else things
        lines = [Line(one.text, tuple(self.shown(s) for s in one.sources), one.said_at) for one in listed]
        if isinstance(things, Recall) and things.rendered is not None:
            lines.append(Line(things.rendered, (), None))
        return tuple(lines)

    def picture(self, cues: Sequence[str]) -> Picture:
        """The visible state."""
        listed = self.lines(self.units()) if self.can_list else None
        return Picture(listed, tuple(self.lines(self.search(cue)) for cue in cues))

    def _write(self, writes: Iterator[BatchWithOrigins]) -> None:
        for fed in writes:
            receipt = self._do("observe", lambda batch=fed.batch: validate_receipt(self.driver.write(batch)))  # type: ignore[misc]
            self.writes.append((fed.batch, receipt))
            self.pieces.update(fed.pieces)

    def _do(self, stage: str, call: Callable[[], T]) -> T:
        context, current = CallContext(stage=stage), self.driver.current
        if not self.swallows:
            return run_in_context(context, call, current)
        current.now = context
        try:
            with in_context(context):
                return call()
        finally:
            current.now = None
            self.unsaid.extend(context.failed.values())


@dataclass
class Bench:
    """The system under examination, with all that is needed to open instances of it."""

    row: Row
    folder: Path
    model: ChatModel | None = None
    embedder: Embedder | None = None
    serve: Callable[[CallTally], Gateway] | None = None
    """A server for systems that call models over HTTP, which counts on the tally; the caller shuts it down."""
    send: Callable[[ProcessTask, Bench], ProcessReport] | None = None
    """Runs a task in a process of its own."""
    tally: CallTally = field(default_factory=CallTally)
    """Of all calls without a tally of their own."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _shared: Subject | None = None
    _until_closed: ExitStack = field(default_factory=ExitStack)
    _reports: dict[float, ProcessReport] = field(default_factory=dict)
    _gateways: dict[int, tuple[CallTally, Gateway]] = field(default_factory=dict)

    @property
    def traits(self) -> Traits:
        """The traits of the system."""
        return self.row.traits

    @contextmanager
    def open(self, tally: CallTally | None = None, *, swallows: bool = False) -> Iterator[Subject]:
        """A fresh instance in an empty room of its own namespace; closed at the end of the block."""
        current, counts = CurrentCall(), tally or self.tally
        gateway, model = self.gateway(counts), recorded(self.model, counts)
        embedder = RecordedEmbedder(self.embedder, counts) if self.embedder is not None else None
        room = Room(
            folder=self.path("room"),
            namespace=secrets.token_hex(8),
            seed=0,
            model=RoomModel(model, current) if model else None,
            embedder=RoomEmbedder(embedder, current) if embedder else None,
            access=gateway.open(current) if gateway else None,
        )
        driver = run_in_context(CallContext(stage="open"), lambda: Driver(self.row, room, current, gateway), current)
        try:
            yield Subject(driver, swallows=swallows)
        finally:
            close_safely(driver.close)

    @contextmanager
    def told(self) -> Iterator[Subject]:
        """An instance that was told the story; checks share it, unless asking changes it."""
        if self.traits.writes_when_asked:
            with self.open() as own:
                own.tell(*sessions_of(STORY))
                yield own
            return
        if self._shared is None:
            subject = self._until_closed.enter_context(self.open())
            subject.tell(*sessions_of(STORY))
            self._shared = subject
        yield self._shared

    def close(self) -> None:
        """Close the shared instance."""
        self._shared = None
        self._until_closed.close()

    def counting(self, ill: FailureMode | None = None) -> CallTally:
        """A new tally; what was asked before costs nothing again."""
        return CallTally(ill=ill, behind=self.tally)

    def path(self, name: str) -> Path:
        """A new path in the scratch folder."""
        return self.folder / f"{name}-{next(self._numbers)}"

    def report(self, ahead_s: float = 0.0, *, again: bool = False) -> ProcessReport | None:
        """The report of a process of its own, with a clock that is so far ahead; made once for each."""
        if self.send is None:
            return None
        if ahead_s not in self._reports or again:
            task = ProcessTask(folder=str(self.path("errand")), ahead_s=ahead_s)
            self._reports[ahead_s] = self.send(task, self)
        return self._reports[ahead_s]

    def gateway(self, tally: CallTally) -> Gateway | None:
        """The server that counts on *tally*, where the system calls models over HTTP."""
        if self.serve is None or not self.row.gateway:
            return None
        if id(tally) not in self._gateways:
            self._gateways[id(tally)] = (tally, self.serve(tally))
        return self._gateways[id(tally)][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTask:
    """A task for a process: open the system, tell it the story, inspect it, close it."""

    folder: str
    ahead_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessReport:
    """The report of a process."""

    picture: str = ""
    """Digest of the listing and of the results of searches."""
    asked: str = ""
    """Digest of all prompts that its models got."""
    is_ahead: bool = True
    error: str = ""
    """Why it failed; empty if it did not."""
    reached: tuple[str, ...] = ()
    """Addresses beyond this machine that were tried."""
    servers: tuple[str, ...] = ()
    """Servers on this machine that were talked to."""
    programs: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """What was written outside its room and is still there."""
    packages: Mapping[str, str] = field(default_factory=dict)
