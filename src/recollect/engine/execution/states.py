"""Brings a system to the state after any step: from a snapshot where there is one, else by replay.

A replayed step must do what its record says; if it does not, the attempt is void and the trial starts again.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, WriteUnit
from recollect.domain.errors import NotAvailableError
from recollect.domain.ids import Digest, MessageId, RecordKey
from recollect.domain.messages import Session
from recollect.domain.steps import Ask, Converse, Evolve, Observe
from recollect.engine.context import ExecutionContext
from recollect.engine.execution.dialogue import converse
from recollect.engine.execution.evolution import evolve
from recollect.engine.faults import DivergedError, Failure, attempt, close_safely
from recollect.engine.feeding.feeder import BatchWithOrigins, feed, feed_whole
from recollect.engine.keys import snapshot_key
from recollect.engine.plan import Stage, Trial
from recollect.engine.records_writer import RecordsWriter
from recollect.engine.systems.call_context import CurrentCall, RoomEmbedder, RoomModel, call_context_of, run_in_context
from recollect.engine.systems.driver import Driver, Receipts, StoredState
from recollect.engine.systems.validation import validate_receipt
from recollect.records.digests import digest
from recollect.records.kinds import SnapshotRecord, StateRecord
from recollect.store import files as snapshots
from recollect.store.files import disk_errors

T = TypeVar("T")
_DOING = {Observe: "observe", Converse: "converse", Evolve: "evolve"}
FIRST_SNAPSHOT = 8
"""Steps before the first snapshot inside ingest; the distance then doubles, so saving costs no more than writing."""


class StateBrokenError(Exception):
    """A step that all later cells need could not be done; its fault is recorded."""


@dataclass
class States:
    """The one open system of a trial, and where in the episode it stands."""

    trial: Trial
    place: ExecutionContext
    book: RecordsWriter
    driver: Driver | None = None
    at: int = -1
    """Index of the last step that the system has gone through."""
    last_saved: int = -1
    replay_ask: Callable[[Stage], None] | None = None
    """For systems that asking changes and that cannot be restored: ask again, and compare."""
    receipts: Receipts = field(default_factory=Receipts)
    """Of the writes to the open system."""
    _whole: list[Session] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """The trial's folder."""
        return self.place.folder.trial(self.trial.trial_id)

    @property
    def _takes_whole(self) -> bool:
        return self.trial.row.traits.takes is WriteUnit.WHOLE_HISTORY

    def bring_to(self, index: int) -> Driver:
        """The open system, having gone through all steps up to *index*."""
        if self.driver is None:
            self._begin(index)
        for stage in self.trial.stages[self.at + 1 : index + 1]:
            self.pass_through(stage)
        if self.driver is None:
            raise StateBrokenError
        return self.driver

    def pass_through(self, stage: Stage) -> None:
        """Do one step, or do it again and compare."""
        self.place.check_stop()
        if stage.index <= self.at:
            return
        if stage.index > self.at + 1 or self.driver is None:
            self.bring_to(stage.index - 1)
        if not isinstance(stage.step, Ask):
            self._do(stage)
        elif stage.after != stage.before and self.replay_ask is not None:
            self.replay_ask(stage)
        self.at = stage.index

    def fresh(self, name: str) -> Driver:
        """A new instance in an empty room."""
        opening = _count_opening(self.home / "openings")
        cast, desk = self.place.cast, CurrentCall()
        room = Room(
            folder=self.home / name,
            namespace=digest([self.trial.trial_id, opening])[3:19],
            seed=self.place.conditions.seed + self.trial.replicate,
            model=RoomModel(cast.model, desk) if cast.model else None,
            embedder=RoomEmbedder(cast.embedder, desk) if cast.embedder else None,
            access=cast.gateway.open(desk) if cast.gateway and self.trial.row.gateway else None,
        )
        made = partial(Driver, self.trial.row, room, desk, cast.gateway)
        return self.done(made, self.trial.stages[0], doing="open", desk=desk)

    def done(self, call: Callable[[], T], stage: Stage, doing: str = "state", desk: CurrentCall | None = None) -> T:
        """What *call* gives; if it breaks, the fault is recorded and all later cells that need the system have none."""
        occasion = call_context_of(self.trial, doing, stage.after)
        at = desk or (self.driver.desk if self.driver else None)
        try:
            result = attempt(lambda: run_in_context(occasion, call, at))
        except NotAvailableError as error:
            result = Failure(cause="not_available", error=type(error).__name__, message=str(error))
        if isinstance(result, Failure):
            self.book.fault(self.book.first_missing(stage), stage, result, doing="state")
            raise StateBrokenError
        return result

    def settle(self, stage: Stage) -> None:
        """Wait until all that was written can be found; a whole history is written here, into a fresh instance."""
        driver, started = self._open(), perf_counter()
        if self._takes_whole and self._whole:
            self._write_whole(stage)
            driver = self._open()
        self.done(driver.settle, stage, doing="settle")
        self._note_settled(stage, driver, round(perf_counter() - started, 6))

    def _note_settled(self, stage: Stage, driver: Driver, seconds: float) -> None:
        """How long it took, and how much memory a system that has a process of its own took so far."""
        peak = getattr(driver.memory, "peak_bytes", None)
        told = {} if peak is None else {"peak_bytes": peak}
        self.book.measure(stage.after, stage="settle", seconds=seconds, **told)

    def save(self, stage: Stage, held: StoredState | None = None) -> Path | None:
        """Save the state before or after *stage*, where the system can; valid once its record is written."""
        driver = self._open()
        if not driver.can(Capability.SNAPSHOT):
            return None
        key = stage.after
        folder = self.home / "snapshots" / snapshots.snapshot_name(key)
        if not (self.book.has(snapshot_key(key)) and folder.is_dir()):
            held = held or self.done(driver.look, stage)
            self.done(lambda: snapshots.save_snapshot(folder, driver.save), stage)
            content = held.content if held else None
            self._note_saved(key, SnapshotRecord(step=stage.index, folder=folder.name, fingerprint=content))
        self.last_saved = stage.index
        return folder

    def discard(self) -> None:
        """Throw away all that was saved of a system that is not sound: the next try starts from nothing."""
        shutil.rmtree(self.home / "snapshots", ignore_errors=True)

    def close(self) -> None:
        """Close the system, if one is open."""
        driver, self.driver = self.driver, None
        self.at = -1
        self._whole = []
        self.receipts = Receipts()
        if driver is not None:
            close_safely(driver.close)

    def _open(self) -> Driver:
        if self.driver is None:
            raise StateBrokenError
        return self.driver

    def _begin(self, index: int) -> None:
        """Open a fresh system and load the newest saved state that is not past *index*."""
        self.driver = self.fresh("room")
        self.at = -1
        self._whole = []
        self.receipts = Receipts()
        if self._takes_whole:
            return
        for stage in reversed(self.trial.stages[: index + 1]):
            folder = self.home / "snapshots" / snapshots.snapshot_name(stage.after)
            if not isinstance(stage.step, Ask) and self.book.has(snapshot_key(stage.after)) and folder.is_dir():
                if self._loads(self.driver, folder) and self._holds_what_was_saved(self.driver, stage):
                    self.at = self.last_saved = stage.index
                    return
                shutil.rmtree(folder)  # what cannot be loaded is worth nothing: go on from an older one, or replay
                close_safely(self.driver.close)
                self.driver = self.fresh("room")

    def _loads(self, driver: Driver, folder: Path) -> bool:
        try:
            return not isinstance(attempt(partial(driver.load, folder)), Failure)
        except NotAvailableError:
            return False

    def _holds_what_was_saved(self, driver: Driver, stage: Stage) -> bool:
        """A load may say nothing and bring nothing back: questions would then be put to an empty system."""
        saved: SnapshotRecord = self.book.journal.body(snapshot_key(stage.after))
        if saved.fingerprint is None:
            return True
        started = perf_counter()
        held = self.done(lambda: settle_and_look(driver), stage, doing="settle")
        if held is None or held.content == saved.fingerprint:
            return True
        seconds = round(perf_counter() - started, 6)
        self.book.measure(snapshot_key(stage.after), stage="state_lost", seconds=seconds)
        return False

    def _note_saved(self, key: RecordKey, saved: SnapshotRecord) -> None:
        """Record a saved state; where it was lost and made again, the new record counts."""
        name = snapshot_key(key)
        if self.book.has(name) and self.book.journal.body(name) != saved:
            self.book.journal.append(name, saved, "snapshot")
        self.book.put(name, saved, "snapshot")

    def _do(self, stage: Stage) -> None:
        started = perf_counter()
        done = self.done(lambda: self._act(stage), stage, doing=_DOING[type(stage.step)])
        if self.book.has(stage.after):
            self._compare(stage, done)
            return
        self.book.put(stage.after, done, "state")
        self.book.measure(stage.after, stage="state", seconds=round(perf_counter() - started, 6))
        if isinstance(stage.step, Converse) or self._due(stage.index):
            self.settle(stage)
            self.save(stage)

    def _due(self, index: int) -> bool:
        return not self._takes_whole and index - self.last_saved >= max(FIRST_SNAPSHOT, self.last_saved + 1)

    def _act(self, stage: Stage) -> StateRecord:
        driver, step = self._open(), stage.step
        if isinstance(step, Observe):
            return self._observe(stage.index, step.session)
        recorded: StateRecord | None = self.book.journal.body(stage.after) if self.book.has(stage.after) else None
        if isinstance(step, Converse):
            talk = converse(driver, step.script, self.place.cast.user, recorded.talk if recorded else ())
            self.book.shown.add_talk(talk)
            return StateRecord(step=stage.index, did="converse", talk=talk)
        if isinstance(step, Evolve):
            policy = evolve(driver, step, self.trial, self.book, recorded.policy if recorded else None)
            return StateRecord(step=stage.index, did="evolve", policy=policy)
        raise TypeError(f"step {stage.index} is no step that changes a state: {step!r}")

    def _observe(self, index: int, session: Session) -> StateRecord:
        traits = self.trial.row.traits
        if self._takes_whole:
            self._whole.append(session)
            return StateRecord(step=index, did="observe")
        return self._write(index, list(feed(session, traits)))

    def _write(self, index: int, writes: list[BatchWithOrigins]) -> StateRecord:
        driver = self._open()
        statuses: Counter[str] = Counter()
        units: list[str] = []
        pieces: dict[MessageId, MessageId] = {}
        for fed in writes:
            receipt = validate_receipt(driver.write(fed.batch))
            statuses[receipt.status] += 1
            self.receipts.note(fed.batch, receipt)
            units.extend(receipt.unit_ids)
            pieces.update(fed.pieces)
        self.book.shown.add_pieces(pieces)
        named = Digest(digest(units)) if units else None
        return StateRecord(step=index, did="observe", writes=dict(sorted(statuses.items())), units=named, pieces=pieces)

    def _write_whole(self, stage: Stage) -> None:
        sessions = list(self._whole)
        close_safely(self._open().close)
        self.driver, self.receipts = self.fresh("room"), Receipts()
        writes = list(feed_whole(sessions, self.trial.row.traits))
        self.done(lambda: self._write(stage.index, writes), stage, doing="observe")

    def _compare(self, stage: Stage, done: StateRecord) -> None:
        recorded = self.book.journal.body(stage.after)
        if recorded != done:
            raise DivergedError(f"step {stage.index} ({done.did}) did not repeat what its record says")


def settle_and_look(driver: Driver) -> StoredState | None:
    """What a system holds that was loaded just now; loading may need its time, as writing does."""
    driver.settle()
    return driver.look()


def _count_opening(file: Path) -> int:
    """How often a system of this trial was opened: no two openings share a namespace, also after a kill."""
    with disk_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as out:
            out.write(b".")
            return out.tell()
