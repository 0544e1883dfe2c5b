"""The one number of a row on a task, and the share of the way from floor to ceiling; or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Asked, Estimator, Inferred, as_estimate, nothing, question_means
from recollect.diagnose.grid import Grid
from recollect.diagnose.numbers import counts_of
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.summary import Counts, Headline
from recollect.stats.lift import memory_lift

MOST_FAULTS = 0.01
"""Share of a row's cells that may be faults; a row with more has no headline."""
SATURATED_WITHIN = 2.0
"""Standard errors of the ceiling."""


class _Bar(NamedTuple):
    """One row on one task, as a system, a floor or a ceiling."""

    row: str
    cells: Sequence[CellOutcome]
    values: Mapping[Asked, float]
    found: Inferred

    def problem(self, part: str) -> str:
        """Why no headline may be computed from it; empty where one may."""
        if not self.cells:
            return f"the run has no row `{self.row}`, which is the {part}"
        counts = counts_of(self.cells)
        if counts.unfinished:
            return f"{part} `{self.row}`: {counts.unfinished} of {counts.planned} answers are still to come"
        if is_broken(counts):
            share = 100 * counts.fault / counts.planned
            return f"{part} `{self.row}`: {counts.fault} of {counts.planned} answers are faults ({share:.1f} %)"
        return "" if counts.counted else f"{part} `{self.row}`: no answer counts"


def headlines(grid: Grid, cards: Mapping[str, TaskCard], estimator: Estimator) -> tuple[Headline, ...]:
    """One for each task and each row that is neither its floor nor its ceiling."""
    return tuple(headline for task in grid.tasks for headline in _headlines_of(task, grid, cards[task], estimator))


def _headlines_of(task: str, grid: Grid, card: TaskCard, estimator: Estimator) -> Iterator[Headline]:
    # the floor and the ceiling of the card have a bar even where the run lacks their rows
    cells = {row: grid.own(task, row) for row in dict.fromkeys([*grid.kinds, card.floor, card.ceiling])}
    values = {row: question_means(mine) for row, mine in cells.items()}
    found = estimator.named(values)
    bars = {row: _Bar(row, cells[row], values[row], found[row]) for row in cells}
    floor, ceiling = bars[card.floor], bars[card.ceiling]
    top = ceiling.found.estimate.estimate
    for row, system in bars.items():
        if row in (card.floor, card.ceiling) or not system.cells or grid.kinds[row] == "oracle":
            continue
        score, margin = system.found.estimate.estimate, SATURATED_WITHIN * (ceiling.found.standard_error or 0.0)
        withheld = system.problem("row") or floor.problem("floor") or ceiling.problem("ceiling")
        yield Headline(
            task=task,
            row=row,
            measure=card.measure,
            score=system.found.estimate,
            floor=floor.found.estimate,
            ceiling=ceiling.found.estimate,
            lift=nothing(withheld) if withheld else _lift((system, floor, ceiling), estimator),
            saturated=score is not None and top is not None and score >= top - margin,
            withheld=withheld,
        )


def _lift(bars: tuple[_Bar, _Bar, _Bar], estimator: Estimator) -> Estimate:
    shared = sorted(set.intersection(*(set(bar.values) for bar in bars)))
    score, floor, ceiling = ([bar.values[asked] for asked in shared] for bar in bars)
    histories = [asked.history for asked in shared]
    lift = memory_lift(score, floor, ceiling, histories, rng_seed=estimator.seed)
    if lift.estimate is not None and lift.low is None:  # a ratio without an interval looks surer than it is
        lift = replace(lift, estimate=None)
    return as_estimate(lift)


def why_unfit(cells: Iterable[CellOutcome], what: str = "answers") -> str:
    """Why *cells* must not be summarised: some are missing, or too many are faults; empty where they may be."""
    counts = counts_of(cells)
    if counts.unfinished:
        return f"{counts.unfinished} of {counts.planned} {what} are still to come"
    return f"{counts.fault} of {counts.planned} {what} are faults" if is_broken(counts) else ""


def is_broken(counts: Counts) -> bool:
    return counts.fault > MOST_FAULTS * counts.planned
