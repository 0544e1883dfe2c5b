"""One answer as the tables see it: what was found, what was said, what became of it; and a number with its interval.

Ratios lie in [0, 1]; what is undefined is `None` with its reason.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, TrialId
from recollect.domain.outcomes import Part, Verdict
from recollect.domain.questions import Purpose
from recollect.domain.repeats import FIRST, Take
from recollect.domain.steps import Arm

SEPARATOR = "\n"
"""Between the items of a context."""
CellStatus = Literal["scored", "abstained", "undecided", "fault", "not_available", "unfinished"]
"""Those of `domain.outcomes.Status`, and `unfinished`: nothing is recorded yet."""
RowKind = Literal["memory", "agent", "oracle"]
AnswerOwner = Literal["harness", "system"]
"""Who words the answers of a row: the harness's reader with the benchmark's prompt, or the system by itself."""
FailureLabel = Literal["reading", "write", "retrieval", "use", "unknown"]
"""Wrong under the oracle too; not stored; stored but not found; found but not used; an arm is missing."""


def answer_owner(kind: RowKind) -> AnswerOwner:
    """An agent answers by itself in every arm; what a memory holds, and the evidence itself, the harness reads."""
    return "system" if kind == "agent" else "harness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, or the reason why there is none."""

    estimate: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Questions behind it; replicates of a question are averaged first."""
    clusters: int = 0
    level: float = 0.95
    method: str = ""
    """How the ends were found, in words for a table note."""
    why: str = ""
    """The reason, where the estimate or an end is undefined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledItem:
    """One thing that was found, with where it came from."""

    text: str
    sources: tuple[MessageId, ...] = ()
    """Messages as they were shown; empty where the system does not tell."""
    covers: tuple[MessageId, ...] = ()
    """Messages of the history that stand in them."""
    raw: bool = False
    """The item is one message as it was shown."""
    verbatim: bool = False
    """It is raw, or holds the text of all its sources unchanged."""
    said_at: str | None = None
    speaker: str = ""
    channel: str = ""
    score: float | None = None

    def worded(self) -> str:
        """The item as a reader gets it: a message with time, channel and speaker, all else as the system worded it.

        The engine words contexts the same way; `tests/unit/diagnose/waterfall/test_evidence.py` compares the two.
        """
        time = f"[{self.said_at}] " if self.said_at else ""
        channel = f"#{self.channel} " if self.channel else ""
        speaker = f"{self.speaker}: " if self.speaker else ""
        return f"{time}{channel}{speaker}{self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found for a question."""

    items: tuple[RecalledItem, ...] = ()
    order: Literal["ranked", "time"] = "ranked"
    rendered: str | None = None

    def by_priority(self) -> tuple[RecalledItem, ...]:
        """The items in the order in which they get into a context: a recall in time is cut at the front."""
        return self.items[::-1] if self.order == "time" else self.items


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutcome:
    """One planned cell: a question under one arm of one row, in one replicate and take, and what became of it."""

    row: str
    kind: RowKind
    reference: bool
    task: str
    trial: TrialId
    history: HistoryId
    question: QuestionId
    checkpoint: CheckpointId
    arm: Arm
    replicate: int
    take: Take = FIRST
    """Which answer, and which verdict on it; all takes share what was found."""
    purpose: Purpose = "score"
    labels: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[MessageId, ...] = ()
    status: CellStatus
    value: float | None = None
    parts: tuple[Part, ...] = ()
    why: str = ""
    """What the score says, or why there is none."""
    cause: str = ""
    """Short name of the fault; empty where there is none."""
    stage: str = ""
    """Where the fault happened: state, check, recall, answer, judge."""
    answer: str | None = None
    recall: Recalled | None = None
    """`None` where nothing is recorded, or an agent does not tell."""
    verdict: Verdict | None = None
    prompt: str = ""
    context_tokens: int | None = None
    """`None` where the harness made no context: agents, cells without an answer."""
    truncated: bool = False
    state: str = ""
    """Whether asking left the system as it was, as `records.kinds.CheckRecord.state` says."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Stage -> seconds of the last try; never part of a run's identity."""
    failure: FailureLabel | None = None
    """Where a wrong answer of the arm `system` was lost; `None` for all others."""


@dataclass
class ReadDepth:
    """How many items a reader got; neighbouring cells often share a recall, which is then measured once."""

    count: Callable[[str], int]
    """Tokens of a text."""
    _last: tuple[Recalled, list[int]] | None = None
    _raw: dict[tuple[str, str | None, str, str], int] = field(default_factory=dict)
    """Tokens of messages as they were shown, by all that is worded."""

    def items(self, cell: CellOutcome) -> int | None:
        """Items that the reader of a cell got whole; `None` where the harness cannot tell."""
        recall = cell.recall
        if recall is None or cell.context_tokens is None:
            return None
        if not cell.truncated:
            return len(recall.items)
        return None if recall.rendered is not None else bisect_right(self._ends(recall), cell.context_tokens)

    def _ends(self, recall: Recalled) -> list[int]:
        """Tokens up to the end of each item."""
        if self._last is None or self._last[0] is not recall:
            tokens = []
            for item in recall.by_priority():
                name = (item.text, item.said_at, item.speaker, item.channel)
                count = self._raw.get(name) if item.raw else None
                if count is None:
                    count = self.count(item.worded()) + self.count(SEPARATOR)
                    if item.raw:
                        self._raw[name] = count
                tokens.append(count)
            self._last = (recall, list(accumulate(tokens)))
        return self._last[1]
