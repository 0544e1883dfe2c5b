"""The columns of a paper's tables from the cells of a run; how they are made up is the card's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.contracts.tables import Column, PaperTable
from recollect.diagnose.estimates import (
    Asked,
    Estimator,
    as_estimate,
    by_question,
    counted_value,
    mean_of,
    nothing,
    per_question,
)
from recollect.diagnose.grid import Grid
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, Estimate
from recollect.records.tables.supplement import PaperLine, PaperNumbers
from recollect.stats.strata import stratified_interval


def paper_tables(tables: Iterable[PaperTable], grid: Grid, estimator: Estimator) -> tuple[PaperNumbers, ...]:
    """The card's tables that have any of their tasks in the run."""
    return tuple(
        PaperNumbers(
            title=table.title,
            note=table.note,
            lines=tuple(_line(table, row, grid, estimator) for row in grid.kinds),
            means=tuple(column.name for column in table.columns if column.columns),
            strata=table.strata,
        )
        for table in tables
        if table.tasks & set(grid.tasks)
    )


class _Valued(NamedTuple):
    """What a column is made of."""

    cells: Sequence[CellOutcome]
    grouped: Mapping[Asked, Sequence[CellOutcome]]
    values: Mapping[Asked, float]


def _line(table: PaperTable, row: str, grid: Grid, estimator: Estimator) -> PaperLine:
    found: dict[str, Estimate] = {}
    papers: dict[str, Estimate] = {}
    for column in table.columns:
        if column.columns:
            found[column.name] = mean_of({name: found[name] for name in column.columns})
        elif column.over == "tasks":
            cells = _cells(column, row, grid)
            found[column.name] = mean_of({task: _mean(_valued(some), estimator, task) for task, some in cells.items()})
        else:
            found[column.name], values = _over_questions(column, row, grid, estimator)
            if table.strata and found[column.name].estimate is not None:
                papers[column.name] = _stratified(values, table, estimator)
    return PaperLine(row=row, kind=grid.kinds[row], reference=row in grid.references, columns=found, paper=papers)


def _cells(column: Column, row: str, grid: Grid) -> dict[str, list[CellOutcome]]:
    arm = Arm.ORACLE if grid.kinds[row] == "oracle" else Arm.SYSTEM
    return {task: _chosen(column, grid.block(task, row, arm)) for task in column.tasks}


def _chosen(column: Column, cells: Iterable[CellOutcome]) -> list[CellOutcome]:
    return [cell for cell in cells if not column.label or cell.labels.get(column.label) == column.value]


def _valued(cells: Sequence[CellOutcome]) -> _Valued:
    grouped = by_question(cells)
    return _Valued(cells, grouped, per_question(grouped, counted_value))


def _over_questions(column: Column, row: str, grid: Grid, estimator: Estimator) -> tuple[Estimate, _Valued]:
    cells = _cells(column, row, grid)
    valued = _valued([cell for some in cells.values() for cell in some])
    missing = [task for task, some in cells.items() if not some]
    if missing:
        return nothing(f"lacks {', '.join(missing)}"), valued
    return _mean(valued, estimator, column.name), valued


def _mean(one: _Valued, estimator: Estimator, name: str) -> Estimate:
    """No number where the run is not done, or too much of it broke."""
    cells = one.cells
    if not cells:
        return nothing(f"nothing of {name} is in this run")
    unfinished, faults = (sum(cell.status == status for cell in cells) for status in ("unfinished", "fault"))
    if unfinished:
        return nothing(f"{unfinished} of {len(cells)} answers are still to come")
    if faults > MOST_FAULTS * len(cells):
        return nothing(f"{faults} of {len(cells)} answers are faults")
    why = next((cell.why for cell in cells if cell.status == "not_available"), "no answers that count")
    return estimator.one(one.values, why).estimate


def _stratified(one: _Valued, table: PaperTable, estimator: Estimator) -> Estimate:
    """The same with the paper's interval; a question without the label is of a part of its own."""
    asked = sorted(one.values)
    return as_estimate(
        stratified_interval(
            [one.values[name] for name in asked],
            [one.grouped[name][0].labels.get(table.strata, "") for name in asked],
            rng_seed=estimator.seed,
            level=estimator.level,
        )
    )
