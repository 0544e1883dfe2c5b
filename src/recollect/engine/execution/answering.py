"""Reads and judges: contexts to answers, answers to verdicts. Calls in a pool; each writes down what it got."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import groupby
from threading import Lock
from time import perf_counter

from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, Recall, Reply
from recollect.domain.ids import RecordKey
from recollect.domain.outcomes import Verdict
from recollect.engine.context import ExecutionContext
from recollect.engine.faults import Failure, attempt
from recollect.engine.feeding.wording import ContextMaker
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.prompts import prompt_of
from recollect.engine.records_writer import RecordsWriter, recall_of
from recollect.engine.systems.call_context import call_context_of, run_in_context
from recollect.engine.systems.validation import validate_reply, validate_verdict
from recollect.records.kinds import AnswerRecord, RecallRecord, VerdictRecord
from recollect.text.tokens import count

IN_HAND = 32
"""Cells of one trial that are given to the pool at once: enough to keep it busy, few enough to hold in memory."""
KEPT_CONTEXTS = 4
"""Contexts kept for the questions that follow: `full` gives all of them the same one."""


@dataclass
class Answerer:
    """Answers and judges the cells of one trial."""

    trial: Trial
    place: ExecutionContext
    book: RecordsWriter
    _contexts: dict[tuple[RecordKey, int], Context] = field(default_factory=dict)
    _maker: ContextMaker = field(init=False)
    _writing: Lock = field(default_factory=Lock)
    """Held for each record: the journal has one writer at a time."""

    def __post_init__(self) -> None:
        self._maker = ContextMaker(self.book.shown.messages)

    def answer(self, stage: Stage) -> None:
        """Fill all cells that have a recall but no answer or verdict yet."""
        waiting: set[Future[None]] = set()
        try:
            for cells in list(self._pending(stage)):
                waiting.add(self._submit(stage, cells))
                while len(waiting) >= IN_HAND:
                    waiting = self._collect(waiting)
            while waiting:
                waiting = self._collect(waiting)
        finally:  # stopped: what is in flight is paid for, and writes itself down
            wait({future for future in waiting if not future.cancel()})
        self.book.sync()

    def _collect(self, waiting: set[Future[None]]) -> set[Future[None]]:
        finished, others = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in finished:
            future.result()
        self.place.check_stop()
        return others

    def _pending(self, stage: Stage) -> Iterator[list[Cell]]:
        """The takes of each answer that lack it or their verdict."""
        for _, takes in groupby(stage.cells, key=lambda cell: cell.answer):
            if left := [cell for cell in takes if self._is_pending(cell)]:
                yield left

    def _is_pending(self, cell: Cell) -> bool:
        if self.book.has(cell.answer) and self.book.has(cell.verdict):
            return False
        if (why := self.book.why_unavailable(cell)) is not None:
            # an earlier take found out, or a kill or a new judge came between its keys
            self.book.unavailable(cell, why)
            return False
        return self.book.has(cell.answer) or (self.trial.row.kind != "agent" and self.book.has(cell.recall))

    def _submit(self, stage: Stage, cells: list[Cell]) -> Future[None]:
        first = cells[0]
        if self.book.has(first.answer):
            given: AnswerRecord = self.book.journal.body(first.answer)
            return self.place.calls.submit(self._judge_all, stage, cells, given)
        recall: RecallRecord = self.book.journal.body(first.recall)
        return self.place.calls.submit(self._answer_and_judge, stage, cells, self._context(first, recall.content))

    def _answer_and_judge(self, stage: Stage, cells: list[Cell], context: Context) -> None:
        """Read, write it down, judge, write it down: a call in flight is never more than one unwritten answer."""
        started, cell = perf_counter(), cells[0]
        answer = self._read(cell, context)
        with self._writing:
            if isinstance(answer, str):
                self.book.unavailable(cell, answer)
            elif isinstance(answer, Failure):
                self.book.fault(cell.answer, stage, answer, doing="answer", cell=cell)
            else:
                self.book.put(cell.answer, answer, "answer")
                self.book.measure(cell.answer, stage="answer", seconds=round(perf_counter() - started, 6))
        if isinstance(answer, AnswerRecord):
            self._judge_all(stage, cells, answer)
        elif isinstance(answer, str):
            self._leave(cells[1:], answer)

    def _leave(self, cells: list[Cell], why: str) -> None:
        with self._writing:
            for cell in cells:
                self.book.unavailable(cell, why)

    def _judge_all(self, stage: Stage, cells: list[Cell], given: AnswerRecord) -> None:
        """A verdict for each take; who asked to stop waits for one of them, not for all."""
        for done, cell in enumerate(cells):
            if done and self.place.stop.is_set():
                return
            self._judge(stage, cell, given)

    def _read(self, cell: Cell, context: Context) -> AnswerRecord | Failure | str:
        """The answer, how it broke, or why there can be none."""
        prompt = prompt_of(self.trial.row, cell.question, self.place.conditions.prompts)
        occasion, reader = call_context_of(self.trial, "answer", cell.answer, cell), self.place.cast.reader
        try:
            reply = attempt(
                lambda: validate_reply(run_in_context(occasion, lambda: reader.read(context, cell.question, prompt)))
            )
        except NotAvailableError as error:
            return str(error)
        return reply if isinstance(reply, Failure) else _answered(cell, reply, context, prompt.digest)

    def _judge(self, stage: Stage, cell: Cell, given: AnswerRecord) -> None:
        judge = self.place.cast.judge
        if cell.verdict is None or judge is None:
            return
        reply = Reply(text=given.text, abstained=given.abstained)
        occasion = call_context_of(self.trial, "judge", cell.verdict, cell)
        try:
            verdict = attempt(
                lambda: validate_verdict(run_in_context(occasion, lambda: judge.judge(cell.question, cell.key, reply)))
            )
        except NotAvailableError as error:
            verdict = Failure(cause="not_available", error=type(error).__name__, message=str(error))
        with self._writing:
            self._record_verdict(stage, cell, cell.verdict, verdict)

    def _record_verdict(self, stage: Stage, cell: Cell, key: RecordKey, verdict: Verdict | Failure) -> None:
        if isinstance(verdict, Failure):
            self.book.fault(key, stage, verdict, doing="judge", cell=cell)
            return
        body = VerdictRecord(
            checkpoint=cell.checkpoint,
            question=cell.question.question_id,
            arm=cell.arm,
            verdict=verdict,
            take=cell.take,
        )
        self.book.put(key, body, "verdict")

    def _context(self, cell: Cell, content: RecordKey | None) -> Context:
        limit = self._limit(cell)
        if content is None:
            return self._maker.make(Recall(), limit=limit)
        if (content, limit) not in self._contexts:
            recall = recall_of(self.book.journal.body(content), self.book.shown)
            while len(self._contexts) >= KEPT_CONTEXTS:
                del self._contexts[next(iter(self._contexts))]
            self._contexts[content, limit] = self._maker.make(recall, limit=limit)
        return self._contexts[content, limit]

    def _limit(self, cell: Cell) -> int:
        """The budget binds memories that search, in the arm in which they do; all else the reader's window."""
        question, reader, conditions = cell.question, self.place.cast.reader, self.place.conditions
        asked = count(question.text) + sum(count(option.text) for option in question.options)
        prompt = count(prompt_of(self.trial.row, question, conditions.prompts).whole)
        window = max(0, reader.window_tokens - asked - prompt - (question.output_tokens or 0))
        searches = self.trial.row.kind == "memory" and self.trial.row.traits.bound == "budget" and cell.arm == "system"
        return min(conditions.budget_tokens, window) if searches else window


def _answered(cell: Cell, reply: Reply, context: Context, prompt: str) -> AnswerRecord:
    return AnswerRecord(
        checkpoint=cell.checkpoint,
        question=cell.question.question_id,
        arm=cell.arm,
        text=reply.text,
        abstained=reply.abstained,
        prompt=prompt,
        context_tokens=context.tokens,
        truncated=context.truncated,
        take=cell.take,
    )
