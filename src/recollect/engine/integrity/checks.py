"""Notices a memory that is silently broken, before what it finds can look like a bad memory.

Each check is made at an Ask, after `settle`, from what the system lists and finds; none costs a model call. Where
nothing can be proven nothing is said: odd data is never a fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from typing import Protocol

from recollect.contracts.traits import WriteUnit
from recollect.domain.errors import CallError
from recollect.domain.exchange import Recall
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.steps import Ask, Converse, Observe
from recollect.engine.integrity.coverage import Coverage
from recollect.engine.integrity.probes import Prober
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.systems.driver import Driver, Receipts, StoredState
from recollect.text.dates.calendars import SaidTime, read_iso


@dataclass
class IntegrityChecks:
    """The checks of one trial's system."""

    trial: Trial
    book: RecordsWriter
    _scope: Scope = field(init=False)
    _coverage: Coverage = field(init=False)
    _prober: Prober = field(init=False)

    def __post_init__(self) -> None:
        self._scope = Scope(self.trial, self.book)
        self._coverage = Coverage(self.trial, self.book)
        self._prober = Prober(self.trial, self.book)

    def check_state(
        self, stage: Stage, driver: Driver, held: StoredState | None, receipts: Receipts, limit: int
    ) -> None:
        """Before the questions of *stage* are put.

        Raises:
            CallError: The system is not what it says; its cause is named.
        """
        if self.trial.row.traits.holds_nothing:
            return
        if held is None:
            self._prober.check(driver, stage, receipts, limit)
        else:
            self._scope.check(held.units, stage, "a unit")
            self._coverage.check(held, stage, receipts, self._scope.pieces)
        receipts.seen()

    def check_recall(self, recall: Recall, stage: Stage) -> Recall:
        """*recall*, if it can have come from what the system was shown.

        Raises:
            CallError: It cannot; its cause is named.
        """
        self._scope.check(recall.items, stage, "an item")
        return recall


LEEWAY = timedelta(days=2)
"""A date without its hour may mean all of its day, and a time zone that was added or changed shifts by up to a day."""


class Sourced(Protocol):
    """A unit, or an item of a recall."""

    @property
    def sources(self) -> tuple[MessageId, ...]:
        """The shown messages that it came from."""
        ...

    @property
    def said_at(self) -> str | None:
        """When it was said."""
        ...


@dataclass
class Scope:
    """What the system of one trial was shown, by the first stage at which it can know it."""

    trial: Trial
    book: RecordsWriter
    pieces: dict[MessageId, list[MessageId]] = field(default_factory=dict)
    """Shown message -> its pieces, where the feeder had to split it."""
    _ids: dict[str, int] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)
    _latest: list[tuple[int, SaidTime]] = field(default_factory=list)
    """The latest time so far, and the stage from which on it is that."""
    _taken: int = 0

    def check(self, things: Iterable[Sourced], stage: Stage, what: str) -> None:
        """Compare *things* with all that was shown before *stage*, the times of its own questions included.

        Raises:
            CallError: One names a message that was never shown, or a time that lies behind the last one shown.
        """
        index, ids, times = stage.index, self._ids, self._times
        self._take_in(index)
        things, known = list(things), self.trial.row.traits.provenance != "none"
        for source in chain.from_iterable(thing.sources for thing in things) if known else ():
            if ids.get(source, index + 1) > index:
                raise CallError(
                    f"{what} names `{source:.40}` as its source, which this system was not shown in this trial: it "
                    "comes from another user, trial or run, or is no id of a message",
                    cause="wrong_scope",
                )
        for said_at in dict.fromkeys(thing.said_at for thing in things):
            if said_at is not None and times.get(said_at, index + 1) > index and self._is_late(said_at, index):
                raise CallError(_too_late(what, said_at, self._last(index)), cause="wall_clock")

    def _is_late(self, said_at: str, index: int) -> bool:
        """Undated data proves nothing, and neither does a time that is not ISO 8601."""
        last = self._last(index)
        if last is None:
            return False
        try:
            return _gap(read_iso(said_at), last) > LEEWAY
        except ValueError:
            return False

    def _last(self, index: int) -> SaidTime | None:
        return next((said for since, said in reversed(self._latest) if since <= index), None)

    def _take_in(self, index: int) -> None:
        for stage in self.trial.stages[self._taken : index + 1]:
            self._take(stage)
        self._taken = max(self._taken, index + 1)

    def _take(self, stage: Stage) -> None:
        step = stage.step
        if isinstance(step, Ask):
            for question in step.questions:
                self._take_time(question.asked_at, stage.index)
        elif isinstance(step, Observe):
            self._take_messages(step.session.messages, stage)
        elif isinstance(step, Converse):
            self._take_messages(self.book.journal.body(stage.after).talk, stage)

    def _take_messages(self, messages: Iterable[Message], stage: Stage) -> None:
        since = stage.index + 1
        for message in messages:
            self._ids.setdefault(message.message_id, since)
            self._take_time(message.said_at, since)
        if self.trial.row.traits.takes is WriteUnit.TOKENS and isinstance(stage.step, Observe):
            for piece, origin in self.book.journal.body(stage.after).pieces.items():
                self._ids.setdefault(piece, since)
                self.pieces.setdefault(origin, []).append(piece)

    def _take_time(self, said_at: str | None, since: int) -> None:
        if said_at is None or said_at in self._times:
            return
        self._times[said_at] = since
        with suppress(ValueError):
            said = read_iso(said_at)
            if not self._latest or _gap(said, self._latest[-1][1]) > timedelta():
                self._latest.append((since, said))


def _gap(later: SaidTime, earlier: SaidTime) -> timedelta:
    """From *earlier* to *later*: between instants where both have their offset, else between local times."""
    gap = later.local - earlier.local
    if later.offset is None or earlier.offset is None:
        return gap
    return gap - (later.offset - earlier.offset)


def _too_late(what: str, said_at: str, last: SaidTime | None) -> str:
    shown = last.said if last else "none"
    return (
        f"{what} was said at {said_at:.40}, but the last time shown so far is {shown}: `said_at` is the messages' own "
        "time, neither a clock's nor that of what they speak of"
    )
