"""Where each wrong answer was lost, by what happened to the same question in the other arms.

reading    wrong under the oracle too: the reader could not do it with the evidence before its eyes
write      right under the oracle, wrong from what the memory stored of the evidence
retrieval  what was stored would have done, but the search did not bring all of it
use        the evidence stood in the context, and the answer is wrong all the same
unknown    an arm that would tell is missing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, get_args

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Asked, asked_of, counted_value, rounded
from recollect.diagnose.grid import Grid, Trialled
from recollect.diagnose.numbers import part_value
from recollect.diagnose.reach import Reach
from recollect.domain.steps import Arm
from recollect.records.summary import CellOutcome, FailureLabel, Failures, RecalledItem

LABELS: tuple[FailureLabel, ...] = get_args(FailureLabel)
HALF = 0.5
"""From here on an answer of a graded task counts as right; the tables name it."""


class CellName(NamedTuple):
    """A labelled cell, in the arm `system`."""

    row: str
    asked: Asked
    replicate: int


Labels = Mapping[CellName, FailureLabel]


def failure_labels(grid: Grid, cards: Mapping[str, TaskCard], reach: Reach) -> dict[CellName, FailureLabel]:
    """One label for each wrong answer of the arm `system`."""
    labels: dict[CellName, FailureLabel] = {}
    for task in grid.tasks:
        right_from = _right_from(cards[task])
        for row, kind in grid.kinds.items():
            if kind != "oracle":
                labels.update(_of_row(grid, task, row, (right_from, reach)))
    return labels


def failures(grid: Grid, cards: Mapping[str, TaskCard], labels: Labels) -> tuple[Failures, ...]:
    """The shares of the labels, per task and row."""
    return tuple(
        _failures(grid, (task, row), _right_from(cards[task]), labels)
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
    )


def labelled(cells: Iterable[CellOutcome], labels: Labels) -> tuple[CellOutcome, ...]:
    """The cells with their labels."""
    return tuple(_labelled(cell, labels) for cell in cells)


def _labelled(cell: CellOutcome, labels: Labels) -> CellOutcome:
    if cell.arm is not Arm.SYSTEM or cell.purpose != "score":
        return cell
    label = labels.get(_name(cell))
    return cell if label is None else replace(cell, failure=label)


def _right_from(card: TaskCard) -> float:
    return 1.0 if card.binary else HALF


def _name(cell: CellOutcome) -> CellName:
    return CellName(cell.row, asked_of(cell), cell.replicate)


def _of_row(grid: Grid, task: str, row: str, rule: tuple[float, Reach]) -> Iterable[tuple[CellName, FailureLabel]]:
    right_from, reach = rule
    oracle, readback = grid.oracle_for(task, row), grid.joined(task, row, Arm.READBACK)
    for name, cell in grid.joined(task, row, Arm.SYSTEM).items():
        if _is_right(cell, right_from) is False:
            seen = _Seen(cell, oracle.get(name), readback.get(name), right_from)
            yield CellName(row, name.asked, name.replicate), seen.label(reach)


def _is_right(cell: CellOutcome | None, right_from: float) -> bool | None:
    value = None if cell is None else counted_value(cell)
    return None if value is None else value >= right_from


class _Seen(NamedTuple):
    """A wrong answer, and the same question in the other arms."""

    system: CellOutcome
    oracle: CellOutcome | None
    readback: CellOutcome | None
    right_from: float

    def label(self, reach: Reach) -> FailureLabel:
        """By the first arm that tells."""
        read = _is_right(self.oracle, self.right_from)
        if read is None:
            return "unknown"
        if not read:
            return "reading"
        found = self._found(reach)
        if _is_right(self.readback, self.right_from) is None:
            return "use" if found and self._holds_all(_in_context(self.system, reach)) else "unknown"
        if not self._is_stored():
            return "write"
        return "use" if found else "retrieval"

    def _found(self, reach: Reach) -> bool:
        """All evidence stands in what the reader got; unknown counts as not found, for the readback was enough."""
        evidence = set(self.system.evidence)
        return evidence <= {message for item in _in_context(self.system, reach) for message in item.covers}

    def _is_stored(self) -> bool:
        """The readback was enough for the reader, or holds the evidence word by word."""
        if _is_right(self.readback, self.right_from):
            return True
        recall = self.readback.recall if self.readback else None
        return recall is not None and bool(self.system.evidence) and self._holds_all(recall.items)

    def _holds_all(self, items: Iterable[RecalledItem]) -> bool:
        """Every message of the evidence stands in *items* unchanged."""
        return set(self.system.evidence) <= {message for item in items if item.verbatim for message in item.covers}


def _in_context(cell: CellOutcome, reach: Reach) -> tuple[RecalledItem, ...]:
    """The items that the reader got whole; of an agent all that it tells of."""
    if cell.recall is None:
        return ()
    within = reach.budget(cell)
    if within is None:
        return cell.recall.items if cell.context_tokens is None else ()
    items = cell.recall.items
    return items[len(items) - within :] if cell.recall.order == "time" else items[:within]


def _failures(grid: Grid, name: tuple[str, str], right_from: float, labels: Labels) -> Failures:
    task, row = name
    cells = grid.block(task, row, Arm.SYSTEM)
    answered = [cell for cell in cells if counted_value(cell) is not None]
    wrong = [cell for cell in answered if not _is_right(cell, right_from)]
    found = Counter(labels[_name(cell)] for cell in wrong)
    stale = [part_value(cell, "stale") for cell in wrong]
    named = any(part.name == "stale" for cell in answered for part in cell.parts)
    return Failures(
        task=task,
        row=row,
        right_from=right_from,
        answered=len(answered),
        wrong=len(wrong),
        counts={label: found[label] for label in LABELS},
        shares={label: rounded(found[label] / len(wrong)) or 0.0 for label in LABELS} if wrong else {},
        stale=sum((value or 0.0) >= HALF for value in stale) if named else None,
    )
