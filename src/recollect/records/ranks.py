"""The same rows in two runs: their scores, their ranks, and what became of the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.records.cells import Estimate, RowKind


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
