"""Tables that accompany a summary but are no part of a run's identity: the paper's columns, times, states, splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.records.tables.cells import Estimate, RowKind
from recollect.records.tables.policies import PolicyRow
from recollect.records.tables.states import StateRow
from recollect.records.tables.summary import Waterfall


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLine:
    """One row of a paper's table."""

    row: str
    kind: RowKind
    reference: bool
    columns: Mapping[str, Estimate]
    """In the table's order; a column that lacks a part has none of it, and says which."""
    paper: Mapping[str, Estimate] = field(default_factory=dict)
    """The same with the paper's own intervals; only columns over questions, where the table says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNumbers:
    """The columns of a paper's table, from what a run measured."""

    title: str
    note: str
    lines: tuple[PaperLine, ...]
    means: tuple[str, ...] = ()
    """Columns that are means of others."""
    strata: str = ""
    """Label by which the paper's own intervals are stratified; empty where it gives none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTime:
    """How long a row takes, by one definition for all: seconds as they passed, waits and others' load included."""

    task: str
    row: str
    contexts: int
    """Histories that were written, replicates apart."""
    construction_s: float | None
    """Mean of a context: all writes and the waiting until all can be found, indexes included; M.C. of papers."""
    questions: int
    search_s: float | None
    """Mean of a question: the memory's own search alone."""
    query_s: float | None
    """Mean of a question: from submission to answer, searching included and judging not; Q.E. of papers."""
    query_p50_s: float | None = None
    query_p95_s: float | None = None
    peak_bytes: int | None = None
    """Most memory that the system's own process took in any context."""
    peak_why: str = ""
    """Why that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplement:
    """All of it."""

    tables: tuple[PaperNumbers, ...] = ()
    times: tuple[RowTime, ...] = ()
    states: tuple[StateRow, ...] = ()
    """By task and row; empty where no question says which states it needs."""
    policies: tuple[PolicyRow, ...] = ()
    """By task and row; of rows with states whose system follows a policy."""
    splits: tuple[SplitRow, ...] = ()
    """By task, the best row first; of tasks whose card names a label to split by."""


LeakName = Literal["right_without_oracle", "right_without_readback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakPlace:
    """A question that leaks the other way."""

    history: HistoryId
    checkpoint: CheckpointId
    question: QuestionId


@dataclass(frozen=True, slots=True, kw_only=True)
class ReverseLeak:
    """Answers that are right with the memory's own search, and wrong in an arm that should be easier."""

    name: LeakName
    """Wrong with the evidence itself; wrong from what was stored of it."""
    count: int
    """Answers: of several replicates each counts."""
    questions: tuple[LeakPlace, ...] = ()
    """Whose they are, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPart:
    """One value of the label, or all of them."""

    value: str | None
    """`None`: all questions of the task."""
    score: Estimate
    """Of the arm `system`, whether the other arms were asked or not."""
    waterfall: Waterfall
    leaks: tuple[ReverseLeak, ...] = ()
    """Both, in order; empty where an arm is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRow:
    """One row on one task."""

    task: str
    row: str
    kind: RowKind
    reference: bool
    label: str
    parts: tuple[SplitPart, ...]
    """The whole first, then the values by name; with the pure readback behind where it was asked."""
