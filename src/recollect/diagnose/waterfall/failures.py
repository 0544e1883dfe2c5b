"""Where each wrong answer was lost, by what happened to the same question in the other arms.

reading    wrong under the oracle too: the reader could not do it with the evidence before its eyes
write      right under the oracle, wrong from what the memory stored of the evidence
retrieval  what was stored would have done, but the search did not bring all of it
use        the evidence stood in the context, and the answer is wrong all the same
unknown    an arm that would tell is missing, or the system was never shown the evidence
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, get_args

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import asked_of, counted_value, rounded
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.numbers import part_value
from recollect.diagnose.waterfall.evidence import ReadDepth, in_order, is_cut
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, FailureLabel, Failures, FaultGroup, RecalledItem

LABELS: tuple[FailureLabel, ...] = get_args(FailureLabel)
HALF = 0.5
"""From here on an answer of a graded task counts as right; the tables name it."""


def label_failures(cells: Sequence[CellOutcome], cards: Mapping[str, TaskCard], reach: ReadDepth) -> list[CellOutcome]:
    """The cells, with one label on each wrong answer of the arm `system`."""
    grid = grid_of(cells)
    labels: dict[int, FailureLabel] = {}
    for task in grid.tasks:
        right_from = _right_from(cards[task])
        for row, kind in grid.kinds.items():
            if kind != "oracle":
                labels.update(_of_row(grid, (task, row), right_from, reach))
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


def _of_row(
    grid: Grid, name: tuple[str, str], right_from: float, reach: ReadDepth
) -> Iterator[tuple[int, FailureLabel]]:
    """Each wrong answer, told by identity, with its label."""
    oracle, readback = grid.oracle_for(*name), grid.joined(*name, Arm.READBACK)
    for trialled, cell in grid.joined(*name, Arm.SYSTEM).items():
        if _is_right(cell, right_from) is False:
            seen = _Seen(cell, oracle.get(trialled), readback.get(trialled), right_from)
            yield id(cell), seen.label(reach)


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
        """By the first arm that tells."""
        read = _is_right(self.oracle, self.right_from)
        if read is False:
            return "reading"
        if read is None or not self._is_evidence_known() or is_cut(self.system):
            return "unknown"
        found = self._found(reach)
        if _is_right(self.readback, self.right_from) is None:
            return "use" if found and self._holds_all(_in_context(self.system, reach)) else "unknown"
        if not self._is_stored():
            return "write"
        return "use" if found else "retrieval"

    def _is_evidence_known(self) -> bool:
        """There is evidence, or the oracle shows that none is needed: nothing at all, and no text in its place."""
        shown = self.oracle.recall if self.oracle else None
        return bool(self.system.evidence) or (shown is not None and shown.rendered is None)

    def _found(self, reach: ReadDepth) -> bool:
        """All evidence stands in what the reader got; unknown counts as not found, for the readback was enough."""
        evidence = set(self.system.evidence)
        return evidence <= {message for item in _in_context(self.system, reach) for message in item.covers}

    def _is_stored(self) -> bool:
        """The readback was enough for the reader, or holds the evidence word by word."""
        if _is_right(self.readback, self.right_from):
            return True
        recall = self.readback.recall if self.readback else None
        return recall is not None and self._holds_all(recall.items)

    def _holds_all(self, items: Iterable[RecalledItem]) -> bool:
        """Every message of the evidence stands in *items* unchanged."""
        return set(self.system.evidence) <= {message for item in items if item.verbatim for message in item.covers}


def _in_context(cell: CellOutcome, reach: ReadDepth) -> tuple[RecalledItem, ...]:
    """The items that the reader got whole; of an agent all that it tells of."""
    if cell.recall is None:
        return ()
    within = reach.items(cell)
    if within is None:
        return cell.recall.items if cell.context_tokens is None else ()
    return in_order(cell.recall)[:within]


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
