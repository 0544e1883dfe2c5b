"""The main table: per task, row and arm what was planned, what counts, and the mean over what counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from recollect.diagnose.estimates import (
    Asked,
    Estimator,
    Inferred,
    Values,
    asked_of,
    by_question,
    counted_value,
    per_question,
    rounded,
)
from recollect.diagnose.grid import Block, Grid
from recollect.records.tables.summary import CellOutcome, Counts, Number, PartNumber

FEW_VALUES = 12
"""A label with more distinct values makes no strata, nor one that names nearly every question."""
NO_STRATA = frozenset({"thread", "probe_of", "bound_of", "written", "states"})
"""Labels that join questions, or tell of one, instead of sorting them."""


class Slice(NamedTuple):
    """A block, or one stratum of it."""

    block: Block
    label: str | None = None
    stratum: str | None = None


class _Wanted(NamedTuple):
    """One mean of a slice: the score itself, or a part of it."""

    slice: Slice
    part: str | None = None


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
    """Cells by status."""
    by_status: Counter[str] = Counter(cell.status for cell in cells)
    return Counts(planned=by_status.total(), **by_status)


def marks_of(cells: Iterable[CellOutcome]) -> tuple[str, ...]:
    """What a reader must know of how these cells were asked."""
    marks = {cell.state for cell in cells} & {"order_dependent", "not_proven"}
    if any(cell.kind == "agent" for cell in cells):
        marks.add("its_own_context")
    return tuple(sorted(marks))


def _few_valued(grid: Grid, task: str) -> list[str]:
    """Labels of a task that sort its questions: at most twelve values, and on average two questions for each."""
    cells = [cell for block, cells in grid.blocks.items() if block.task == task for cell in cells]
    values: dict[str, set[str]] = {}
    for cell in cells:
        for label, value in cell.labels.items():
            values.setdefault(label, set()).add(value)
    most = min(FEW_VALUES, len({asked_of(cell) for cell in cells}) // 2)
    return sorted(name for name, seen in values.items() if 2 <= len(seen) <= most and name not in NO_STRATA)


def _numbers(slices: Mapping[Slice, Sequence[CellOutcome]], estimator: Estimator, *, parts: bool) -> tuple[Number, ...]:
    wanted: dict[_Wanted, Values] = {}
    stricter: dict[Slice, float | None] = {}
    for name, cells in slices.items():
        grouped = by_question(cells)
        wanted[_Wanted(name)] = per_question(grouped, counted_value)
        for part in _part_names(cells) if parts else ():
            wanted[_Wanted(name, part)] = per_question(grouped, partial(part_value, name=part))
        stricter[name] = _strict_mean(grouped)
    found = estimator.named(wanted)
    return tuple(_number(name, cells, stricter[name], found) for name, cells in slices.items())


def _strict_mean(grouped: Mapping[Asked, Sequence[CellOutcome]]) -> float | None:
    """The mean with everything that is missing taken as 0."""
    values = per_question(grouped, lambda cell: counted_value(cell) or 0.0)
    return rounded(sum(values.values()) / len(values)) if values else None


def _part_names(cells: Iterable[CellOutcome]) -> list[str]:
    """In the order in which the score names them first."""
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
    answered = [cell for cell in cells if cell.context_tokens is not None]
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
        causes=_tally(cell.cause or "score" for cell in cells if cell.status == "fault"),
        reasons=_tally(cell.why for cell in cells if cell.status == "not_available"),
        coverage=rounded(counts.counted / counts.planned),
        score=found[_Wanted(name)].estimate,
        strict=strict,
        parts=()
        if name.label
        else tuple(_part(part, cells, found[_Wanted(name, part)]) for part in _part_names(cells)),
        context_tokens=_mean([cell.context_tokens or 0 for cell in answered]),
        truncated=_mean([int(cell.truncated) for cell in answered]),
        marks=marks_of(cells),
        replicates=len({cell.replicate for cell in cells}),
        takes=len({cell.take for cell in cells}),
    )


def _part(name: str, cells: Sequence[CellOutcome], found: Inferred) -> PartNumber:
    counted = [cell for cell in cells if counted_value(cell) is not None]
    lacking = sum(part_value(cell, name) is None for cell in counted)
    return PartNumber(name=name, score=found.estimate, undefined=lacking)


def _mean(values: Sequence[int]) -> float | None:
    return rounded(sum(values) / len(values)) if values else None


def _tally(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
