"""The columns of a paper's tables from the cells of a run; how they are made up is the card's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.contracts.tables import Column, PaperTable
from recollect.diagnose.estimates import (
    Estimator,
    as_estimate,
    by_question,
    counted_value,
    mean_of,
    nothing,
    per_question,
    question_means,
)
from recollect.diagnose.grid import Grid
from recollect.diagnose.headlines import why_unfit
from recollect.records.tables.cells import CellOutcome, Estimate
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


def _line(table: PaperTable, row: str, grid: Grid, estimator: Estimator) -> PaperLine:
    found: dict[str, Estimate] = {}
    papers: dict[str, Estimate] = {}
    for column in table.columns:
        cells = {task: _cells(column, task, row, grid) for task in column.tasks}
        if column.columns:
            found[column.name] = mean_of({name: found[name] for name in column.columns})
        elif column.over == "tasks":
            found[column.name] = mean_of({task: _mean(mine, estimator, task) for task, mine in cells.items()})
        elif missing := [task for task, mine in cells.items() if not mine]:
            found[column.name] = nothing(f"lacks {', '.join(missing)}")
        else:
            pooled = [cell for mine in cells.values() for cell in mine]
            found[column.name] = _mean(pooled, estimator, column.name)
            if table.strata and found[column.name].estimate is not None:
                papers[column.name] = _stratified(pooled, table.strata, estimator)
    return PaperLine(row=row, kind=grid.kinds[row], reference=row in grid.references, columns=found, paper=papers)


def _cells(column: Column, task: str, row: str, grid: Grid) -> list[CellOutcome]:
    cells = grid.own(task, row)
    return [cell for cell in cells if not column.label or cell.labels.get(column.label) == column.value]


def _mean(cells: Sequence[CellOutcome], estimator: Estimator, name: str) -> Estimate:
    if not cells:
        return nothing(f"nothing of {name} is in this run")
    if unfit := why_unfit(cells):
        return nothing(unfit)
    why = next((cell.why for cell in cells if cell.status == "not_available"), "no answers that count")
    return estimator.one(question_means(cells), why).estimate


def _stratified(cells: Sequence[CellOutcome], label: str, estimator: Estimator) -> Estimate:
    """The mean with the paper's interval; questions without the label form a stratum of their own."""
    grouped = by_question(cells)
    values = sorted(per_question(grouped, counted_value).items())
    interval = stratified_interval(
        [value for _, value in values],
        [grouped[asked][0].labels.get(label, "") for asked, _ in values],
        rng_seed=estimator.seed,
    )
    return as_estimate(interval)
