"""Reads and judges: contexts to answers, answers to verdicts; calls run in a pool and write their records."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import groupby
from threading import Lock
from time import perf_counter

from recollect.contracts.reading import Judge
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, Recall, Reply
from recollect.domain.ids import RecordKey
from recollect.engine.faults import Failure, attempt
from recollect.engine.feeding.wording import ContextMaker
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.prompts import prompt_of
from recollect.engine.records_writer import RecordsWriter, recall_of
from recollect.engine.rows import ExecutionContext
from recollect.engine.systems.call_context import call_context_of, run_in_context
from recollect.engine.systems.validation import validate_reply, validate_verdict
from recollect.records.kinds import AnswerRecord, VerdictRecord
from recollect.text.tokens import count

IN_HAND = 32
"""Cells of one trial in the pool at once: enough to keep it busy, few enough for the memory."""
KEPT_CONTEXTS = 4
"""Contexts kept for later questions: with `full` all have the same one."""


@dataclass
class Answerer:
    """Answers and judges the cells of one trial."""

    trial: Trial
    execution: ExecutionContext
    records: RecordsWriter
    _contexts: dict[tuple[RecordKey, int], Context] = field(default_factory=dict)
    _maker: ContextMaker = field(init=False)
    _writing: Lock = field(default_factory=Lock)
    """Held for each record: the journal has one writer at a time."""

    def __post_init__(self) -> None:
        self._maker = ContextMaker(self.records.shown.messages)

    def answer(self, stage: Stage) -> None:
        """Fill all cells that have a recall but no answer or verdict yet."""
        waiting: set[Future[None]] = set()
        by_answer = groupby(stage.cells, key=lambda cell: cell.answer)
        pending = [[cell for cell in takes if self._is_pending(cell)] for _, takes in by_answer]
        try:
            for cells in filter(None, pending):
                waiting.add(self._submit(stage, cells))
                while len(waiting) >= IN_HAND:
                    waiting = self._collect(waiting)
            while waiting:
                waiting = self._collect(waiting)
        finally:  # stopped: calls in flight are paid for, and write their own records
            wait({future for future in waiting if not future.cancel()})
        self.records.sync()

    def _collect(self, waiting: set[Future[None]]) -> set[Future[None]]:
        finished, others = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in finished:
            future.result()
        self.execution.check_stop()
        return others

    def _is_pending(self, cell: Cell) -> bool:
        if self.records.has(cell.answer) and self.records.has(cell.verdict):
            return False
        why = self.records.why_unavailable(cell)
        if why is not None:
            # an earlier take found out, or a kill or a new judge came between its keys
            self.records.unavailable(cell, why)
            return False
        return self.records.has(cell.answer) or (self.trial.row.kind != "agent" and self.records.has(cell.recall))

    def _submit(self, stage: Stage, cells: list[Cell]) -> Future[None]:
        journal, first = self.records.journal, cells[0]
        if self.records.has(first.answer):
            return self.execution.calls.submit(self._judge_all, stage, cells, journal.body(first.answer))
        context = self._context(first, journal.body(first.recall).content)
        return self.execution.calls.submit(self._answer_and_judge, stage, cells, context)

    def _answer_and_judge(self, stage: Stage, cells: list[Cell], context: Context) -> None:
        """Read, record, judge, record: a call in flight is never more than one unwritten answer."""
        started, cell = perf_counter(), cells[0]
        try:
            answer = self._read(cell, context)
        except NotAvailableError as error:
            with self._writing:
                for take in cells:
                    self.records.unavailable(take, str(error))
            return
        with self._writing:
            if isinstance(answer, Failure):
                self.records.fault(cell.answer, stage, answer, doing="answer", cell=cell)
                return
            self.records.put(cell.answer, answer, "answer")
            self.records.measure(cell.answer, stage="answer", seconds=round(perf_counter() - started, 6))
        self._judge_all(stage, cells, answer)

    def _read(self, cell: Cell, context: Context) -> AnswerRecord | Failure:
        prompt = prompt_of(self.trial.row, cell.question, self.execution.conditions.prompts)
        call_context, reader = call_context_of(self.trial, "answer", cell.answer, cell), self.execution.roles.reader
        reply = attempt(
            lambda: validate_reply(run_in_context(call_context, lambda: reader.read(context, cell.question, prompt)))
        )
        if isinstance(reply, Failure):
            return reply
        return AnswerRecord(
            **cell.named,
            text=reply.text,
            abstained=reply.abstained,
            prompt=prompt.digest,
            context_tokens=context.tokens,
            truncated=context.truncated,
        )

    def _judge_all(self, stage: Stage, cells: list[Cell], answer: AnswerRecord) -> None:
        judge, reply = self.execution.roles.judge, Reply(text=answer.text, abstained=answer.abstained)
        for number, cell in enumerate(cells):
            if number and self.execution.stop.is_set():
                return
            if cell.verdict is not None and judge is not None:
                self._judge(stage, cell, cell.verdict, judge, reply)

    def _judge(self, stage: Stage, cell: Cell, key: RecordKey, judge: Judge, reply: Reply) -> None:
        context = call_context_of(self.trial, "judge", key, cell)
        try:
            verdict = attempt(
                lambda: validate_verdict(run_in_context(context, lambda: judge.judge(cell.question, cell.key, reply)))
            )
        except NotAvailableError as error:
            verdict = Failure(cause="not_available", error=type(error).__name__, message=str(error))
        with self._writing:
            if isinstance(verdict, Failure):
                self.records.fault(key, stage, verdict, doing="judge", cell=cell)
            else:
                self.records.put(key, VerdictRecord(**cell.named, verdict=verdict), "verdict")

    def _context(self, cell: Cell, content: RecordKey | None) -> Context:
        """The context, within the budget for memories that search, in their own arm; else within the window."""
        question, reader, conditions = cell.question, self.execution.roles.reader, self.execution.conditions
        asked = count(question.text) + sum(count(option.text) for option in question.options)
        prompt = count(prompt_of(self.trial.row, question, conditions.prompts).whole)
        limit = max(0, reader.window_tokens - asked - prompt - (question.output_tokens or 0))
        if self.trial.row.kind == "memory" and self.trial.row.traits.bound == "budget" and cell.arm == "system":
            limit = min(conditions.budget_tokens, limit)
        if content is None:
            return self._maker.make(Recall(), limit=limit)
        if (content, limit) not in self._contexts:
            recall = recall_of(self.records.journal.body(content), self.records.shown)
            while len(self._contexts) >= KEPT_CONTEXTS:
                del self._contexts[next(iter(self._contexts))]
            self._contexts[content, limit] = self._maker.make(recall, limit=limit)
        return self._contexts[content, limit]
