"""Two rows question by question: which is better, by how much, and could the data have told?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.contracts.benchmark import Benchmark, TaskCard
from recollect.diagnose.estimates import as_estimate, question_means, rounded, rounded_p
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.noise import floor_of
from recollect.diagnose.records.conditions import OWN, conditions_of_row
from recollect.diagnose.records.join import read_run
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.records.provenance import RAN, Ran
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Comparison, Discordance, TaskComparison
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
        return self.grid.kinds[self.row] == "agent"

    def __str__(self) -> str:
        return f"`{self.row}` of run `{self.run}`"

    def cells(self, part: Part) -> Sequence[CellOutcome]:
        cells = self.grid.own(part.task, self.row)
        return [cell for cell in cells if cell.labels.get(part.label) == part.value] if part.label else cells


class Part(NamedTuple):
    """Questions of a task: all, or those of one value of a label."""

    task: str
    label: str = ""
    value: str | None = None


def side_of(folder: RunFolder, row: str, benchmark: Benchmark) -> Side:
    return sides_of(folder, [row], benchmark)[0]


def sides_of(folder: RunFolder, rows: Sequence[str], benchmark: Benchmark) -> list[Side]:
    """Several rows of one run, which is read once."""
    run = read_run(folder, benchmark)
    grid = grid_of(run.cells)
    sides = []
    for row in rows:
        ran = run.standings.get(row, Ran())
        if ran.word != RAN:
            raise UsageError(f"`{row}` of run `{run.name}` has no score to compare: {ran.word}: {ran.why}")
        if row not in grid.kinds:
            raise UnknownNameError(f"row of run `{run.name}`", row, grid.kinds)
        conditions = conditions_of_row(run.config, grid.kinds[row], row)
        cards = benchmark.card.tasks
        sides.append(Side(run=run.name, row=row, grid=grid, cards=cards, conditions=conditions, seed=run.seed))
    return sides


def compare(first: Side, second: Side, *, by: str = "", agents_own: bool = False) -> Comparison:
    """Pair the two on every question that both have an outcome for; p values are corrected over the tasks.

    Args:
        first: The one that wins or loses.
        second: The one it is measured against.
        by: A label: the same again for the questions of each of its values.
        agents_own: Where one side is an agent, allow differences in what an agent decides for itself; see `apart`.

    Raises:
        UsageError: The two were not run under the same conditions, share no task, or no question has the label.
    """
    apart = _allowed_differences(first, second, agents_own=agents_own)
    tasks = [Part(task) for task in first.grid.tasks]
    tasks = [task for task in tasks if first.cells(task) and second.cells(task)]
    if not tasks:
        raise UsageError(f"{first} and {second} share no task. Compare rows that were asked the same questions.")
    return Comparison(
        first=first.row,
        second=second.row,
        first_run=first.run,
        second_run=second.run,
        conditions=first.conditions,
        tasks=_compared(tasks, first, second),
        by=by,
        parts=_compared(_parts(tasks, by, first, second), first, second) if by else (),
        apart=apart,
    )


def _parts(tasks: Sequence[Part], by: str, first: Side, second: Side) -> list[Part]:
    found: list[Part] = []
    known: set[str] = set()
    for whole in tasks:
        labels = [cell.labels for cell in (*first.cells(whole), *second.cells(whole))]
        known.update(*labels)
        found += [Part(whole.task, by, value) for value in sorted({mine[by] for mine in labels if by in mine})]
    if not found:
        raise UnknownNameError("label", by, known)
    return found


def _compared(parts: Sequence[Part], first: Side, second: Side) -> tuple[TaskComparison, ...]:
    found = {part: _pair(first, second, part) for part in parts}
    tested = {part: pair.comparison.p for part, pair in found.items() if pair.comparison.p is not None}
    for part, p in zip(tested, holm(list(tested.values())), strict=True):
        found[part] = found[part]._replace(comparison=found[part].comparison.adjusted(p))
    return tuple(_task(part, pair, first, second) for part, pair in found.items())


def _allowed_differences(first: Side, second: Side, *, agents_own: bool) -> tuple[str, ...]:
    """Raises for all others."""
    own = frozenset(OWN) if agents_own and first.is_agent != second.is_agent else frozenset()
    ours, theirs = (
        {name: value for name, value in side.conditions.items() if name not in own} for side in (first, second)
    )
    differences = list(differ(theirs, ours))
    if differences:
        hint = " Add `--agents-own` to allow differences in what an agent decides for itself; they are reported."
        raise UsageError(
            f"{first} and {second} were not run under the same conditions. "
            f"From the second to the first: {'; '.join(differences)}. "
            "Run both under the same conditions; a difference between them would say nothing about the systems."
            f"{hint if first.is_agent != second.is_agent and not agents_own else ''}"
        )
    return tuple(differ(second.conditions, first.conditions)) if own else ()


class Paired(NamedTuple):
    """Two sides on the questions that both have."""

    ours: Sequence[float]
    theirs: Sequence[float]
    comparison: PairedComparison
    dropped: int
    """Questions that only one side has."""


def _pair(first: Side, second: Side, part: Part) -> Paired:
    ours, theirs = (question_means(side.cells(part)) for side in (first, second))
    shared = sorted(set(ours) & set(theirs))
    values = [ours[asked] for asked in shared], [theirs[asked] for asked in shared]
    histories = [asked.history for asked in shared]
    paired = compare_paired(*values, histories, rng_seed=first.seed)
    return Paired(*values, paired, len(set(ours) ^ set(theirs)))


def _task(part: Part, found: Paired, first: Side, second: Side) -> TaskComparison:
    """A difference no larger than a noise floor is a tie, whatever the test says."""
    floors = [floor_of(side.cells(part)) for side in (first, second)]
    known = [floor.half_width for floor in floors if floor.half_width is not None]
    paired, card = found.comparison.above(max(known, default=None)), first.cards[part.task]
    over_questions = discordance = None
    if found.ours and card.binary and {*found.ours, *found.theirs} <= {0.0, 1.0}:
        over_questions = as_estimate(paired_interval(found.ours, found.theirs, rng_seed=first.seed))
        counts = mcnemar([value == 1.0 for value in found.ours], [value == 1.0 for value in found.theirs])
        discordance = Discordance(**counts._replace(p=rounded_p(counts.p) or 0.0)._asdict())
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
        over_questions=over_questions,
        mcnemar=discordance,
    )
