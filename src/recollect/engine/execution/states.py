"""Brings a system to its state after any step: from a snapshot where there is one, else by replay.

A replayed step must do what its record says; if it does not, the attempt is void and the trial starts again.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability, WriteUnit
from recollect.domain.errors import NotAvailableError, RetryableError, UsageError
from recollect.domain.ids import Digest, MessageId
from recollect.domain.messages import Session
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Observe
from recollect.engine.execution.dialogue import converse
from recollect.engine.faults import DivergedError, Failure, attempt, close_safely
from recollect.engine.feeding.feeder import BatchWithOrigins, feed, feed_whole
from recollect.engine.keys import snapshot_key
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.records_writer import RecordsWriter, recall_of
from recollect.engine.rows import ExecutionContext
from recollect.engine.systems.call_context import CurrentCall, RoomEmbedder, RoomModel, call_context_of, run_in_context
from recollect.engine.systems.driver import Driver, Receipts, StoredState
from recollect.engine.systems.validation import validate_receipt, validate_text
from recollect.records.digests import digest
from recollect.records.feedback import QuestionFeedback, feedback_lines
from recollect.records.kinds import SnapshotRecord, StateRecord
from recollect.store import files as snapshots
from recollect.store.files import disk_errors

T = TypeVar("T")
_DOING = {Observe: "observe", Converse: "converse", Evolve: "evolve"}
FIRST_SNAPSHOT = 8
"""Steps before the first snapshot inside ingest; the distance then doubles, so saving costs no more than writing."""


class StateBrokenError(Exception):
    """A step that all later cells need failed; its fault is recorded."""


@dataclass
class States:
    """The one open system of a trial, and its position in the episode."""

    trial: Trial
    execution: ExecutionContext
    records: RecordsWriter
    driver: Driver | None = None
    at: int = -1
    """Index of the last step that the system has gone through."""
    last_saved: int = -1
    replay_ask: Callable[[Stage], None] | None = None
    """For systems that asking changes and that cannot be restored: ask again, and compare."""
    receipts: Receipts = field(default_factory=Receipts)
    _whole: list[Session] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """The trial's folder."""
        return self.execution.folder.trial(self.trial.trial_id)

    @property
    def _takes_whole(self) -> bool:
        return self.trial.row.traits.takes is WriteUnit.WHOLE_HISTORY

    def bring_to(self, index: int) -> Driver:
        """The open system, having gone through all steps up to *index*."""
        if self.driver is None:
            self.driver = self.fresh("room")
            self._load_newest(index)
        for stage in self.trial.stages[self.at + 1 : index + 1]:
            self.pass_through(stage)
        return self._open()

    def pass_through(self, stage: Stage) -> None:
        """Do one step, or do it again and compare."""
        self.execution.check_stop()
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
        """A new instance in an empty room; no two share a namespace, also after a kill."""
        openings = self.home / "openings"
        with disk_errors(openings):
            openings.parent.mkdir(parents=True, exist_ok=True)
            with openings.open("ab") as out:
                out.write(b".")
                opening = out.tell()
        roles, current = self.execution.roles, CurrentCall()
        room = Room(
            folder=self.home / name,
            namespace=digest([self.trial.trial_id, opening])[3:19],
            seed=self.execution.conditions.seed + self.trial.replicate,
            model=RoomModel(roles.model, current) if roles.model else None,
            embedder=RoomEmbedder(roles.embedder, current) if roles.embedder else None,
            access=roles.gateway.open(current) if roles.gateway and self.trial.row.gateway else None,
        )
        made = partial(Driver, self.trial.row, room, current, roles.gateway)
        return self.done(made, self.trial.stages[0], doing="open", current=current)

    def done(self, call: Callable[[], T], stage: Stage, doing: str = "state", current: CurrentCall | None = None) -> T:
        """The result of *call*; if it fails, the fault is recorded and later cells that need the system are skipped."""
        context = call_context_of(self.trial, doing, stage.after)
        current = current or (self.driver.current if self.driver else None)
        try:
            result = attempt(lambda: run_in_context(context, call, current))
        except NotAvailableError as error:
            result = Failure(cause="not_available", error=type(error).__name__, message=str(error))
        if isinstance(result, Failure):
            self.records.fault(self.records.first_missing(stage), stage, result, doing="state")
            raise StateBrokenError
        return result

    def settle(self, stage: Stage) -> None:
        """Wait until all that was written can be found; a whole history is written here, into a fresh instance."""
        driver, started = self._open(), perf_counter()
        if self._takes_whole and self._whole:
            close_safely(driver.close)
            self.driver, self.receipts = self.fresh("room"), Receipts()
            writes = list(feed_whole(list(self._whole), self.trial.row.traits))
            self.done(lambda: self._write(stage.index, writes), stage, doing="observe")
            driver = self._open()
        self.done(driver.settle, stage, doing="settle")
        # the seconds, and the peak memory of a system that has a process of its own
        peak = getattr(driver.memory, "peak_bytes", None)
        facts = {} if peak is None else {"peak_bytes": peak}
        self.records.measure(stage.after, stage="settle", seconds=round(perf_counter() - started, 6), **facts)

    def save(self, stage: Stage, stored: StoredState | None = None) -> Path | None:
        """Save the state before or after *stage*, where the system can; valid once its record is written."""
        driver = self._open()
        if not driver.can(Capability.SNAPSHOT):
            return None
        folder, name = self._folder(stage), snapshot_key(stage.after)
        if not (self.records.has(name) and folder.is_dir()):
            stored = stored or self.done(driver.look, stage)
            self.done(lambda: snapshots.save_snapshot(folder, driver.save), stage)
            content = stored.content if stored else None
            record = SnapshotRecord(step=stage.index, folder=folder.name, fingerprint=content)
            if self.records.has(name) and self.records.journal.body(name) != record:
                self.records.journal.append(name, record, "snapshot")  # it was lost and made again: the new one counts
            self.records.put(name, record, "snapshot")
        self.last_saved = stage.index
        return folder

    def discard(self) -> None:
        """Delete all saved states of a system that is not sound: the next try starts from nothing."""
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

    def _folder(self, stage: Stage) -> Path:
        return self.home / "snapshots" / snapshots.snapshot_name(stage.after)

    def _load_newest(self, index: int) -> None:
        for stage in () if self._takes_whole else reversed(self.trial.stages[: index + 1]):
            folder = self._folder(stage)
            if isinstance(stage.step, Ask) or not (self.records.has(snapshot_key(stage.after)) and folder.is_dir()):
                continue
            driver = self._open()
            try:
                loaded = not isinstance(attempt(partial(driver.load, folder)), Failure)
            except NotAvailableError:
                loaded = False
            if loaded and self._matches_saved(driver, stage):
                self.at = self.last_saved = stage.index
                return
            shutil.rmtree(folder)  # it is useless: go on from an older one, or replay
            close_safely(driver.close)
            self.driver = self.fresh("room")

    def _matches_saved(self, driver: Driver, stage: Stage) -> bool:
        """Whether a load brought the saved state back: else questions would be put to an empty system."""
        saved: SnapshotRecord = self.records.journal.body(snapshot_key(stage.after))
        if saved.fingerprint is None:
            return True
        started = perf_counter()
        stored = self.done(lambda: settle_and_look(driver), stage, doing="settle")
        if stored is None or stored.content == saved.fingerprint:
            return True
        seconds = round(perf_counter() - started, 6)
        self.records.measure(snapshot_key(stage.after), stage="state_lost", seconds=seconds)
        return False

    def _do(self, stage: Stage) -> None:
        started = perf_counter()
        done = self.done(lambda: self._act(stage), stage, doing=_DOING[type(stage.step)])
        if self.records.has(stage.after):
            if self.records.journal.body(stage.after) != done:
                raise DivergedError(f"step {stage.index} ({done.did}) did not repeat what its record says")
            return
        self.records.put(stage.after, done, "state")
        self.records.measure(stage.after, stage="state", seconds=round(perf_counter() - started, 6))
        due = stage.index - self.last_saved >= max(FIRST_SNAPSHOT, self.last_saved + 1)
        if isinstance(stage.step, Converse) or (due and not self._takes_whole):
            self.settle(stage)
            self.save(stage)

    def _act(self, stage: Stage) -> StateRecord:
        driver, step = self._open(), stage.step
        if isinstance(step, Observe) and self._takes_whole:
            self._whole.append(step.session)
            return StateRecord(step=stage.index, did="observe")
        if isinstance(step, Observe):
            return self._write(stage.index, list(feed(step.session, self.trial.row.traits)))
        recorded: StateRecord | None = self.records.journal.body(stage.after) if self.records.has(stage.after) else None
        if isinstance(step, Converse):
            talk = converse(driver, step.script, self.execution.roles.user, recorded.talk if recorded else ())
            self.records.shown.add_talk(talk)
            return StateRecord(step=stage.index, did="converse", talk=talk)
        if isinstance(step, Evolve):
            policy = evolve(driver, step, self.trial, self.records, recorded.policy if recorded else None)
            return StateRecord(step=stage.index, did="evolve", policy=policy)
        raise TypeError(f"step {stage.index} is no step that changes a state: {step!r}")

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
        self.records.shown.add_pieces(pieces)
        named = Digest(digest(units)) if units else None
        return StateRecord(step=index, did="observe", writes=dict(sorted(statuses.items())), units=named, pieces=pieces)


def settle_and_look(driver: Driver) -> StoredState | None:
    """The listing of a system that was just loaded, which may need its time, as writing does."""
    driver.settle()
    return driver.look()


def evolve(driver: Driver, step: Evolve, trial: Trial, records: RecordsWriter, recorded: str | None) -> str:
    """The policy adopted. On a replay it is the recorded one: the agent's model is not asked again.

    Raises:
        UsageError: The row has no model that proposes policies.
        RetryableError: An answer is missing: a policy made without it would be another one.
    """
    agent = driver.policy()
    policy = recorded
    if policy is None:
        maker = driver.policy_maker()
        if maker is None:
            raise UsageError(
                f"row {trial.row.label!r} evolves, but is registered without a model that proposes policies"
            )
        exposed = step.feedback.exposed if step.feedback.kind == "complete" else {}
        feedback = (_feedback(cell, step, records) for cell in _asked_before(trial, step))
        lines = list(feedback_lines((one for one in feedback if one is not None), exposed))
        policy = validate_text(maker.propose(driver.policy().policy(), lines), "a proposed policy")
    agent.adopt(policy)
    return policy


def _asked_before(trial: Trial, step: Evolve) -> Iterator[Cell]:
    """The cells of the checkpoint that were asked before this step; the same name may come again later.

    Where answers are repeated, only the first ones count: a policy is made from one answer to a question.
    """
    for stage in trial.stages:
        if stage.step is step:
            return
        asked = [cell for cell in stage.cells if cell.checkpoint == step.checkpoint and cell.arm is Arm.SYSTEM]
        yield from (cell for cell in asked if cell.take == FIRST)


def _feedback(cell: Cell, step: Evolve, records: RecordsWriter) -> QuestionFeedback | None:
    """As much as the step's setting allows; `None` for a question that cannot be answered."""
    journal = records.journal
    if records.why_unavailable(cell) is not None:
        return None
    if not records.has(cell.answer):
        raise RetryableError(f"question {cell.question.question_id} has no answer yet to make a policy from")
    feedback = QuestionFeedback(question=cell.question.text)
    if step.feedback.kind == "questions":
        return feedback
    content = journal.body(cell.recall).content if records.has(cell.recall) else None
    found = None if content is None else recall_of(journal.body(content), records.shown)
    return replace(
        feedback,
        options={option.letter: option.text for option in cell.question.options},
        answer=journal.body(cell.answer).text,
        remembered=() if found is None else tuple(item.text for item in found.to_read()),
        right=cell.key.gold if step.feedback.kind == "complete" else (),
    )
