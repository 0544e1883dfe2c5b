"""What broke, and how many cells it cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from recollect.diagnose.estimates import asked_of
from recollect.records.summary import CellOutcome, FaultGroup


class _Cause(NamedTuple):
    task: str
    row: str
    stage: str
    cause: str


def fault_groups(cells: Iterable[CellOutcome]) -> tuple[FaultGroup, ...]:
    """Faulted cells by task, row, stage and cause; the first one's words stand for all."""
    found: dict[_Cause, list[CellOutcome]] = defaultdict(list)
    for cell in cells:
        if cell.status == "fault":
            cause = _Cause(cell.task, cell.row, cell.stage or "score", cell.cause or "score")
            found[cause].append(cell)
    return tuple(_group(cause, lost) for cause, lost in sorted(found.items()))


def _group(cause: _Cause, lost: list[CellOutcome]) -> FaultGroup:
    first = min(lost, key=lambda cell: (asked_of(cell), cell.arm, cell.replicate, cell.take))
    return FaultGroup(**cause._asdict(), cells=len(lost), example=first.why)
