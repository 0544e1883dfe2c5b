"""The one number of a row on a task, and the share of the way from floor to ceiling; or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import (
    Asked,
    Estimator,
    Inferred,
    as_estimate,
    by_question,
    counted_value,
    nothing,
    per_question,
)
from recollect.diagnose.grid import Grid
from recollect.diagnose.numbers import counts_of
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, Estimate, Headline
from recollect.stats.lift import memory_lift

MOST_FAULTS = 0.01
"""Share of a row's cells; with more there is no headline."""
SATURATED_WITHIN = 2.0
"""Standard errors of the ceiling."""


class _Bar(NamedTuple):
    """One row on one task, as a system, a floor or a ceiling."""

    row: str
    cells: Sequence[CellOutcome]
    values: Mapping[Asked, float]
    found: Inferred

    def problem(self, part: str) -> str:
        """Why nothing may be built on it; empty where nothing stands against it."""
        if not self.cells:
            return f"the run has no row `{self.row}`, which is the {part}"
        counts = counts_of(self.cells)
        if counts.unfinished:
            return f"{part} `{self.row}`: {counts.unfinished} of {counts.planned} answers are still to come"
        if counts.fault > MOST_FAULTS * counts.planned:
            share = 100 * counts.fault / counts.planned
            return f"{part} `{self.row}`: {counts.fault} of {counts.planned} answers are faults ({share:.1f} %)"
        return "" if counts.counted else f"{part} `{self.row}`: no answer counts"


def headlines(grid: Grid, cards: Mapping[str, TaskCard], estimator: Estimator) -> tuple[Headline, ...]:
    """One for each task and each row that is neither its floor nor its ceiling."""
    return tuple(headline for task in grid.tasks for headline in _of_task(grid, task, cards[task], estimator))


def _of_task(grid: Grid, task: str, card: TaskCard, estimator: Estimator) -> Iterator[Headline]:
    bars = _bars(grid, task, (card.floor, card.ceiling), estimator)
    floor, ceiling = bars[card.floor], bars[card.ceiling]
    for row, system in bars.items():
        if row not in (card.floor, card.ceiling) and system.cells and grid.kinds[row] != "oracle":
            withheld = system.problem("row") or floor.problem("floor") or ceiling.problem("ceiling")
            yield Headline(
                task=task,
                row=row,
                measure=card.measure,
                score=system.found.estimate,
                floor=floor.found.estimate,
                ceiling=ceiling.found.estimate,
                lift=nothing(withheld) if withheld else _lift((system, floor, ceiling), estimator),
                saturated=_is_saturated(system.found, ceiling.found),
                withheld=withheld,
            )


def _bars(grid: Grid, task: str, needed: tuple[str, str], estimator: Estimator) -> dict[str, _Bar]:
    """All rows of the run, and those that the card needs though the run has them not."""
    cells = {row: _cells(grid, task, row) for row in dict.fromkeys([*grid.kinds, *needed])}
    values = {row: per_question(by_question(mine), counted_value) for row, mine in cells.items()}
    found = estimator.named(values)
    return {row: _Bar(row, cells[row], values[row], found[row]) for row in cells}


def _cells(grid: Grid, task: str, row: str) -> Sequence[CellOutcome]:
    return grid.block(task, row, Arm.ORACLE if grid.kinds.get(row) == "oracle" else Arm.SYSTEM)


def _lift(bars: tuple[_Bar, _Bar, _Bar], estimator: Estimator) -> Estimate:
    shared = sorted(set.intersection(*(set(bar.values) for bar in bars)))
    score, floor, ceiling = ([bar.values[asked] for asked in shared] for bar in bars)
    histories = [asked.history for asked in shared]
    lift = memory_lift(score, floor, ceiling, histories, rng_seed=estimator.seed, level=estimator.level)
    if lift.estimate is not None and lift.low is None:  # a ratio without an interval looks surer than it is
        lift = replace(lift, estimate=None)
    return as_estimate(lift)


def _is_saturated(system: Inferred, ceiling: Inferred) -> bool:
    score, top = system.estimate.estimate, ceiling.estimate.estimate
    if score is None or top is None:
        return False
    return score >= top - SATURATED_WITHIN * (ceiling.standard_error or 0.0)
