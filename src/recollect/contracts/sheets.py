"""What people should judge of a benchmark's data: items on scales, before any are sampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Best = Literal["first", "last", "none"]
"""Which end of a scale is good; `none`: its points are names without an order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The labels of a rating."""

    points: Mapping[str, str]
    """Label -> meaning, which may be empty; in order."""
    best: Best

    def value(self, point: str) -> float | None:
        """*point* as a ratio, 1 is best; `None` on a scale without order."""
        if self.best == "none" or len(self.points) < 2:
            return None
        share = list(self.points).index(point) / (len(self.points) - 1)
        return share if self.best == "last" else 1 - share


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetItem:
    """One item to judge; what raters may not see goes into a separate file."""

    item: str
    """Its name in the data."""
    group: str
    """Items of a group are sampled together, such as all states of one dialogue."""
    cluster: str
    """Items of a cluster are correlated, such as all of one user: intervals resample clusters."""
    text: str
    """What is judged."""
    question: str
    scale: Scale
    gold: str = ""
    """The right label, if there is one."""
    rules: str = ""
    """The label of a checker without a model; empty if it has none."""
    judge: str = ""
    """The label of the judge that people are compared with; empty without a verdict."""
    origin: str = ""
    """Where the text is from, such as a row and an arm; hidden from raters."""
    stratum: str = ""
    """About as many groups are sampled from each; all items of a group are in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All items of one kind."""

    name: str
    meaning: str
    """What people judge, in a sentence."""
    sample: int
    """Groups sampled by default."""
    items: tuple[SheetItem, ...] = ()
    why: str = ""
    """Why there are no items."""
