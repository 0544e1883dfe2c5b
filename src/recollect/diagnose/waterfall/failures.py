"""At which stage each wrong answer failed, by what happened to the same question in the other arms.

reading    wrong under the oracle too: the reader failed with the evidence in its context
write      right under the oracle, wrong from what the memory stored of the evidence
retrieval  the stored evidence was enough, but the search did not find all of it
use        the evidence was in the context, and the answer is still wrong
unknown    the arm that would decide is missing, or the system was never shown the evidence
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, get_args

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import asked_of, counted_value, rounded
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.numbers import part_value
from recollect.diagnose.waterfall.evidence import is_cut
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, FailureLabel, ReadDepth, RecalledItem
from recollect.records.tables.summary import Failures, FaultGroup

LABELS: tuple[FailureLabel, ...] = get_args(FailureLabel)
HALF = 0.5
"""An answer of a graded task counts as right from here on; the tables say so."""


def label_failures(cells: Sequence[CellOutcome], cards: Mapping[str, TaskCard], reach: ReadDepth) -> list[CellOutcome]:
    """The cells, with one label on each wrong answer of the arm `system`."""
    grid = grid_of(cells)
    labels: dict[int, FailureLabel] = {}
    for task in grid.tasks:
        right_from = _right_from(cards[task])
        for row, kind in grid.kinds.items():
            if kind == "oracle":
                continue
            oracle, readback = grid.oracle_for(task, row), grid.joined(task, row, Arm.READBACK)
            for trialled, cell in grid.joined(task, row, Arm.SYSTEM).items():
                if _is_right(cell, right_from) is False:
                    seen = _Seen(cell, oracle.get(trialled), readback.get(trialled), right_from)
                    labels[id(cell)] = seen.label(reach)
    return [replace(cell, failure=labels[id(cell)]) if id(cell) in labels else cell for cell in cells]


def failures(grid: Grid, cards: Mapping[str, TaskCard]) -> tuple[Failures, ...]:
    """The shares of the labels, per task and row."""
    return tuple(
        _failures((task, row), grid.block(task, row, Arm.SYSTEM), _right_from(cards[task]))
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
    )


def _right_from(card: TaskCard) -> float:
    return 1.0 if card.binary else HALF


def _is_right(cell: CellOutcome | None, right_from: float) -> bool | None:
    value = None if cell is None else counted_value(cell)
    return None if value is None else value >= right_from


class _Seen(NamedTuple):
    """A wrong answer, and the same question in the other arms."""

    system: CellOutcome
    oracle: CellOutcome | None
    readback: CellOutcome | None
    right_from: float

    def label(self, reach: ReadDepth) -> FailureLabel:
        read = _is_right(self.oracle, self.right_from)
        if read is False:
            return "reading"
        evidence, shown = set(self.system.evidence), self.oracle.recall if self.oracle else None
        # without evidence, the oracle shows that none is needed: nothing at all, and no text in its place
        known = bool(evidence) or (shown is not None and shown.rendered is None)
        if read is None or not known or is_cut(self.system):
            return "unknown"
        context = _in_context(self.system, reach)
        # unknown counts as not found, for the readback was enough
        found = evidence <= {message for item in context for message in item.covers}
        if _is_right(self.readback, self.right_from) is None:
            return "use" if found and self._holds_all(context) else "unknown"
        if not self._is_stored():
            return "write"
        return "use" if found else "retrieval"

    def _is_stored(self) -> bool:
        """The readback was enough for the reader, or contains the evidence verbatim."""
        if _is_right(self.readback, self.right_from):
            return True
        recall = self.readback.recall if self.readback else None
        return recall is not None and self._holds_all(recall.items)

    def _holds_all(self, items: Iterable[RecalledItem]) -> bool:
        return set(self.system.evidence) <= {message for item in items if item.verbatim for message in item.covers}


def _in_context(cell: CellOutcome, reach: ReadDepth) -> tuple[RecalledItem, ...]:
    """The items that the reader got whole; of an agent all that it reports."""
    if cell.recall is None:
        return ()
    within = reach.items(cell)
    if within is None:
        return cell.recall.items if cell.context_tokens is None else ()
    return cell.recall.by_priority()[:within]


def _failures(name: tuple[str, str], cells: Sequence[CellOutcome], right_from: float) -> Failures:
    answered = [cell for cell in cells if counted_value(cell) is not None]
    wrong = [cell for cell in answered if not _is_right(cell, right_from)]
    found = Counter(cell.failure or "unknown" for cell in wrong)
    stale = [part_value(cell, "stale") or 0.0 for cell in wrong]
    named = any(part.name == "stale" for cell in answered for part in cell.parts)
    return Failures(
        task=name[0],
        row=name[1],
        right_from=right_from,
        answered=len(answered),
        wrong=len(wrong),
        counts={label: found[label] for label in LABELS},
        shares={label: rounded(found[label] / len(wrong)) or 0.0 for label in LABELS} if wrong else {},
        stale=sum(value >= HALF for value in stale) if named else None,
    )


def fault_groups(cells: Iterable[CellOutcome]) -> tuple[FaultGroup, ...]:
    """Faulted cells by task, row, stage and cause, with the message of the first."""
    found: dict[tuple[str, str, str, str], list[CellOutcome]] = defaultdict(list)
    for cell in cells:
        if cell.status == "fault":
            found[cell.task, cell.row, cell.stage or "score", cell.cause or "score"].append(cell)
    groups = []
    for (task, row, stage, cause), lost in sorted(found.items()):
        first = min(lost, key=lambda cell: (asked_of(cell), cell.arm, cell.replicate, cell.take))
        group = FaultGroup(task=task, row=row, stage=stage, cause=cause, cells=len(lost), example=first.why)
        groups.append(group)
    return tuple(groups)
