"""Puts the questions of one Ask to an open system and records what it found; asking must not change the system.

Three ways, by the system's traits: *as it is* (fingerprints before and after must agree), *restored* (a saved state
is loaded anew for each question) and *in order* (it cannot be restored: one fixed order, marked as such).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Literal

from recollect.contracts.traits import Capability
from recollect.domain.errors import CallError, NotAvailableError
from recollect.domain.exchange import Cue, Recall, Reply
from recollect.domain.ids import CheckpointId, RecordKey
from recollect.domain.steps import Arm
from recollect.engine.context import ExecutionContext
from recollect.engine.execution.states import StateBrokenError, States, settle_and_look
from recollect.engine.faults import DivergedError, Failure, attempt, close_safely, nothing_stored, state_changed
from recollect.engine.feeding.visibility import evidence_of
from recollect.engine.integrity.checks import IntegrityChecks
from recollect.engine.plan import Cell, Stage, Trial, in_order
from recollect.engine.prompts import agents_prompt, question_for
from recollect.engine.records_writer import RecordsWriter, stored_content
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
    place: ExecutionContext
    book: RecordsWriter
    states: States
    soundness: IntegrityChecks = field(init=False)

    def __post_init__(self) -> None:
        self.soundness = IntegrityChecks(self.trial, self.book)

    def ask(self, stage: Stage) -> None:
        """Fill all cells of *stage* that have no record yet."""
        possible = [cell for cell in self._askable(stage) if self._is_put(cell)]
        pending = [cell for cell in possible if not self._is_asked(cell)]
        if not pending and self.book.has(stage.check) and (stage.after == stage.before or self.book.has(stage.after)):
            return
        if in_order(self.trial.row):
            self._ask_in_order(stage, possible, started=len(pending) < len(possible))
        elif self.trial.row.traits.writes_when_asked:
            self._ask_restored(stage, pending)
        else:
            self._ask_as_it_is(stage, self._to_ask(stage, possible, pending))
        self.book.sync()

    def give_up(self, stage: Stage) -> None:
        """Note for each cell that cannot be filled at all why that is; the others wait for the next try."""
        self._askable(stage)

    def replay(self, stage: Stage) -> None:
        """Ask an order-dependent system again, and compare with the records."""
        driver = self._open(stage)
        for cell in self._askable(stage):
            if self._is_put(cell):
                try:
                    found: Found | Failure | None = attempt(partial(self._find, driver, cell, stage))
                except NotAvailableError:
                    found = None
                self._compare(cell, found)

    def _to_ask(self, stage: Stage, possible: list[Cell], pending: list[Cell]) -> list[Cell]:
        """A check proves only what it was made with: all questions are put again, but where that is paid for."""
        paid = self.trial.row.kind == "agent" or self.trial.row.traits.models_on_search
        failed = stage.check in self.book.journal.faults
        return pending if self.book.has(stage.check) or (paid and not failed) else possible

    def _ask_as_it_is(self, stage: Stage, cells: Iterable[Cell]) -> None:
        driver = self._open(stage)
        listed = self.states.done(driver.look, stage)
        if self._is_empty(stage, listed):
            return
        self._check_sound(driver, listed, stage)
        self.states.save(stage, listed)
        before, held = self.states.done(partial(driver.fingerprint, listed), stage)
        for cell in cells:
            self._ask_one(driver, cell, stage)
        after, _ = self.states.done(driver.fingerprint, stage)
        if before != after:
            self.book.fault(_check(stage), stage, state_changed(), doing="check")
            return
        state: State = "not_proven" if before is None else "unchanged"
        self._checked(
            stage, CheckRecord(checkpoint=_checkpoint(stage), state=state, units=held, before=before, after=after)
        )

    def _ask_restored(self, stage: Stage, cells: Iterable[Cell]) -> None:
        driver = self._open(stage)
        listed = self.states.done(driver.look, stage)
        if self._is_empty(stage, listed):
            return
        self._check_sound(driver, listed, stage)
        folder = self.states.save(stage, listed)
        for cell in cells:
            self._ask_a_copy(folder, listed, cell, stage)
        held = None if listed is None else len(listed.units)
        self._checked(stage, CheckRecord(checkpoint=_checkpoint(stage), state="restored", units=held))

    def _ask_a_copy(self, folder: Path | None, listed: StoredState | None, cell: Cell, stage: Stage) -> None:
        copy = self.states.fresh("copy")
        try:
            if folder is not None:
                self.states.done(partial(_restore, copy, folder, listed), stage)
            self._ask_one(copy, cell, stage)
        finally:
            close_safely(copy.close)

    def _ask_in_order(self, stage: Stage, cells: list[Cell], *, started: bool) -> None:
        if started:  # its answers depend on one another: a half-done Ask starts over
            self.book.void("half-done Ask of an order-dependent system", self._from_here(stage))
            self.states.close()
        driver = self._open(stage)
        listed = self.states.done(driver.look, stage)
        if self._is_empty(stage, listed):
            raise StateBrokenError
        self._check_sound(driver, listed, stage)
        for cell in cells:
            self._ask_one(driver, cell, stage)
        if all(self._is_asked(cell) for cell in cells):
            self._checked(stage, CheckRecord(checkpoint=_checkpoint(stage), state="order_dependent"))
            self.book.put(stage.after, StateRecord(step=stage.index, did="ask"), "state")
        self.states.at = stage.index  # it has gone through the Ask, whatever broke: asking again is no replay

    def _from_here(self, stage: Stage) -> tuple[RecordKey, ...]:
        """Keys of this Ask and of all that came after it, but for cells that no system is needed to settle."""
        later = self.trial.stages[stage.index :]
        cells = [cell for each in later for cell in each.cells if why_not(self.trial, cell) is None]
        states = [key for each in later for key in (each.check, each.after) if key is not None and key != stage.before]
        return (*_keys_of(cells), *states)

    def _open(self, stage: Stage) -> Driver:
        self.states.bring_to(stage.index - 1)
        self.states.settle(stage)
        return self.states.bring_to(stage.index - 1)

    def _checked(self, stage: Stage, body: CheckRecord) -> None:
        self.book.put(_check(stage), body, "check")

    def _is_empty(self, stage: Stage, listed: StoredState | None) -> bool:
        """A whole history left nothing behind; that is noted."""
        fed = any(earlier.after != earlier.before for earlier in self.trial.stages[: stage.index])
        if listed is None or listed.units or not fed or self.trial.row.traits.holds_nothing:
            return False
        self.book.fault(_check(stage), stage, nothing_stored(), doing="check")
        self.states.discard()
        return True

    def _check_sound(self, driver: Driver, listed: StoredState | None, stage: Stage) -> None:
        """Give up before a question is put to a system that is provably not what it says."""
        check = partial(self.soundness.check_state, stage, driver, listed, self.states.receipts, self._limit())
        broken = attempt(check)
        if isinstance(broken, Failure):
            doing = "state" if self.book.has(stage.check) else "check"  # what was found sound before stays so
            self.book.fault(self.book.first_missing(stage), stage, broken, doing=doing)
            self.states.discard()
            raise StateBrokenError

    def _is_asked(self, cell: Cell) -> bool:
        return self.book.has(self._asks_for(cell))

    def _asks_for(self, cell: Cell) -> RecordKey:
        return cell.answer if self.trial.row.kind == "agent" else cell.recall

    def _is_put(self, cell: Cell) -> bool:
        """The system is asked for this take; the others share what it says then."""
        return self._asks_for(cell) in cell.own

    def _askable(self, stage: Stage) -> list[Cell]:
        return [cell for cell in stage.cells if self._possible(cell)]

    def _possible(self, cell: Cell) -> bool:
        why = why_not(self.trial, cell)
        if why is not None:
            self.book.unavailable(cell, why)
        return why is None

    def _ask_one(self, driver: Driver, cell: Cell, stage: Stage) -> None:
        self.place.check_stop()
        started = perf_counter()
        try:
            found = attempt(partial(self._find, driver, cell, stage))
        except NotAvailableError as error:
            self.book.unavailable(cell, str(error))
            return
        if isinstance(found, Failure):
            self.book.fault(cell.recall, stage, found, doing="recall", cell=cell)
            return
        self.book.measure(cell.recall, stage="recall", seconds=round(perf_counter() - started, 6))
        self._record(cell, found)

    def _record(self, cell: Cell, found: Found) -> None:
        if isinstance(found, Recall):
            self.book.recall(cell, found)
            return
        self.book.recall(cell, found.recall)
        self.book.put(cell.answer, self._answer(cell, found), "answer")

    def _find(self, driver: Driver, cell: Cell, stage: Stage) -> Found:
        occasion = call_context_of(self.trial, "recall", cell.recall, cell)
        return run_in_context(occasion, partial(self._look, driver, cell, stage), driver.desk)

    def _look(self, driver: Driver, cell: Cell, stage: Stage) -> Found:
        given = self._given(driver, cell, stage)
        if driver.agent is not None:
            asked = question_for(self.trial.row, cell.question, self.place.conditions.prompts)
            reply = validate_reply(driver.agent.answer(asked, given))
            if reply.recall is not None and given is None:
                self.soundness.check_recall(reply.recall, stage)
            return reply
        if given is not None:
            return given
        if driver.memory is None:
            raise ValueError(f"row {self.trial.row.label!r} cannot be searched")
        question = cell.question
        limit = self._limit()
        cue = Cue(text=question.seen_by_search, limit=limit, asked_at=question.asked_at)
        found = within(validate_recall(driver.memory.search(cue)), limit, self.trial.row.traits.limit)
        return self.soundness.check_recall(found, stage)

    def _limit(self) -> int:
        conditions = self.place.conditions
        return conditions.budget_tokens if self.trial.row.traits.limit == "tokens" else conditions.search_limit

    def _given(self, driver: Driver, cell: Cell, stage: Stage) -> Recall | None:
        """What replaces the system's own search, in the arms that replace it."""
        if cell.arm is Arm.ORACLE:
            return oracle(self.trial, cell)
        if cell.arm is Arm.SYSTEM:
            return None
        wanted = self.book.shown.showing(cell.key.evidence)
        read = self.soundness.check_recall(validate_recall(driver.readback().stored_from(wanted)), stage)
        if cell.arm is Arm.READBACK:
            return read
        kept = tuple(item for item in read.items if item.sources and set(item.sources) <= wanted)
        return Recall(items=kept, order=read.order)

    def _answer(self, cell: Cell, reply: Reply) -> AnswerRecord:
        prompt = agents_prompt(self.trial.row, cell.question, self.place.conditions.prompts)
        return AnswerRecord(
            checkpoint=cell.checkpoint,
            question=cell.question.question_id,
            arm=cell.arm,
            text=reply.text,
            abstained=reply.abstained,
            prompt=prompt.digest if prompt else "",
            take=cell.take,
        )

    def _compare(self, cell: Cell, found: Found | Failure | None) -> None:
        entry = self.book.journal.done.get(cell.recall)
        gone = entry is not None and entry.kind == "unavailable"
        if found is None or gone:
            same = found is None and gone
        elif isinstance(found, Reply) and self.book.has(cell.answer):
            same = self.book.journal.body(cell.answer) == self._answer(cell, found)
        elif isinstance(found, Recall) and self.book.has(cell.recall):
            content = digest(encode(stored_content(found, self.book.shown)))
            same = self.book.journal.body(cell.recall).content == content
        else:
            same = isinstance(found, Failure)
        if not same:
            raise DivergedError(f"question {cell.question.question_id} was answered otherwise when asked again")


def _restore(copy: Driver, folder: Path, listed: StoredState | None) -> None:
    """Load, and see that what was listed is listed again."""
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


def _checkpoint(stage: Stage) -> CheckpointId:
    return stage.cells[0].checkpoint


def _keys_of(cells: Iterable[Cell]) -> tuple[RecordKey, ...]:
    return tuple(key for cell in cells for key in (cell.recall, cell.answer, cell.verdict) if key is not None)
