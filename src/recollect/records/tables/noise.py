"""How much of a score is noise, by the stage that it comes from, and the difference that noise alone makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recollect.domain.steps import Arm

RepeatedStage = Literal["ingest", "answer", "judge"]
"""In the order in which they hold one another: an ingest is answered, an answer is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseComponent:
    """What one stage adds to the variance of a single verdict on a single answer."""

    stage: RepeatedStage
    variance: float | None
    """`None` where it cannot be told; `why` says so."""
    df: int = 0
    """Degrees of freedom; of ingest: repeated ingests, which the questions of a history share."""
    clamped: bool = False
    """The estimate was negative and stands as 0: less than this run can tell from 0."""
    holds: tuple[RepeatedStage, ...] = ()
    """Stages inside it that were not repeated: their noise cannot be told from its own."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """95 % of the differences between two single runs of one and the same system are smaller."""

    half_width: float | None
    """`None` where it is unknown; `why` says so."""
    source: RepeatedStage | None = None
    """The outermost stage that was repeated: noise of the stages around it is not in the floor."""
    runs: int = 0
    n: int = 0
    """Questions that all runs have."""
    clusters: int = 0
    df: float = 0.0
    level: float = 0.95
    method: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The noise of one row on one task."""

    task: str
    row: str
    arm: Arm
    components: tuple[NoiseComponent, ...]
    """Ingest, answer, judge."""
    floor: NoiseFloor
    deterministic: bool = False
    """No repeat differed, in words or in verdicts: this system repeats itself."""
