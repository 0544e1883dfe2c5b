"""What `diagnose` makes of a run and `report` shows: cells, and the tables made of them.

Ratios lie in [0, 1]; what is undefined is `None` with its reason. What was planned and came to nothing is there too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.records.provenance import ProvenanceKind
from recollect.records.tables.cells import AnswerOwner, Estimate, RowKind
from recollect.records.tables.costs import Costs
from recollect.records.tables.noise import Noise, NoiseFloor


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFacts:
    """What a table must say of a task, from the card."""

    task: str
    meaning: str
    measure: str
    chance: float | None
    floor: str
    ceiling: str
    judged: bool
    binary: bool
    parts: Mapping[str, str] = field(default_factory=dict)
    questions: int = 0
    """Asked in this run, probes left out."""
    histories: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFacts:
    """What a table must say of a row."""

    row: str
    kind: RowKind
    answer_owner: AnswerOwner
    """The prompt of the benchmark binds only rows whose answers are the harness's."""
    reference: bool
    system: Mapping[str, Any]
    conditions: Mapping[str, Any] = field(default_factory=dict)
    """What must be equal for two rows to share a table: track, preset, budget, reader, judge."""
    marks: tuple[str, ...] = ()
    """`order_dependent`, `not_proven`, `its_own_context` (an agent: budget and hidden options are its promise)."""
    writes: Mapping[str, int] = field(default_factory=dict)
    models_on_write: bool = False
    ran: ProvenanceKind
    """Only a row that *ran* has a score."""
    ran_why: str = ""
    """What stands in the system's place, or why it is not run here and how to get it; part of no identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Cells by what became of them; they sum to `planned`."""

    planned: int = 0
    scored: int = 0
    abstained: int = 0
    undecided: int = 0
    fault: int = 0
    not_available: int = 0
    unfinished: int = 0

    @property
    def counted(self) -> int:
        return self.scored + self.abstained


@dataclass(frozen=True, slots=True, kw_only=True)
class PartNumber:
    """Mean of one named part over the answers that have it."""

    name: str
    score: Estimate
    undefined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One task × row × arm, as a whole or one stratum of it."""

    task: str
    row: str
    kind: RowKind
    reference: bool
    arm: Arm
    purpose: Purpose = "score"
    """Probes are never in one mean with scored questions."""
    label: str | None = None
    """`None` for the whole task, else the label whose value is `stratum`."""
    stratum: str | None = None
    counts: Counts
    causes: Mapping[str, int] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)
    coverage: float | None
    score: Estimate
    """Over scored and abstained answers alone."""
    strict: float | None
    """The mean with all that is missing taken as 0; never a headline."""
    parts: tuple[PartNumber, ...] = ()
    context_tokens: float | None = None
    """Mean per answer; `None` where the harness made no context."""
    truncated: float | None = None
    """Share of the answers whose context was cut."""
    marks: tuple[str, ...] = ()
    replicates: int = 1
    takes: int = 1
    """Answers and verdicts that a question gets in one replicate; `counts` are of these, `score` is of questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a rule that reads nothing would reach."""

    task: str
    name: Literal["chance", "constant", "longest_option", "shortest_option", "abstain", "clarify", "refuse", "empty"]
    score: Estimate
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The primary measure of a row on a task, with its memory lift, or why it is withheld."""

    task: str
    row: str
    measure: str
    score: Estimate
    floor: Estimate
    ceiling: Estimate
    lift: Estimate
    """(score - floor) / (ceiling - floor) on the questions that all three have."""
    saturated: bool = False
    """Within 2 standard errors of the ceiling: the task cannot tell this row from perfect memory."""
    withheld: str = ""
    """Why there is no headline; empty where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallCell:
    """One of the eight corners: right or wrong in each arm; True comes before False."""

    oracle: bool
    readback: bool
    system: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fourfold:
    """Oracle against system, with the exact McNemar test."""

    both: int
    oracle_only: int
    system_only: int
    neither: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Discordance:
    """Two rows on questions that are right or wrong, with the exact McNemar test."""

    both: int
    first_only: int
    second_only: int
    neither: int
    p: float
    """Not corrected for other tasks or values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall:
    """Where right answers get lost, of one row on one binary task; `dropped` cells lack one of the arms."""

    task: str
    row: str
    variant: Literal["readback", "readback_pure"] = "readback"
    table: tuple[WaterfallCell, ...] = ()
    n: int = 0
    dropped: int = 0
    reading: Estimate
    preservation: Estimate
    """Right under readback, of those right under oracle."""
    retrieval: Estimate
    """Right under system, of those right under oracle and readback."""
    fourfold: Fourfold | None = None
    """On all questions that have oracle and system, one pair each; `None` where there are none."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPoint:
    """Evidence recall and precision among the first items found."""

    at: str
    """`1`, `3`, `5`, `10`, `20`: items; `budget`: what the reader got to read; `all`: all that was found."""
    recall: Estimate
    """Share of the evidence, in messages of the history."""
    precision: Estimate
    """Share of the shown messages found that hold evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """How a row finds evidence on a task."""

    task: str
    row: str
    points: tuple[RetrievalPoint, ...] = ()
    """In the order 1, 3, 5, 10, 20, budget, all; empty where `why` says so."""
    questions: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    """Questions left out, by reason."""
    foreign: Estimate
    """Share of the items read back that come from no shown message with evidence."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """Where the wrong answers of a row on a task were lost."""

    task: str
    row: str
    right_from: float
    """An answer below this value is wrong: 1 for binary tasks."""
    answered: int
    wrong: int
    counts: Mapping[str, int] = field(default_factory=dict)
    """`FailureLabel` -> wrong answers; all five are named, and they sum to `wrong`."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """The same as shares of `wrong`; they sum to 1, and are empty where nothing is wrong."""
    stale: int | None = None
    """Wrong answers with an outdated value; `None` where the task has no part `stale`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """Cells lost to one cause."""

    task: str
    row: str
    stage: str
    cause: str
    cells: int
    example: str = ""
    """What one of them said; not part of a run's identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds of single calls; never part of a run's identity."""

    task: str
    row: str
    stage: str
    arm: Arm | None = None
    """`None` for `state`, which belongs to no arm."""
    calls: int
    total_s: float
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All that is said of a run."""

    run: str
    benchmark: str
    version: int
    config: Mapping[str, Any]
    conditions: Mapping[str, Any] = field(default_factory=dict)
    """Those of its entries that all rows of a table share."""
    total: Counts
    fault_share: float
    tasks: tuple[TaskFacts, ...] = ()
    rows: tuple[RowFacts, ...] = ()
    """Systems first, then reference rows; each by label."""
    numbers: tuple[Number, ...] = ()
    """By task, row, arm, purpose."""
    strata: tuple[Number, ...] = ()
    references: tuple[Reference, ...] = ()
    headlines: tuple[Headline, ...] = ()
    """Every row but the floor and the ceiling themselves, arm `system`."""
    waterfalls: tuple[Waterfall, ...] = ()
    retrieval: tuple[Retrieval, ...] = ()
    failures: tuple[Failures, ...] = ()
    faults: tuple[FaultGroup, ...] = ()
    timings: tuple[Timing, ...] = ()
    costs: Costs | None = None
    """What the calls of models took; `None` where there were none. Not part of a run's identity."""
    noise: tuple[Noise, ...] = ()
    """By task and row; empty where nothing was repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskComparison:
    """Two rows on one task, or on the questions of one value of a label, question by question."""

    task: str
    value: str | None = None
    """Of the label; `None` for the whole task."""
    measure: str
    first: float | None
    second: float | None
    difference: Estimate
    dropped: int = 0
    p: float | None = None
    p_adjusted: float | None = None
    minimum_detectable_effect: float | None = None
    """True difference that a test of this size finds four times out of five."""
    first_floor: NoiseFloor | None = None
    """How far two single runs of the first lie apart by noise alone."""
    second_floor: NoiseFloor | None = None
    verdict: Literal["win", "loss", "tie"] | None = None
    tie: str = ""
    """Why it is one: the first reason that holds."""
    over_questions: Estimate | None = None
    """The difference by a paired bootstrap over questions, as some papers have it: it does not know that those of one
    history hang together. `None` unless every question is right or wrong."""
    mcnemar: Discordance | None = None
    """The same questions counted; `None` with the bootstrap."""

    @property
    def floor(self) -> float | None:
        """The larger of the noise floors that are known: what either does against itself is no win."""
        floors = (self.first_floor, self.second_floor)
        return max((one.half_width for one in floors if one and one.half_width is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two rows, of one run or of two."""

    first: str
    second: str
    first_run: str
    second_run: str
    conditions: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[TaskComparison, ...] = ()
    by: str = ""
    """The label that was asked for."""
    parts: tuple[TaskComparison, ...] = ()
    """By task and value of that label; their p values are corrected among themselves."""
    apart: tuple[str, ...] = ()
    """Conditions in which the two differ, where that was allowed: an agent's own, each as it is on either side."""
