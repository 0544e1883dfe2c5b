"""The main table: per task, row and arm what was planned, what counts, and the mean over what counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from recollect.diagnose.estimates import (
    Estimator,
    Inferred,
    Values,
    asked_of,
    by_question,
    counted_value,
    per_question,
    rounded,
    rounded_mean,
    tally,
)
from recollect.diagnose.grid import Block, Grid
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Counts, Number, PartNumber

FEW_VALUES = 12
"""Labels with more values make no strata."""
NO_STRATA = frozenset({"thread", "probe_of", "bound_of", "written", "states"})
"""Labels that link or describe single questions instead of grouping them."""


class Slice(NamedTuple):
    block: Block
    label: str | None = None
    stratum: str | None = None


_Wanted = tuple[Slice, str | None]


def numbers(grid: Grid, estimator: Estimator) -> tuple[Number, ...]:
    """One number for each task, row, arm and purpose that was planned."""
    return _numbers({Slice(block): cells for block, cells in grid.blocks.items()}, estimator, parts=True)


def strata(grid: Grid, estimator: Estimator) -> tuple[Number, ...]:
    """The same for each value of each label that has few; without parts."""
    slices: dict[Slice, list[CellOutcome]] = {}
    labels = {task: _few_valued(grid, task) for task in grid.tasks}
    for block, cells in grid.blocks.items():
        for label in labels[block.task]:
            for cell in cells:
                if label in cell.labels:
                    slices.setdefault(Slice(block, label, cell.labels[label]), []).append(cell)
    ordered = dict(sorted(slices.items(), key=lambda pair: (pair[0].block, pair[0].label, pair[0].stratum)))
    return _numbers(ordered, estimator, parts=False)


def counts_of(cells: Iterable[CellOutcome]) -> Counts:
    by_status: Counter[str] = Counter(cell.status for cell in cells)
    return Counts(planned=by_status.total(), **by_status)


def marks_of(cells: Sequence[CellOutcome]) -> tuple[str, ...]:
    """What a reader must know about how these cells were asked."""
    marks = {cell.state for cell in cells} & {"order_dependent", "not_proven"}
    if any(cell.kind == "agent" for cell in cells):
        marks.add("its_own_context")
    return tuple(sorted(marks))


def _few_valued(grid: Grid, task: str) -> list[str]:
    """Labels of a task that group its questions: at most twelve values, and on average two questions for each."""
    cells = [cell for block, cells in grid.blocks.items() if block.task == task for cell in cells]
    values: dict[str, set[str]] = {}
    for cell in cells:
        for label, value in cell.labels.items():
            values.setdefault(label, set()).add(value)
    most = min(FEW_VALUES, len({asked_of(cell) for cell in cells}) // 2)
    return sorted(name for name, seen in values.items() if 2 <= len(seen) <= most and name not in NO_STRATA)


def _numbers(slices: Mapping[Slice, Sequence[CellOutcome]], estimator: Estimator, *, parts: bool) -> tuple[Number, ...]:
    wanted: dict[_Wanted, Values] = {}
    strict: dict[Slice, float | None] = {}
    for name, cells in slices.items():
        grouped = by_question(cells)
        wanted[name, None] = per_question(grouped, counted_value)
        for part in _part_names(cells) if parts else ():
            wanted[name, part] = per_question(grouped, partial(part_value, name=part))
        with_zeros = per_question(grouped, lambda cell: counted_value(cell) or 0.0)
        strict[name] = rounded_mean(list(with_zeros.values()))
    found = estimator.named(wanted)
    return tuple(_number(name, cells, strict[name], found) for name, cells in slices.items())


def _part_names(cells: Iterable[CellOutcome]) -> list[str]:
    return list(dict.fromkeys(part.name for cell in cells for part in cell.parts))


def part_value(cell: CellOutcome, name: str) -> float | None:
    """The value of one part of an answer that counts."""
    if counted_value(cell) is None:
        return None
    return next((part.value for part in cell.parts if part.name == name), None)


def _number(
    name: Slice, cells: Sequence[CellOutcome], strict: float | None, found: Mapping[_Wanted, Inferred]
) -> Number:
    counts, block = counts_of(cells), name.block
    counted = [cell for cell in cells if counted_value(cell) is not None]
    answered = [cell for cell in cells if cell.context_tokens is not None]
    parts = [
        PartNumber(
            name=part,
            score=found[name, part].estimate,
            undefined=sum(part_value(cell, part) is None for cell in counted),
        )
        for part in ([] if name.label else _part_names(cells))
    ]
    return Number(
        task=block.task,
        row=block.row,
        kind=cells[0].kind,
        reference=cells[0].reference,
        arm=block.arm,
        purpose=block.purpose,
        label=name.label,
        stratum=name.stratum,
        counts=counts,
        causes=tally(cell.cause or "score" for cell in cells if cell.status == "fault"),
        reasons=tally(cell.why for cell in cells if cell.status == "not_available"),
        coverage=rounded(counts.counted / counts.planned),
        score=found[name, None].estimate,
        strict=strict,
        parts=tuple(parts),
        context_tokens=rounded_mean([cell.context_tokens or 0 for cell in answered]),
        truncated=rounded_mean([int(cell.truncated) for cell in answered]),
        marks=marks_of(cells),
        replicates=len({cell.replicate for cell in cells}),
        takes=len({cell.take for cell in cells}),
    )
