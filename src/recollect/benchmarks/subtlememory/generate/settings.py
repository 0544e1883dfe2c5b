"""What can be set about generated persons, the sizes that have a name, and the knobs of a size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from recollect.worlds.sizes import Sizes, at_least


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """How many persons and cases, how facts are told, and how sessions lie in time."""

    personas: int = 10
    related_cases: int = 54
    """Cases about the user, of each person; split evenly over relations, then over their sub-types."""
    unrelated_cases: int = 55
    """Cases about the world, of each person."""
    variants: int = 0
    """Facts of a case that may have several; 0 draws as many as the sub-type allows, from 2 to 4."""
    clues: int = 0
    """Details that show a fact about the user: 1 masks it, 2 enrich it; 0 draws."""
    distractors: float = 0.0
    """Sessions that belong to no case, as a share of those that do."""
    overlap: Literal["low", "high"] = "low"
    """How alike the facts of a case are told: `high` takes the same statement or errand where it can."""
    layout: Literal["year", "authors"] = "year"
    """`year` spreads each person over the whole span; `authors` lays all persons end to end, cases almost adjacent."""
    start: str = "2025-04-01"
    end: str = "2026-04-01"
    """The span, `YYYY-MM-DD`; the end is not in it."""
    gap_sessions: int = 3
    """Fewest other sessions between two of one case."""
    gap_days: int = 3
    """Fewest days between two sessions of one case."""
    held_out: bool = False
    """Facts are told only in the sentences that are held out."""

    def __post_init__(self) -> None:
        if date.fromisoformat(self.start) >= date.fromisoformat(self.end):
            raise ValueError(f"start must lie before end, got {self.start} and {self.end}")
        least = {
            "personas": 1, "related_cases": 0, "unrelated_cases": 0, "variants": 0, "distractors": 0,
            "gap_sessions": 0, "gap_days": 0,
        }  # fmt: skip
        at_least(self, least)
        if not self.related_cases + self.unrelated_cases:
            raise ValueError("a person needs a case: related_cases and unrelated_cases are both 0")
        if self.variants not in (0, 2, 3, 4):
            raise ValueError(f"variants must be 0, 2, 3 or 4, got {self.variants}")
        if self.clues not in (0, 1, 2):
            raise ValueError(f"clues must be 0, 1 or 2, got {self.clues}")
        for name, allowed in (("overlap", ("low", "high")), ("layout", ("year", "authors"))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}")


KNOBS: Mapping[str, str] = {
    "personas": "histories",
    "related_cases": "cases about the user, of each person",
    "unrelated_cases": "cases about the world, of each person",
    "variants": "facts of a case that may have several: 2, 3 or 4; 0 draws",
    "clues": "details that show a fact about the user: 1 or 2; 0 draws",
    "distractors": "sessions of no case, as a share of the others",
    "overlap": "`low` or `high`: how alike the facts of a case are told",
    "layout": "`year` or `authors`",
    "gap_sessions": "fewest other sessions between two of one case, in layout `year`",
    "gap_days": "fewest days between two sessions of one case, in layout `year`",
}
"""What may be set beside a size -> what it does."""
SIZES = Sizes(
    plain={
        "small": GenerationSettings(personas=2, related_cases=6, unrelated_cases=6),
        "base": GenerationSettings(),
        "authors": GenerationSettings(layout="authors", gap_sessions=0, gap_days=0),
    },
    without_twin=("authors",),
    knobs=KNOBS,
)
"""`authors` is `base` laid out as the published data are."""
