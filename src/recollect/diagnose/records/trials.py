"""The records of one trial by cell, with the faults that are not overcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.domain.ids import CheckpointId, QuestionId, RecordKey
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm
from recollect.records.digests import KEY_LENGTH
from recollect.records.kinds import (
    BODIES,
    AnswerRecord,
    CheckRecord,
    ContentRecord,
    FaultRecord,
    RecallRecord,
    StateRecord,
    UnavailableRecord,
    VerdictRecord,
)
from recollect.records.lines import body_of, schema_of
from recollect.store.journal import Journal
from recollect.store.measures import NAME, notes
from recollect.store.run_folder import RunFolder

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class CellId(NamedTuple):
    checkpoint: CheckpointId
    question: QuestionId
    arm: Arm
    take: Take = FIRST


@dataclass(slots=True)
class CellRecords:
    """The records of one cell; where a cell was recorded twice, the later record counts."""

    recall: RecallRecord | None = None
    answer: AnswerRecord | None = None
    verdict: VerdictRecord | None = None
    unavailable: UnavailableRecord | None = None
    fault: FaultRecord | None = None
    seconds: dict[str, float] = field(default_factory=dict)


class Measure(NamedTuple):
    stage: str
    arm: Arm | None
    seconds: float
    peak_bytes: int | None = None
    """Peak memory of the system's own process so far, where it reports it."""


@dataclass(slots=True)
class TrialRecords:
    facts: Mapping[str, Any]
    where: str
    cells: dict[CellId, CellRecords] = field(default_factory=dict)
    checks: dict[CheckpointId, CheckRecord] = field(default_factory=dict)
    states: list[StateRecord] = field(default_factory=list)
    contents: dict[RecordKey, ContentRecord] = field(default_factory=dict)
    faults: list[Record] = field(default_factory=list)
    """Those that belong to no cell."""
    last_seen: int = -1
    """Offset in the journal of the last record that only a working system leaves."""
    measures: list[Measure] = field(default_factory=list)

    def cell(self, name: CellId) -> CellRecords:
        """The records of a cell, with those that it shares with earlier takes; none before it was asked."""
        own = self.cells.get(name, _NOTHING)
        if name.take.judge:  # the answer of another take is judged again; a failed answer failed for both
            first = self.cell(name._replace(take=Take(answer=name.take.answer)))
            shared = first.fault if first.fault is not None and first.fault.stage != "judge" else None
            return replace(own, recall=first.recall, answer=first.answer, fault=own.fault or shared)
        if name.take.answer and self.facts["kind"] != "agent":  # read again; a failed search failed for all
            first = self.cell(name._replace(take=FIRST))
            shared = first.fault if first.fault is not None and first.fault.stage == "recall" else None
            return replace(own, recall=first.recall, fault=own.fault or shared)
        return own

    def standing_faults(self) -> list[FaultRecord]:
        """Faults of steps and checks that no later record has overcome, the earliest step first."""
        standing = [record.body for record in self.faults if is_standing(record, self.last_seen)]
        return sorted(standing, key=lambda fault: (fault.step, fault.stage, fault.cause))


SEEN_WORKING = frozenset({"state", "check", "recall"})


def is_standing(fault: Record, last_seen: int) -> bool:
    """Whether a fault still holds.

    The fault of a cell or check gives way to the record under its key. That of a state may stand under a key that
    has its record already; it is overcome by anything that the system did later, for an attempt ends with it.
    """
    return fault.body.stage != "state" or fault.offset > last_seen


_NOTHING = CellRecords()


def read_trial(folder: RunFolder, facts: Mapping[str, Any]) -> TrialRecords:
    journal = folder.journal(facts["trial"])
    trial = TrialRecords(facts=facts, where=str(journal.path))
    cell_of: dict[RecordKey, CellId] = {}
    for record in records_of(journal):
        _take(trial, record, cell_of)
        if record.kind in SEEN_WORKING:
            trial.last_seen = record.offset
    for note in notes(journal.path.with_name(NAME)):
        try:
            key, stage, seconds = RecordKey(str(note["key"])), str(note["stage"]), float(note["seconds"])
        except (ValueError, KeyError, TypeError):  # calls of models are other notes
            continue
        name, peak = cell_of.get(key), note.get("peak_bytes")
        arm = name.arm if name is not None else None
        trial.measures.append(Measure(stage, arm, seconds, peak if type(peak) is int else None))
        if name is not None:
            trial.cells[name].seconds[stage] = seconds
    return trial


def _take(trial: TrialRecords, record: Record, cell_of: dict[RecordKey, CellId]) -> None:
    body = record.body
    if isinstance(body, ContentRecord):
        trial.contents[record.key] = body
    elif isinstance(body, StateRecord):
        trial.states.append(body)
    elif isinstance(body, CheckRecord):
        trial.checks[body.checkpoint] = body
    elif isinstance(body, FaultRecord) and (body.question is None or body.arm is None):
        trial.faults.append(record)
    elif isinstance(body, RecallRecord | AnswerRecord | VerdictRecord | UnavailableRecord | FaultRecord):
        name = CellId(body.checkpoint, body.question, body.arm, body.take)  # type: ignore[arg-type]
        cell_of[record.key] = name
        setattr(trial.cells.setdefault(name, CellRecords()), record.kind, body)


_KEY_AT = len('{"key":"') + KEY_LENGTH


class Record(NamedTuple):
    """A record that counts, or the last fault under a key without a record."""

    key: RecordKey
    kind: str
    offset: int
    body: Any


def lines_of(journal: Journal) -> Iterator[tuple[RecordKey, str, int, bytes]]:
    """Key, kind, offset and line of each record and fault, in the order of the file."""
    data = journal.path.read_bytes() if journal.path.exists() else b""
    entries = [*journal.done.items(), *journal.faults.items()]
    for key, entry in sorted(entries, key=lambda pair: pair[1].offset):
        yield key, entry.kind, entry.offset, data[entry.offset : entry.offset + entry.length]


def records_of(journal: Journal) -> Iterator[Record]:
    """Each record and fault with its body, in the order of the file."""
    for key, kind, offset, line in lines_of(journal):
        body = None
        if is_newest(line, kind):
            with suppress(ValueError):  # the slow way names every problem with its path
                body = _adapter(kind).validate_json(line[_KEY_AT + len(_head(kind)) : line.rindex(b"}")])
        yield Record(key, kind, offset, body_of(line, where=str(journal.path)) if body is None else body)


def is_newest(line: bytes, kind: str) -> bool:
    """The line has the newest schema, so that its body can be decoded as it is."""
    return line.startswith(_head(kind), _KEY_AT)


@cache
def _head(kind: str) -> bytes:
    return f'","kind":"{kind}","schema":{schema_of(kind)},"body":'.encode()


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(BODIES[kind])
