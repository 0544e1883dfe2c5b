"""Reads and judges: contexts to answers, answers to verdicts. Pure calls in a pool; one thread writes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, Recall, Reply
from recollect.domain.ids import RecordKey
from recollect.domain.outcomes import Verdict
from recollect.engine.book import Book, recalled
from recollect.engine.faults import Broken, tried
from recollect.engine.place import Place
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.sound import sound_reply, sound_verdict
from recollect.engine.wording import ContextMaker
from recollect.records.kinds import AnswerRecord, RecallRecord, VerdictRecord
from recollect.text.tokens import count

IN_HAND = 32
"""Cells of one trial that are given to the pool at once: enough to keep it busy, few enough to hold in memory."""
KEPT_CONTEXTS = 4
"""Contexts kept for the questions that follow: `full` gives all of them the same one."""


class _Answered(NamedTuple):
    record: AnswerRecord | Broken | str | None
    """A string is the reason why there can be none; `None`: it was there before."""
    verdict: Verdict | Broken | None
    seconds: float


@dataclass
class Answerer:
    """Answers and judges the cells of one trial."""

    trial: Trial
    place: Place
    book: Book
    _contexts: dict[tuple[RecordKey, int], Context] = field(default_factory=dict)
    _maker: ContextMaker = field(init=False)

    def __post_init__(self) -> None:
        self._maker = ContextMaker(self.book.shown.messages)

    def answer(self, stage: Stage) -> None:
        """Fill all cells that have a recall but no answer or verdict yet."""
        waiting: dict[Future[_Answered], Cell] = {}
        try:
            for cell in self._pending(stage):
                waiting[self._submit(cell)] = cell
                while len(waiting) >= IN_HAND:
                    self._collect(stage, waiting)
            while waiting:
                self._collect(stage, waiting)
        finally:
            for future, cell in waiting.items():  # stopped: what is in flight is paid for, so it is kept
                if not future.cancel():
                    self._record(stage, cell, future.result())
        self.book.sync()

    def _collect(self, stage: Stage, waiting: dict[Future[_Answered], Cell]) -> None:
        finished, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in finished:
            self._record(stage, waiting.pop(future), future.result())
        self.place.check_stop()

    def _pending(self, stage: Stage) -> Iterator[Cell]:
        for cell in stage.cells:
            if self.book.has(cell.answer) and self.book.has(cell.verdict):
                continue
            if (why := self.book.why_unavailable(cell)) is not None:
                self.book.unavailable(cell, why)  # a kill, or a new judge, came between its keys
                continue
            if self.book.has(cell.answer) or (self.trial.row.kind != "agent" and self.book.has(cell.recall)):
                yield cell

    def _submit(self, cell: Cell) -> Future[_Answered]:
        if self.book.has(cell.answer):
            given: AnswerRecord = self.book.journal.body(cell.answer)
            return self.place.calls.submit(self._judge_only, cell, given)
        recall: RecallRecord = self.book.journal.body(cell.recall)
        return self.place.calls.submit(self._answer_and_judge, cell, self._context(cell, recall.content))

    def _answer_and_judge(self, cell: Cell, context: Context) -> _Answered:
        started = perf_counter()
        prompt = self.place.conditions.prompts[cell.question.prompt]
        try:
            reply = tried(lambda: sound_reply(self.place.cast.reader.read(context, cell.question, prompt)))
        except NotAvailableError as error:
            return _Answered(str(error), None, 0.0)
        seconds = perf_counter() - started
        if isinstance(reply, Broken):
            return _Answered(reply, None, seconds)
        return _Answered(_answered(cell, reply, context, prompt.digest), self._verdict(cell, reply), seconds)

    def _judge_only(self, cell: Cell, given: AnswerRecord) -> _Answered:
        return _Answered(None, self._verdict(cell, Reply(text=given.text, abstained=given.abstained)), 0.0)

    def _verdict(self, cell: Cell, reply: Reply) -> Verdict | Broken | None:
        judge = self.place.cast.judge
        if cell.verdict is None or judge is None:
            return None
        try:
            return tried(lambda: sound_verdict(judge.judge(cell.question, cell.key, reply)))
        except NotAvailableError as error:
            return Broken(cause="not_available", error=type(error).__name__, message=str(error))

    def _record(self, stage: Stage, cell: Cell, answered: _Answered) -> None:
        record, verdict, seconds = answered
        if isinstance(record, str):
            self.book.unavailable(cell, record)
            return
        if isinstance(record, Broken):
            self.book.fault(cell.answer, stage, record, doing="answer", cell=cell)
            return
        if record is not None:
            self.book.put(cell.answer, record, "answer")
            self.book.measure(cell.answer, stage="answer", seconds=round(seconds, 6))
        self._record_verdict(stage, cell, verdict)

    def _record_verdict(self, stage: Stage, cell: Cell, verdict: Verdict | Broken | None) -> None:
        if cell.verdict is None or verdict is None:
            return
        if isinstance(verdict, Broken):
            self.book.fault(cell.verdict, stage, verdict, doing="judge", cell=cell)
            return
        body = VerdictRecord(
            checkpoint=cell.checkpoint, question=cell.question.question_id, arm=cell.arm, verdict=verdict
        )
        self.book.put(cell.verdict, body, "verdict")

    def _context(self, cell: Cell, content: RecordKey | None) -> Context:
        limit = self._limit(cell)
        if content is None:
            return self._maker.make(Recall(), limit=limit)
        if (content, limit) not in self._contexts:
            recall = recalled(self.book.journal.body(content), self.book.shown)
            while len(self._contexts) >= KEPT_CONTEXTS:
                del self._contexts[next(iter(self._contexts))]
            self._contexts[content, limit] = self._maker.make(recall, limit=limit)
        return self._contexts[content, limit]

    def _limit(self, cell: Cell) -> int:
        """The budget binds memories that search, in the arm in which they do; all else the reader's window."""
        question, reader, conditions = cell.question, self.place.cast.reader, self.place.conditions
        asked = count(question.text) + sum(count(option.text) for option in question.options)
        prompt = count(conditions.prompts[question.prompt].text)
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
    )
