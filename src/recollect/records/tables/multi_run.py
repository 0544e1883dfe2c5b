"""Tables over several runs: one setting varied, and the ranks of the same rows in two runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.records.tables.cells import Estimate, RowKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationPoint:
    """The score of a row under one value."""

    value: str
    score: Estimate
    context_tokens: float | None = None
    """Mean of what the reader got; `None` where the harness made no context, or for a mean over tasks."""
    truncated: float | None = None
    """Share of the answers whose context was cut to the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationLine:
    """One row under all values."""

    row: str
    kind: RowKind
    reference: bool
    points: tuple[AblationPoint, ...]
    """One for each value that has the task, in the order in which they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationPlot:
    """All rows on one task, or over all tasks."""

    name: str
    measure: str
    lines: tuple[AblationLine, ...]
    evidence_shown: Mapping[str, float] = field(default_factory=dict)
    """Value -> share of the questions with known evidence that had all of it among what was shown; only where less
    than everything was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationRun:
    """The run behind one value."""

    value: str
    run: str
    identity: str
    conditions: Mapping[str, Any]
    """Settings that all rows share."""
    unfinished: int = 0
    fault_share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """All that is said."""

    name: str
    benchmark: str
    over: str
    """The setting."""
    crossed: tuple[str, ...] = ()
    """Further settings of which every combination has a row."""
    runs: tuple[AblationRun, ...]
    plots: tuple[AblationPlot, ...]
    """By task; where there are several, one over all of them; then the values of a label, where one was named, and what
    became of states, where states are asked."""

    @property
    def values(self) -> tuple[str, ...]:
        """In the order in which they were asked for."""
        return tuple(dict.fromkeys(run.value for run in self.runs))

    @property
    def shared(self) -> Mapping[str, Any]:
        """Conditions that are the same in all runs."""
        first, *others = (run.conditions for run in self.runs)
        return {name: said for name, said in first.items() if all(one.get(name) == said for one in others)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """One row in both runs."""

    row: str
    kind: RowKind
    reference: bool
    first: Estimate
    """Its score in the first run."""
    second: Estimate
    difference: Estimate
    """First minus second, paired on what both were asked."""
    first_rank: int | None
    """One more than the rows that are clearly better; `None` without a score."""
    second_rank: int | None
    change: int | None
    """Places lost from the first run to the second; below 0, places won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concordance:
    """Kendall's tau-b between the two runs."""

    tau: float | None
    """1: the same order; -1: the reverse; `None` where it is undefined."""
    p: float | None
    n: int
    """Rows."""
    why: str = ""
    """The reason, where it is undefined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTable:
    """All rows on one task by one measure."""

    task: str
    measure: str
    rows: tuple[RankedRow, ...]
    """The best of the first run first."""
    of_scores: Concordance
    """Of the scores as they are, however close they lie."""
    of_ranks: Concordance
    """Of the ranks, in which what cannot be told apart is a tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChange:
    """All that is said."""

    first: str
    """Name of a run."""
    second: str
    knobs: tuple[str, ...]
    """In which the two runs differ, by name."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Row -> why it has no rank."""
    tables: tuple[RankTable, ...]
