"""Asks a system the questions of one Ask and records what it found; asking must not change the system.

Three ways, by the system's traits: *as it is* (fingerprints before and after must agree), *restored* (a saved state
is loaded for each question) and *in order* (it cannot be restored: one fixed order, marked as such).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Literal

from recollect.contracts.traits import Capability
from recollect.domain.errors import CallError, NotAvailableError
from recollect.domain.exchange import Cue, Recall, Reply
from recollect.domain.ids import Digest, RecordKey
from recollect.domain.steps import Arm
from recollect.engine.execution.states import StateBrokenError, States, settle_and_look
from recollect.engine.faults import NOTHING_STORED, STATE_CHANGED, DivergedError, Failure, attempt, close_safely
from recollect.engine.feeding.visibility import evidence_of
from recollect.engine.integrity.checks import IntegrityChecks
from recollect.engine.plan import Cell, Stage, Trial, in_order
from recollect.engine.prompts import agents_prompt, question_for
from recollect.engine.records_writer import RecordsWriter, stored_content
from recollect.engine.rows import ExecutionContext
from recollect.engine.systems.call_context import call_context_of, run_in_context
from recollect.engine.systems.driver import Driver, StoredState
from recollect.engine.systems.validation import validate_recall, validate_reply, within
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.kinds import AnswerRecord, CheckRecord, StateRecord

Found = Recall | Reply
State = Literal["unchanged", "changed", "not_proven", "restored", "order_dependent"]


@dataclass
class Asker:
    """Asks the system of one trial."""

    trial: Trial
    execution: ExecutionContext
    records: RecordsWriter
    states: States
    integrity: IntegrityChecks = field(init=False)

    def __post_init__(self) -> None:
        self.integrity = IntegrityChecks(self.trial, self.records)

    def ask(self, stage: Stage) -> None:
        """Fill all cells of *stage* that have no record yet."""
        possible = [cell for cell in self._askable(stage) if self._key(cell) in cell.own]
        pending = [cell for cell in possible if not self.records.has(self._key(cell))]
        settled = stage.after == stage.before or self.records.has(stage.after)
        if not pending and settled and self.records.has(stage.check):
            return
        ordered = in_order(self.trial.row)
        if ordered and len(pending) < len(possible):  # answers depend on one another: a half-done Ask starts over
            self.records.void("half-done Ask of an order-dependent system", self._keys_from(stage))
            self.states.close()
        driver = self._open(stage)
        listed = self.states.done(driver.look, stage)
        if self._is_empty(stage, listed):
            if ordered:
                raise StateBrokenError
        else:
            self._check_sound(driver, listed, stage)
            if ordered:
                self._ask_in_order(driver, possible, stage)
            elif self.trial.row.traits.writes_when_asked:
                self._ask_restored(listed, pending, stage)
            else:
                # a check proves only what it was made with: all are asked again, unless that is paid for
                paid = self.trial.row.kind == "agent" or self.trial.row.traits.models_on_search
                failed = stage.check in self.records.journal.faults
                rest = self.records.has(stage.check) or (paid and not failed)
                self._ask_as_it_is(driver, listed, pending if rest else possible, stage)
        self.records.sync()

    def give_up(self, stage: Stage) -> None:
        """Record why cells cannot be filled at all; the others wait for the next try."""
        self._askable(stage)

    def replay(self, stage: Stage) -> None:
        """Ask an order-dependent system again, and compare with the records."""
        driver, journal = self._open(stage), self.records.journal
        for cell in self._askable(stage):
            if self._key(cell) not in cell.own:
                continue
            try:
                found: Found | Failure | None = attempt(partial(self._find, driver, cell, stage))
            except NotAvailableError:
                found = None
            entry = journal.done.get(cell.recall)
            unavailable = entry is not None and entry.kind == "unavailable"
            if found is None or unavailable:
                same = found is None and unavailable
            elif isinstance(found, Reply) and self.records.has(cell.answer):
                same = journal.body(cell.answer) == self._answer(cell, found)
            elif isinstance(found, Recall) and self.records.has(cell.recall):
                content = digest(encode(stored_content(found, self.records.shown)))
                same = journal.body(cell.recall).content == content
            else:
                same = isinstance(found, Failure)
            if not same:
                raise DivergedError(f"question {cell.question.question_id} was answered otherwise when asked again")

    def _ask_as_it_is(self, driver: Driver, listed: StoredState | None, cells: list[Cell], stage: Stage) -> None:
        self.states.save(stage, listed)
        before, units = self.states.done(partial(driver.fingerprint, listed), stage)
        for cell in cells:
            self._ask_one(driver, cell, stage)
        after, _ = self.states.done(driver.fingerprint, stage)
        if before != after:
            self.records.fault(_check(stage), stage, STATE_CHANGED, doing="check")
            return
        self._put_check(stage, "not_proven" if before is None else "unchanged", units, before, after)

    def _ask_restored(self, listed: StoredState | None, cells: list[Cell], stage: Stage) -> None:
        folder = self.states.save(stage, listed)
        for cell in cells:
            copy = self.states.fresh("copy")
            try:
                if folder is not None:
                    self.states.done(partial(_restore, copy, folder, listed), stage)
                self._ask_one(copy, cell, stage)
            finally:
                close_safely(copy.close)
        self._put_check(stage, "restored", None if listed is None else len(listed.units))

    def _ask_in_order(self, driver: Driver, cells: list[Cell], stage: Stage) -> None:
        for cell in cells:
            self._ask_one(driver, cell, stage)
        if all(self.records.has(self._key(cell)) for cell in cells):
            self._put_check(stage, "order_dependent")
            self.records.put(stage.after, StateRecord(step=stage.index, did="ask"), "state")
        self.states.at = stage.index  # it has gone through the Ask, whatever failed: asking again is no replay

    def _keys_from(self, stage: Stage) -> tuple[RecordKey, ...]:
        """Keys of this Ask and of all later stages, except for cells that need no system."""
        later = self.trial.stages[stage.index :]
        cells = [cell for each in later for cell in each.cells if why_not(self.trial, cell) is None]
        states = [key for each in later for key in (each.check, each.after) if key is not None and key != stage.before]
        keys = [key for cell in cells for key in (cell.recall, cell.answer, cell.verdict) if key is not None]
        return (*keys, *states)

    def _open(self, stage: Stage) -> Driver:
        self.states.bring_to(stage.index - 1)
        self.states.settle(stage)
        return self.states.bring_to(stage.index - 1)

    def _put_check(
        self,
        stage: Stage,
        state: State,
        units: int | None = None,
        before: Digest | None = None,
        after: Digest | None = None,
    ) -> None:
        checkpoint = stage.cells[0].checkpoint
        body = CheckRecord(checkpoint=checkpoint, state=state, units=units, before=before, after=after)
        self.records.put(_check(stage), body, "check")

    def _is_empty(self, stage: Stage, listed: StoredState | None) -> bool:
        """Whether a whole history left nothing stored, which is a fault."""
        fed = any(earlier.after != earlier.before for earlier in self.trial.stages[: stage.index])
        if listed is None or listed.units or not fed or self.trial.row.traits.holds_nothing:
            return False
        self.records.fault(_check(stage), stage, NOTHING_STORED, doing="check")
        self.states.discard()
        return True

    def _check_sound(self, driver: Driver, listed: StoredState | None, stage: Stage) -> None:
        """Give up before a question is put to a system that provably violates its traits."""
        check = partial(self.integrity.check_state, stage, driver, listed, self.states.receipts, self._limit())
        failure = attempt(check)
        if isinstance(failure, Failure):
            doing = "state" if self.records.has(stage.check) else "check"  # an earlier check stays valid
            self.records.fault(self.records.first_missing(stage), stage, failure, doing=doing)
            self.states.discard()
            raise StateBrokenError

    def _key(self, cell: Cell) -> RecordKey:
        """The record that asking fills; the other takes of the question share it."""
        return cell.answer if self.trial.row.kind == "agent" else cell.recall

    def _askable(self, stage: Stage) -> list[Cell]:
        askable = []
        for cell in stage.cells:
            why = why_not(self.trial, cell)
            if why is None:
                askable.append(cell)
            else:
                self.records.unavailable(cell, why)
        return askable

    def _ask_one(self, driver: Driver, cell: Cell, stage: Stage) -> None:
        self.execution.check_stop()
        started = perf_counter()
        try:
            found = attempt(partial(self._find, driver, cell, stage))
        except NotAvailableError as error:
            self.records.unavailable(cell, str(error))
            return
        if isinstance(found, Failure):
            self.records.fault(cell.recall, stage, found, doing="recall", cell=cell)
            return
        self.records.measure(cell.recall, stage="recall", seconds=round(perf_counter() - started, 6))
        self.records.recall(cell, found if isinstance(found, Recall) else found.recall)
        if isinstance(found, Reply):
            self.records.put(cell.answer, self._answer(cell, found), "answer")

    def _find(self, driver: Driver, cell: Cell, stage: Stage) -> Found:
        context = call_context_of(self.trial, "recall", cell.recall, cell)
        return run_in_context(context, partial(self._look, driver, cell, stage), driver.current)

    def _look(self, driver: Driver, cell: Cell, stage: Stage) -> Found:
        replaced = self._replaced(driver, cell, stage)
        question = cell.question
        if driver.agent is not None:
            asked = question_for(self.trial.row, question, self.execution.conditions.prompts)
            reply = validate_reply(driver.agent.answer(asked, replaced))
            if reply.recall is not None and replaced is None:
                self.integrity.check_recall(reply.recall, stage)
            return reply
        if replaced is not None:
            return replaced
        if driver.memory is None:
            raise ValueError(f"row {self.trial.row.label!r} cannot be searched")
        limit = self._limit()
        cue = Cue(text=question.seen_by_search, limit=limit, asked_at=question.asked_at)
        found = within(validate_recall(driver.memory.search(cue)), limit, self.trial.row.traits.limit)
        return self.integrity.check_recall(found, stage)

    def _limit(self) -> int:
        conditions = self.execution.conditions
        return conditions.budget_tokens if self.trial.row.traits.limit == "tokens" else conditions.search_limit

    def _replaced(self, driver: Driver, cell: Cell, stage: Stage) -> Recall | None:
        if cell.arm is Arm.ORACLE:
            return oracle(self.trial, cell)
        if cell.arm is Arm.SYSTEM:
            return None
        wanted = self.records.shown.showing(cell.key.evidence)
        read = self.integrity.check_recall(validate_recall(driver.readback().stored_from(wanted)), stage)
        if cell.arm is Arm.READBACK:
            return read
        kept = tuple(item for item in read.items if item.sources and set(item.sources) <= wanted)
        return Recall(items=kept, order=read.order)

    def _answer(self, cell: Cell, reply: Reply) -> AnswerRecord:
        prompt = agents_prompt(self.trial.row, cell.question, self.execution.conditions.prompts)
        return AnswerRecord(
            **cell.named, text=reply.text, abstained=reply.abstained, prompt=prompt.digest if prompt else ""
        )


def _restore(copy: Driver, folder: Path, listed: StoredState | None) -> None:
    copy.load(folder)
    if listed is None:
        return
    found = settle_and_look(copy)
    if found is not None and found.content != listed.content:
        raise CallError(
            f"{len(listed.units)} units were saved, but after loading {len(found.units)} are listed, or others",
            cause="state_lost",
        )


def oracle(trial: Trial, cell: Cell) -> Recall:
    """The evidence itself, in the history's order."""
    if cell.key.oracle_text is not None:
        return Recall(rendered=cell.key.oracle_text, order="time")
    return Recall.of_messages(evidence_of(trial.keyed.history, cell.key.evidence), order="time")


def why_not(trial: Trial, cell: Cell) -> str | None:
    """Why a cell cannot be filled at all, or `None`."""
    if trial.cannot is not None:
        return trial.cannot
    if cell.take.answer and trial.row.kind == "agent" and in_order(trial.row):
        return f"asking changes `{trial.row.label}`, and it cannot be restored to answer again; repeat `ingest` instead"
    if cell.arm is Arm.SYSTEM:
        return None
    known = bool(cell.key.evidence) or cell.key.abstain or (cell.key.oracle_text is not None and cell.arm is Arm.ORACLE)
    if not known:
        return "no evidence is known for this question"
    if cell.arm is not Arm.ORACLE and Capability.READBACK not in trial.row.traits.can:
        return f"`{trial.row.label}` cannot tell what it stored of given messages"
    return None


def _check(stage: Stage) -> RecordKey:
    if stage.check is None:
        raise ValueError(f"step {stage.index} asks nothing")
    return stage.check
