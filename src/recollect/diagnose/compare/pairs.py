"""Two rows question by question: which is better, by how much, and could the data have told?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.contracts.benchmark import Benchmark, TaskCard
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
from recollect.diagnose.noise import floor_of
from recollect.diagnose.records.conditions import OWN, conditions_of_row
from recollect.diagnose.records.join import JoinedRun, read_run
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.steps import Arm
from recollect.records.provenance import RAN, Ran
from recollect.records.tables.summary import CellOutcome, Comparison, Discordance, TaskComparison
from recollect.stats.paired import PairedComparison, compare_paired
from recollect.stats.significance import holm, mcnemar
from recollect.stats.strata import paired_interval
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
    def is_agent(self) -> bool:
        """It answers by itself."""
        return self.grid.kinds[self.row] == "agent"

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


def compare(first: Side, second: Side, *, by: str = "", agents_own: bool = False, level: float = 0.95) -> Comparison:
    """Pair the two on every question that both have an outcome for; p values are corrected over the tasks.

    Args:
        first: The one that wins or loses.
        second: The one it is measured against.
        by: A label: the same again for the questions of each of its values.
        agents_own: Where one side is an agent, the two may differ in what an agent decides for itself; said in `apart`.
        level: Coverage of the intervals; 1 - level is the false alarm rate of the verdicts.

    Raises:
        UsageError: The two were not run under the same conditions, share no task, or no question has the label.
    """
    apart = _check(first, second, agents_own=agents_own)
    tasks = [task for task in first.grid.tasks if _cells(first, task) and _cells(second, task)]
    if not tasks:
        raise UsageError(f"{_name(first)} and {_name(second)} share no task. Compare rows that were asked the same.")
    return Comparison(
        first=first.row,
        second=second.row,
        first_run=first.run,
        second_run=second.run,
        conditions=first.conditions,
        tasks=_compared([Part(task) for task in tasks], (first, second), level),
        by=by,
        parts=_compared(_parts(tasks, by, (first, second)), (first, second), level) if by else (),
        apart=apart,
    )


class Part(NamedTuple):
    """Questions of a task: all, or those of one value of a label."""

    task: str
    label: str = ""
    value: str | None = None


Sides = tuple[Side, Side]


def _parts(tasks: Sequence[str], by: str, sides: Sides) -> list[Part]:
    cells = {task: [cell for side in sides for cell in _cells(side, task)] for task in tasks}
    found = [
        Part(task, by, value)
        for task, mine in cells.items()
        for value in sorted({cell.labels[by] for cell in mine if by in cell.labels})
    ]
    if not found:
        known = {label for mine in cells.values() for cell in mine for label in cell.labels}
        raise UnknownNameError("label", by, known)
    return found


def _compared(parts: Sequence[Part], sides: Sides, level: float) -> tuple[TaskComparison, ...]:
    found = _corrected({part: _pair(*sides, part, level) for part in parts})
    return tuple(_task(part, found[part], sides) for part in parts)


def _check(first: Side, second: Side, *, agents_own: bool) -> tuple[str, ...]:
    """The differences that are allowed; the others are an error."""
    own = frozenset(OWN) if agents_own and {first.is_agent, second.is_agent} == {True, False} else frozenset()
    ours, theirs = (
        {name: value for name, value in side.conditions.items() if name not in own} for side in (first, second)
    )
    differences = list(differ(theirs, ours))
    if differences:
        raise UsageError(
            f"{_name(first)} and {_name(second)} were not run under the same conditions. "
            f"From the second to the first: {'; '.join(differences)}. "
            "Run both under the same ones; a difference between them would say nothing about the systems."
            f"{_HINT if first.is_agent != second.is_agent and not agents_own else ''}"
        )
    return tuple(differ(second.conditions, first.conditions)) if own else ()


_HINT = " What an agent decides for itself may differ with `--agents-own`, and is said."


def _name(side: Side) -> str:
    return f"`{side.row}` of run `{side.run}`"


def _cells(side: Side, task: str) -> Sequence[CellOutcome]:
    return side.grid.block(task, side.row, side.arm)


def _of_part(side: Side, part: Part) -> Sequence[CellOutcome]:
    cells = _cells(side, part.task)
    return [cell for cell in cells if cell.labels.get(part.label) == part.value] if part.label else cells


def _values(side: Side, part: Part) -> dict[Asked, float]:
    return per_question(by_question(_of_part(side, part)), counted_value)


class Paired(NamedTuple):
    """Two sides on the questions that both have."""

    ours: Sequence[float]
    theirs: Sequence[float]
    comparison: PairedComparison
    dropped: int
    """Questions that only one side has."""


def _pair(first: Side, second: Side, part: Part, level: float) -> Paired:
    ours, theirs = (_values(side, part) for side in (first, second))
    shared = sorted(set(ours) & set(theirs))
    values = [ours[asked] for asked in shared], [theirs[asked] for asked in shared]
    histories = [asked.history for asked in shared]
    paired = compare_paired(*values, histories, rng_seed=first.seed, level=level)
    return Paired(*values, paired, len(set(ours) ^ set(theirs)))


def _corrected(found: Mapping[Part, Paired]) -> dict[Part, Paired]:
    tested = [(part, one.comparison.p) for part, one in found.items() if one.comparison.p is not None]
    adjusted = dict(zip([part for part, _ in tested], holm([p for _, p in tested]), strict=True))
    return {
        part: one._replace(comparison=one.comparison.adjusted(adjusted[part])) if part in adjusted else one
        for part, one in found.items()
    }


def _task(part: Part, found: Paired, sides: Sides) -> TaskComparison:
    """A difference that either side has against itself is a tie, whatever the test says."""
    floors = [floor_of(_of_part(side, part)) for side in sides]
    known = [one.half_width for one in floors if one.half_width is not None]
    paired, card = found.comparison.above(max(known, default=None)), sides[0].cards[part.task]
    yes_or_no = bool(found.ours) and {*found.ours, *found.theirs} <= {0.0, 1.0} and card.binary
    level = paired.difference.level
    return TaskComparison(
        task=part.task,
        value=part.value,
        measure=card.measure,
        first=rounded(paired.first),
        second=rounded(paired.second),
        difference=as_estimate(paired.difference),
        dropped=found.dropped,
        p=rounded_p(paired.p),
        p_adjusted=rounded_p(paired.p_adjusted),
        minimum_detectable_effect=rounded(paired.minimum_detectable_effect),
        first_floor=floors[0],
        second_floor=floors[1],
        verdict=paired.verdict,
        tie=paired.tie,
        over_questions=as_estimate(paired_interval(found.ours, found.theirs, rng_seed=sides[0].seed, level=level))
        if yes_or_no
        else None,
        mcnemar=_discordance(found) if yes_or_no else None,
    )


def _discordance(found: Paired) -> Discordance:
    both, first_only, second_only, neither, p = mcnemar(
        *([value == 1.0 for value in side] for side in (found.ours, found.theirs))
    )
    return Discordance(
        both=both, first_only=first_only, second_only=second_only, neither=neither, p=rounded_p(p) or 0.0
    )
