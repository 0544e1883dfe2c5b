"""What becomes of states that change: how much of a score is memory's, and at which stage states were lost.

A user is a history; a period is the time up to one of its Asks, as the label `period` counts them. Ratios lie in
[0, 1] but for memory scores, which are below 0 where a row is worse than guessing and may be above 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from recollect.domain.ids import HistoryId
from recollect.records.tables.cells import Estimate, RowKind

BoundSource = Literal["choices", "oracle", "none"]
"""Each choice's states told outright; the oracle's answer to the same question; nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPeriod:
    """One user in one period: what a memory score is made of."""

    history: HistoryId
    period: int
    overall: float | None
    """Mean over the questions of which score, chance and bound are known, as are the two below."""
    chance: float | None
    upper_bound: float | None
    memory: float | None
    """`None` where the bound is what guessing gets, or nothing is known."""
    dropped: bool
    """The bound is what guessing gets."""
    missing: int
    """Questions of which the score or the bound is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateScores:
    """Scores of one period, or of all."""

    overall: Estimate
    """Over all answers that count."""
    hamming: Estimate
    jaccard: Estimate
    chance: float | None
    """Of guessing, over the same answers."""
    upper_bound: Estimate
    memory: Estimate
    """Mean over users and periods of the way from guessing to the bound: the authors' number."""
    ratio_of_means: Estimate
    """The same of the means; another number, for which no cell is dropped."""
    cells: int
    """Users and periods, those without a memory score too."""
    dropped: int
    """Of them those whose bound is what guessing gets."""
    missing: int
    """Questions of which the score or the bound is not known; in no memory score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLosses:
    """Where states and answers of one period, or of all, were lost."""

    write: Estimate
    """Share of the states that were not known even right after they were last told."""
    read: Estimate
    """Share of the states that were known then, and are not now."""
    fates: Mapping[str, int] = field(default_factory=dict)
    """States by what became of them: known, write, read, undecided."""
    endings: Mapping[str, int] = field(default_factory=dict)
    """Questions by what became of them: right, lucky, write, read, utilisation, undecided."""
    shares: Mapping[str, Estimate] = field(default_factory=dict)
    """The same as shares of the decided questions; a wrong answer is put down to one stage alone."""
    utilisation_when_known: Estimate
    """Share of wrong answers among the questions of which every state was known."""
    without: Mapping[str, int] = field(default_factory=dict)
    """Reason -> questions that are not decided; they sum to the undecided endings."""
    states_without: Mapping[str, int] = field(default_factory=dict)
    """Reason -> states that are not decided; they sum to the undecided fates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateNumbers:
    """One period of a row, or all of it."""

    period: int | None
    """`None`: all periods."""
    scores: StateScores
    losses: StateLosses


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpread:
    """One number of several runs of the same row."""

    mean: float
    sd: float
    """Sample standard deviation: over runs, not of their mean."""
    values: tuple[float, ...]
    """In the order of the replicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """How far a row's numbers lie apart when everything is ingested again; all runs share one upper bound."""

    runs: int
    """Replicates that were planned."""
    overall: RunSpread | None = None
    memory: RunSpread | None = None
    why: str = ""
    """Why a spread is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """One row on one task whose keys tell which states each question needs."""

    task: str
    row: str
    kind: RowKind
    reference: bool
    bound: BoundSource
    """Where the upper bound comes from."""
    withheld: str = ""
    """Why the scores are not to be shown as a result; empty where nothing stands against it."""
    undiagnosed: str = ""
    """Why there is no diagnosis; empty where there is one."""
    whole: StateNumbers
    periods: tuple[StateNumbers, ...] = ()
    users: tuple[UserPeriod, ...] = ()
    stability: Stability | None = None
    """`None` where nothing was ingested more than once."""
