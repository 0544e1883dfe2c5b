"""Writes a trial's records: the only writer of its journal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId, RecordKey, UnitId
from recollect.domain.repeats import FIRST
from recollect.engine.faults import Failure
from recollect.engine.feeding.visibility import VisibleMessages
from recollect.engine.plan import Cell, Stage, Trial
from recollect.engine.rows import ExecutionContext
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.kinds import ContentRecord, FaultRecord, RecallRecord, StoredItem, UnavailableRecord, VoidRecord
from recollect.store.journal import Journal
from recollect.store.measures import Measures

SCORE_DIGITS = 6
"""Scores are rounded before they are stored: sums differ in the last bits from machine to machine."""


@dataclass(slots=True)
class RecordsWriter:
    """Writes the records of one trial."""

    trial: Trial
    journal: Journal
    execution: ExecutionContext
    shown: VisibleMessages = field(default_factory=VisibleMessages)
    faults: int = 0
    _measures: list[dict[str, float | str]] = field(default_factory=list)

    def has(self, key: RecordKey | None) -> bool:
        """Whether there is a record that counts, or none is needed."""
        return key is None or key in self.journal.done

    def put(self, key: RecordKey, body: Any, kind: str) -> None:
        """Record a result, once."""
        if key not in self.journal.done:
            self.journal.append(key, body, kind)
            self.execution.watch(kind, 1)

    def void(self, reason: str, keys: tuple[RecordKey, ...] | None = None) -> None:
        """Declare earlier records void: all, or those of *keys*."""
        self.journal.append(digest({"void": reason, "keys": keys}), VoidRecord(reason=reason, keys=keys), "void")

    def fault(self, key: RecordKey, stage: Stage, failure: Failure, *, doing: str, cell: Cell | None = None) -> None:
        """Record a fault, which a later run tries again."""
        self.faults += 1
        asked = getattr(stage.step, "checkpoint", None) if stage.cells else None
        body = FaultRecord(
            stage=doing,
            cause=failure.cause,
            error=failure.error,
            message=failure.message,
            step=stage.index,
            checkpoint=cell.checkpoint if cell else asked,
            question=cell.question.question_id if cell else None,
            arm=cell.arm if cell else None,
            take=cell.take if cell else FIRST,
        )
        self.journal.append(key, body, "fault")
        self.execution.watch("fault", 1)

    def first_missing(self, stage: Stage) -> RecordKey:
        """The next key from *stage* on that a later success will fill, which clears the fault."""
        for later in self.trial.stages[stage.index :]:
            states = (later.check, later.after if later.after != later.before else None)
            cells = (key for cell in later.cells for key in (cell.recall, cell.answer))
            for key in (*states, *cells):
                if key is not None and key not in self.journal.done:
                    return key
        return stage.after

    def unavailable(self, cell: Cell, why: str) -> None:
        """Record that a cell cannot be filled at all; keys shared with an earlier take are recorded by that one."""
        body = UnavailableRecord(**cell.named, why=why)
        for key in (cell.recall, cell.answer, cell.verdict):
            if key is not None and key in cell.own:
                self.put(key, body, "unavailable")

    def why_unavailable(self, cell: Cell) -> str | None:
        """Why a cell cannot be filled, where that is recorded."""
        for key in (cell.recall, cell.answer):
            entry = self.journal.done.get(key)
            if entry is not None and entry.kind == "unavailable":
                return str(self.journal.body(key).why)
        return None

    def recall(self, cell: Cell, recall: Recall | None) -> None:
        """Record a recall: its content once, then which question found it."""
        content = None
        if recall is not None:
            body = stored_content(recall, self.shown)
            content = RecordKey(digest(encode(body)))
            self.put(content, body, "content")
        self.put(cell.recall, RecallRecord(**cell.named, content=content), "recall")

    def measure(self, key: RecordKey, **facts: float | str) -> None:
        """Note a measurement, which is no part of the run's identity."""
        self._measures.append({"key": key, **facts})

    def sync(self) -> None:
        """Write the measures, and return when all is on the disk."""
        facts, self._measures = self._measures, []
        with Measures(self.execution.folder.trial(self.trial.trial_id)) as measures:
            for fact in facts:
                measures.note(fact)
        self.journal.sync()


def stored_content(recall: Recall, shown: VisibleMessages) -> ContentRecord:
    """A recall as it is stored: messages that the steps show by id, all else in full."""
    items = []
    for item in recall.items:
        score = None if item.score is None else round(item.score, SCORE_DIGITS)
        if item.message is not None and item.message.message_id in shown.messages:
            items.append(StoredItem(message=item.message.message_id, score=score))
            continue
        items.append(
            StoredItem(text=item.text, sources=item.sources, unit=item.unit_id, said_at=item.said_at, score=score)
        )
    return ContentRecord(items=tuple(items), order=recall.order, rendered=recall.rendered)


def recall_of(content: ContentRecord, shown: VisibleMessages) -> Recall:
    """A stored recall, with its messages."""
    items = []
    for item in content.items:
        message = None if item.message is None else shown.messages[item.message]
        unit = item.unit if message is None else message.message_id
        items.append(
            RecallItem(
                text=(item.text or "") if message is None else message.text,
                sources=tuple(map(MessageId, item.sources)) if message is None else (message.message_id,),
                unit_id=UnitId(unit) if unit else None,
                said_at=item.said_at if message is None else message.said_at,
                score=item.score,
                message=message,
            )
        )
    return Recall(items=tuple(items), order=content.order, rendered=content.rendered)
