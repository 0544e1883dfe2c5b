"""Two rows question by question: which is better, by how much, and could the data have told?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.contracts.benchmark import Benchmark, TaskCard
from recollect.diagnose.conditions import conditions_of_row
from recollect.diagnose.estimates import (
    Asked,
    as_estimate,
    by_question,
    counted_value,
    per_question,
    rounded,
    rounded_p,
)
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.join import JoinedRun, read_run
from recollect.diagnose.noise import floor_of
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.steps import Arm
from recollect.records.noise import NoiseFloor
from recollect.records.ran import RAN, Ran
from recollect.records.summary import CellOutcome, Comparison, TaskComparison
from recollect.stats.paired import PairedComparison, compare_paired
from recollect.stats.significance import holm
from recollect.store.run_folder import RunFolder, differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One row of one run, ready to be compared."""

    run: str
    row: str
    grid: Grid
    cards: Mapping[str, TaskCard]
    conditions: Mapping[str, object]
    seed: int

    @property
    def arm(self) -> Arm:
        """Where the row's answers are."""
        return Arm.ORACLE if self.grid.kinds[self.row] == "oracle" else Arm.SYSTEM


def side_of(folder: RunFolder, row: str, benchmark: Benchmark) -> Side:
    """One row of a run.

    Raises:
        UnknownNameError: The run has no such row.
    """
    return sides_of(folder, [row], benchmark)[0]


def sides_of(folder: RunFolder, rows: Sequence[str], benchmark: Benchmark) -> list[Side]:
    """Several rows of one run, which is read once.

    Raises:
        UnknownNameError: The run has no such row.
    """
    run = read_run(folder, benchmark)
    grid = grid_of(run.cells)
    return [_side(run, grid, row, benchmark) for row in rows]


def _side(run: JoinedRun, grid: Grid, row: str, benchmark: Benchmark) -> Side:
    ran = run.standings.get(row, Ran())
    if ran.word != RAN:
        raise UsageError(f"`{row}` of run `{run.name}` has no score to compare: {ran.word}: {ran.why}")
    if row not in grid.kinds:
        raise UnknownNameError(f"row of run `{run.name}`", row, grid.kinds)
    return Side(
        run=run.name,
        row=row,
        grid=grid,
        cards=benchmark.card.tasks,
        conditions=conditions_of_row(run.config, grid.kinds[row], row),
        seed=run.seed,
    )


def compare(first: Side, second: Side, *, level: float = 0.95) -> Comparison:
    """Pair the two on every question that both have an outcome for; p values are corrected over the tasks.

    Args:
        first: The one that wins or loses.
        second: The one it is measured against.
        level: Coverage of the intervals; 1 - level is the false alarm rate of the verdicts.

    Raises:
        UsageError: The two were not run under the same conditions, or share no task; every difference is named.
    """
    _check(first, second)
    tasks = [task for task in first.grid.tasks if _cells(first, task) and _cells(second, task)]
    if not tasks:
        raise UsageError(f"{_name(first)} and {_name(second)} share no task. Compare rows that were asked the same.")
    found = _corrected({task: _pair(first, second, task, level) for task in tasks})
    return Comparison(
        first=first.row,
        second=second.row,
        first_run=first.run,
        second_run=second.run,
        conditions=first.conditions,
        tasks=tuple(_task(first.cards[task], task, found[task], _floors(first, second, task)) for task in tasks),
    )


def _check(first: Side, second: Side) -> None:
    differences = list(differ(second.conditions, first.conditions))
    if differences:
        raise UsageError(
            f"{_name(first)} and {_name(second)} were not run under the same conditions. "
            f"From the second to the first: {'; '.join(differences)}. "
            "Run both under the same ones; a difference between them would say nothing about the systems."
        )


def _name(side: Side) -> str:
    return f"`{side.row}` of run `{side.run}`"


def _cells(side: Side, task: str) -> Sequence[CellOutcome]:
    return side.grid.block(task, side.row, side.arm)


def _values(side: Side, task: str) -> dict[Asked, float]:
    return per_question(by_question(_cells(side, task)), counted_value)


Paired = tuple[PairedComparison, int]
"""A comparison, and the questions that only one side has."""


def _pair(first: Side, second: Side, task: str, level: float) -> Paired:
    ours, theirs = (_values(side, task) for side in (first, second))
    shared = sorted(set(ours) & set(theirs))
    paired = compare_paired(
        [ours[asked] for asked in shared],
        [theirs[asked] for asked in shared],
        [asked.history for asked in shared],
        rng_seed=first.seed,
        level=level,
    )
    return paired, len(set(ours) ^ set(theirs))


def _corrected(found: Mapping[str, Paired]) -> dict[str, Paired]:
    tested = [(task, paired.p) for task, (paired, _) in found.items() if paired.p is not None]
    adjusted = dict(zip([task for task, _ in tested], holm([p for _, p in tested]), strict=True))
    return {
        task: (paired.adjusted(adjusted[task]) if task in adjusted else paired, dropped)
        for task, (paired, dropped) in found.items()
    }


Floors = tuple[NoiseFloor, NoiseFloor]
"""Of the first and of the second."""


def _floors(first: Side, second: Side, task: str) -> Floors:
    return floor_of(_cells(first, task)), floor_of(_cells(second, task))


def _task(card: TaskCard, task: str, found: Paired, floors: Floors) -> TaskComparison:
    """A difference that either side has against itself is a tie, whatever the test says."""
    paired, dropped = found
    paired = paired.above(max((one.half_width for one in floors if one.half_width is not None), default=None))
    return TaskComparison(
        task=task,
        measure=card.measure,
        first=rounded(paired.first),
        second=rounded(paired.second),
        difference=as_estimate(paired.difference),
        dropped=dropped,
        p=rounded_p(paired.p),
        p_adjusted=rounded_p(paired.p_adjusted),
        minimum_detectable_effect=rounded(paired.minimum_detectable_effect),
        first_floor=floors[0],
        second_floor=floors[1],
        verdict=paired.verdict,
        tie=paired.tie,
    )
