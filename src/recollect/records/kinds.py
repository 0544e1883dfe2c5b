"""What a run's journals hold: one dataclass a kind of record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.domain.ids import CheckpointId, Digest, MessageId, QuestionId, RecordKey
from recollect.domain.messages import Message
from recollect.domain.outcomes import Verdict
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRecord:
    """A step that changed what the system holds."""

    step: int
    """Its index in the episode."""
    did: Literal["observe", "converse", "evolve", "ask"]
    writes: Mapping[str, int] = field(default_factory=dict)
    """Receipts by status."""
    units: Digest | None = None
    """Of the unit ids in the receipts."""
    talk: tuple[Message, ...] = ()
    pieces: Mapping[MessageId, MessageId] = field(default_factory=dict)
    """Piece -> the shown message it was cut from, where the feeder had to split one."""
    policy: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRecord:
    """Whether asking left the system as it was."""

    checkpoint: CheckpointId
    state: Literal["unchanged", "changed", "not_proven", "restored", "order_dependent"]
    units: int | None = None
    """Things held, if the system can list them."""
    before: Digest | None = None
    after: Digest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """An item of a recall; messages as they were shown are stored by id."""

    message: MessageId | None = None
    text: str | None = None
    sources: tuple[MessageId, ...] = ()
    unit: str | None = None
    said_at: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentRecord:
    """The content of a recall, stored once however many questions found it. Its key is its digest."""

    items: tuple[StoredItem, ...] = ()
    order: Literal["ranked", "time"] = "ranked"
    rendered: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """What was found for a question."""

    checkpoint: CheckpointId
    question: QuestionId
    arm: Arm
    content: RecordKey | None
    """`None` where an agent does not tell."""
    take: Take = FIRST
    """Of an agent, which is asked again for each answer; a memory is searched once for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """What was answered."""

    checkpoint: CheckpointId
    question: QuestionId
    arm: Arm
    text: str
    abstained: bool = False
    prompt: str = ""
    """Digest of the template."""
    context_tokens: int = 0
    truncated: bool = False
    take: Take = FIRST
    """Shared by the takes that only judge it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnavailableRecord:
    """A cell that this system or reader cannot fill; settled, and never a zero."""

    checkpoint: CheckpointId
    question: QuestionId
    arm: Arm
    why: str
    take: Take = FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRecord:
    """What the judge said."""

    checkpoint: CheckpointId
    question: QuestionId
    arm: Arm
    verdict: Verdict
    take: Take = FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRecord:
    """Something broke. Never *done*: a resume tries again, and the last try counts."""

    stage: str
    cause: str
    """A short name from the list of causes."""
    error: str
    message: str
    step: int
    checkpoint: CheckpointId | None = None
    question: QuestionId | None = None
    arm: Arm | None = None
    take: Take = FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotRecord:
    """A saved state that may be used; its folder was renamed into place before this line."""

    step: int
    folder: str
    fingerprint: Digest | None = None
    """Of all that the system listed when it was saved: what is loaded must list the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRecord:
    """Records before this line do not count: all of them, or those named."""

    reason: str
    keys: tuple[RecordKey, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTry:
    """A reply of a maker that could not be used."""

    checks: tuple[str, ...]
    """The checks that it did not pass."""
    problems: tuple[str, ...]
    """As reported to the model."""
    said: str = ""
    """Its beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeRecord:
    """What a model made for one part of an item, in one step."""

    item: str
    step: str
    part: str = ""
    value: Any
    failed: tuple[FailedTry, ...] = ()
    """Tries before the one that counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedRecord:
    """A part that a model could not make, and why; settled, and not tried again."""

    item: str
    step: str
    part: str = ""
    check: str
    """The check that the last try did not pass."""
    failed: tuple[FailedTry, ...]


BODIES: Mapping[str, type[Any]] = {
    "state": StateRecord,
    "check": CheckRecord,
    "content": ContentRecord,
    "recall": RecallRecord,
    "answer": AnswerRecord,
    "unavailable": UnavailableRecord,
    "verdict": VerdictRecord,
    "fault": FaultRecord,
    "snapshot": SnapshotRecord,
    "void": VoidRecord,
    "made": MadeRecord,
    "rejected": RejectedRecord,
}
OUTSIDE_IDENTITY = frozenset({"snapshot", "void"})
"""Not part of a run's identity: they describe how the work went."""
NEVER_DONE = frozenset({"fault", "void"})
UNPLANNED = frozenset({"content", "snapshot", "fault", "void"})
"""Kinds that no plan contains."""
