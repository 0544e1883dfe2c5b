"""What became of cells, in the words of the page: right and wrong are told apart, and nothing missing is a zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.records.summary import CellOutcome

OutcomeName = Literal["right", "partly", "wrong", "abstained", "undecided", "fault", "not available", "unfinished"]
OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)
MEANINGS: Mapping[OutcomeName, str] = {
    "right": "value 1",
    "partly": "value between 0 and 1",
    "wrong": "value 0",
    "abstained": "declined to answer; counts, with 1 where that is right",
    "undecided": "the judge gave nothing usable; not in the mean",
    "fault": "something broke; not in the mean",
    "not available": "the system cannot do this; not in the mean",
    "unfinished": "not asked yet; not in the mean",
}
ARMS = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK, Arm.READBACK_PURE)
"""In the order of the tables."""


class Asked(NamedTuple):
    """Cells that one bar counts."""

    task: str
    row: str
    arm: Arm
    purpose: Purpose


def outcome_of(cell: CellOutcome) -> OutcomeName:
    """The outcome by which the page sorts a cell."""
    if cell.status == "scored":
        return "right" if cell.value == 1.0 else "wrong" if not cell.value else "partly"
    return "not available" if cell.status == "not_available" else cell.status


def outcome_counts(cells: Iterable[CellOutcome]) -> Mapping[Asked, Counter[OutcomeName]]:
    """How many cells of each task, row, arm and purpose came to what."""
    counts: dict[Asked, Counter[OutcomeName]] = {}
    for cell in cells:
        name = Asked(cell.task, cell.row, cell.arm, cell.purpose)
        counts.setdefault(name, Counter())[outcome_of(cell)] += 1
    return counts
