"""Writes a trial's records: the only writer of its journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId, RecordKey, UnitId
from recollect.domain.repeats import FIRST
from recollect.engine.context import ExecutionContext
from recollect.engine.faults import Failure
from recollect.engine.feeding.visibility import VisibleMessages
from recollect.engine.plan import Cell, Stage, Trial
from recollect.records.codec import encode
from recollect.records.digests import digest
from recollect.records.kinds import ContentRecord, FaultRecord, RecallRecord, StoredItem, UnavailableRecord, VoidRecord
from recollect.store.journal import Journal
from recollect.store.measures import Measures

SCORE_DIGITS = 6
"""Scores are rounded before they are stored: sums differ in the last bits from machine to machine."""


@dataclass(slots=True)
class RecordsWriter:
    """The journal of one trial, with the words of the engine."""

    trial: Trial
    journal: Journal
    place: ExecutionContext
    shown: VisibleMessages = field(default_factory=VisibleMessages)
    broken: int = 0
    _measures: list[dict[str, float | str]] = field(default_factory=list)

    def has(self, key: RecordKey | None) -> bool:
        """There is a record that counts, or none is wanted."""
        return key is None or key in self.journal.done

    def put(self, key: RecordKey, body: Any, kind: str) -> None:
        """Record a result, once."""
        if key not in self.journal.done:
            self.journal.append(key, body, kind)
            self.place.watch(kind, 1)

    def void(self, reason: str, keys: tuple[RecordKey, ...] | None = None) -> None:
        """Records so far do not count: all, or those named."""
        self.journal.append(digest({"void": reason, "keys": keys}), VoidRecord(reason=reason, keys=keys), "void")

    def fault(self, key: RecordKey, stage: Stage, broken: Failure, *, doing: str, cell: Cell | None = None) -> None:
        """Record that something broke; it will be tried again."""
        self.broken += 1
        asked = getattr(stage.step, "checkpoint", None) if stage.cells else None
        body = FaultRecord(
            stage=doing,
            cause=broken.cause,
            error=broken.error,
            message=broken.message,
            step=stage.index,
            checkpoint=cell.checkpoint if cell else asked,
            question=cell.question.question_id if cell else None,
            arm=cell.arm if cell else None,
            take=cell.take if cell else FIRST,
        )
        self.journal.append(key, body, "fault")
        self.place.watch("fault", 1)

    def first_missing(self, stage: Stage) -> RecordKey:
        """The key that a later success will fill first, from *stage* on, so that it clears the fault."""
        keys = [key for later in self.trial.stages[stage.index :] for key in _keys_in_order(later)]
        return next((key for key in keys if key not in self.journal.done), stage.after)

    def unavailable(self, cell: Cell, why: str) -> None:
        """Record that a cell cannot be filled at all; what it shares with an earlier take is that one's to record."""
        body = UnavailableRecord(
            checkpoint=cell.checkpoint, question=cell.question.question_id, arm=cell.arm, why=why, take=cell.take
        )
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
        """Record what was found: its content once, then which question found it."""
        content = None if recall is None else self._content(recall)
        body = RecallRecord(
            checkpoint=cell.checkpoint,
            question=cell.question.question_id,
            arm=cell.arm,
            content=content,
            take=cell.take,
        )
        self.put(cell.recall, body, "recall")

    def measure(self, key: RecordKey, **facts: float | str) -> None:
        """Note seconds and the like: outside the run's identity."""
        self._measures.append({"key": key, **facts})

    def save_measures(self) -> None:
        """Append the notes so far."""
        facts, self._measures = self._measures, []
        with Measures(self.place.folder.trial(self.trial.trial_id)) as notes:
            for one in facts:
                notes.note(one)

    def sync(self) -> None:
        """Return when all is on the disk."""
        self.save_measures()
        self.journal.sync()

    def _content(self, recall: Recall) -> RecordKey:
        body = stored_content(recall, self.shown)
        key = RecordKey(digest(encode(body)))
        self.put(key, body, "content")
        return key


def stored_content(recall: Recall, shown: VisibleMessages) -> ContentRecord:
    """A recall as it is stored: messages that the steps show by id, all else in full."""
    return ContentRecord(
        items=tuple(_stored_item(item, shown) for item in recall.items), order=recall.order, rendered=recall.rendered
    )


def recall_of(content: ContentRecord, shown: VisibleMessages) -> Recall:
    """A recall as it was stored, its messages looked up again."""
    return Recall(
        items=tuple(_recall_item(item, shown) for item in content.items), order=content.order, rendered=content.rendered
    )


def _stored_item(item: RecallItem, shown: VisibleMessages) -> StoredItem:
    score = None if item.score is None else round(item.score, SCORE_DIGITS)
    if item.message is not None and item.message.message_id in shown.messages:
        return StoredItem(message=item.message.message_id, score=score)
    return StoredItem(text=item.text, sources=item.sources, unit=item.unit_id, said_at=item.said_at, score=score)


def _recall_item(item: StoredItem, shown: VisibleMessages) -> RecallItem:
    if item.message is not None:
        message = shown.messages[item.message]
        return RecallItem(
            text=message.text,
            sources=(item.message,),
            unit_id=UnitId(item.message),
            said_at=message.said_at,
            score=item.score,
            message=message,
        )
    return RecallItem(
        text=item.text or "",
        sources=tuple(MessageId(s) for s in item.sources),
        unit_id=UnitId(item.unit) if item.unit else None,
        said_at=item.said_at,
        score=item.score,
    )


def _keys_in_order(stage: Stage) -> Iterator[RecordKey]:
    """The keys of a stage, in the order in which they are filled."""
    if stage.check is not None:
        yield stage.check
    if stage.after != stage.before:
        yield stage.after
    for cell in stage.cells:
        yield from (cell.recall, cell.answer)
