"""Everything that is said of a run, tied together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.costs.durations import durations, timings
from recollect.diagnose.costs.totals import costs_of
from recollect.diagnose.estimates import Estimator, asked_of, rounded
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.headlines import headlines
from recollect.diagnose.noise import noise
from recollect.diagnose.numbers import counts_of, marks_of, numbers, strata
from recollect.diagnose.paper_tables import paper_tables
from recollect.diagnose.records.conditions import StepsOf, conditions_of, conditions_of_row
from recollect.diagnose.records.join import JoinedRun, read_run, task_card, without_garbage_collection
from recollect.diagnose.records.provenance import only_measured
from recollect.diagnose.references import references
from recollect.diagnose.retrieval import retrieval
from recollect.diagnose.states.policies import Lived, policies
from recollect.diagnose.states.summary import states
from recollect.diagnose.waterfall.arms import splits, waterfalls
from recollect.diagnose.waterfall.evidence import ReadDepth
from recollect.diagnose.waterfall.failures import failures, fault_groups
from recollect.records.tables.cells import answer_owner
from recollect.records.tables.costs import Costs
from recollect.records.tables.summary import CellOutcome, RowFacts, Summary, TaskFacts
from recollect.records.tables.supplement import Supplement
from recollect.store.measures import calls_of
from recollect.store.run_folder import RunFolder


class Examined(NamedTuple):
    """A run's tables, and the cells they are made of."""

    summary: Summary
    cells: tuple[CellOutcome, ...]
    """Every planned cell, wrong answers with their label."""


class Findings(NamedTuple):
    """The same, with what is no part of what a run is."""

    summary: Summary
    cells: tuple[CellOutcome, ...]
    beside: Supplement


def summarise(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> Summary:
    """All tables of a run; the same folder always gives the same, but for the seconds.

    Args:
        folder: The run's folder; only read.
        benchmark: That of the run.
        steps_of: How the run made its steps, where more than the preset decides that.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    return examine(folder, benchmark, steps_of).summary


def examine(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> Examined:
    """The tables with the cells behind them."""
    found = findings(folder, benchmark, steps_of)
    return Examined(found.summary, found.cells)


def findings(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> Findings:
    """All of it; for reports that show every question."""
    with without_garbage_collection():
        run = read_run(folder, benchmark, steps_of)
        summary = _summary(run, benchmark, costs_of(calls_of(folder)))
        return Findings(summary, run.cells, _beside(run, benchmark, summary))


def _beside(run: JoinedRun, benchmark: Benchmark, summary: Summary) -> Supplement:
    grid, estimator = grid_of(run.cells), Estimator(seed=run.seed)
    return Supplement(
        tables=paper_tables(benchmark.card.tables, grid, estimator),
        times=durations(run.cells, run.measures),
        states=states(grid, partial(_gold, run), estimator),
        splits=splits(grid, summary.waterfalls, benchmark.card.tasks, estimator),
        policies=policies(grid, Lived(run.episodes, run.rows, run.adopted), estimator),
    )


def _gold(run: JoinedRun, cell: CellOutcome) -> str | None:
    return next(iter(run.episodes[cell.history].keyed.keys[cell.question].gold), None)


def _summary(run: JoinedRun, benchmark: Benchmark, costs: Costs | None) -> Summary:
    from recollect.text.tokens import count

    cards, grid, estimator = benchmark.card.tasks, grid_of(run.cells), Estimator(seed=run.seed)
    total = counts_of(run.cells)
    return Summary(
        run=run.name,
        benchmark=benchmark.card.name,
        version=benchmark.card.version,
        config=run.config,
        conditions=conditions_of(run.config),
        total=total,
        fault_share=rounded(total.fault / total.planned) or 0.0 if total.planned else 0.0,
        tasks=tuple(_task(grid, task, benchmark) for task in grid.tasks),
        rows=_rows(run, grid),
        numbers=only_measured(numbers(grid, estimator), run.standings),
        strata=only_measured(strata(grid, estimator), run.standings),
        references=references(run, benchmark, estimator),
        headlines=headlines(grid, cards, estimator),
        waterfalls=waterfalls(grid, cards, estimator),
        retrieval=retrieval(grid, run, ReadDepth(count=count), estimator),
        failures=failures(grid, cards),
        faults=fault_groups(run.cells),
        timings=timings(run.measures),
        costs=costs,
        noise=noise(grid, cards),
    )


def _task(grid: Grid, task: str, benchmark: Benchmark) -> TaskFacts:
    card = task_card(benchmark, task, benchmark.card.name)
    cells = _of_task(grid, task)
    return TaskFacts(
        task=task,
        meaning=card.meaning,
        measure=card.measure,
        chance=card.chance,
        floor=card.floor,
        ceiling=card.ceiling,
        judged=card.judged,
        binary=card.binary,
        parts=card.parts,
        questions=len({asked_of(cell) for cell in cells}),
        histories=len({cell.history for cell in cells}),
    )


def _of_task(grid: Grid, task: str) -> list[CellOutcome]:
    blocks = [cells for block, cells in grid.blocks.items() if block.task == task and block.purpose == "score"]
    return [cell for cells in blocks for cell in cells]


def _rows(run: JoinedRun, grid: Grid) -> tuple[RowFacts, ...]:
    planned = [_row(run, row, [cell for cell in run.cells if cell.row == row]) for row in grid.kinds]
    absent = [_absent(run, row) for row in sorted(set(run.standings) - set(grid.kinds))]
    return tuple(sorted((*planned, *absent), key=lambda one: (one.reference, one.row)))


def _absent(run: JoinedRun, row: str) -> RowFacts:
    """A row that was asked for and has no cells, for this machine cannot run it."""
    ran = run.standings[row]
    return RowFacts(
        row=row,
        kind="memory",
        answer_owner=answer_owner("memory"),
        reference=False,
        system={"name": row},
        ran=ran.word,
        ran_why=ran.why,
    )


def _row(run: JoinedRun, row: str, cells: Iterable[CellOutcome]) -> RowFacts:
    facts, ran = run.rows[row], run.standings[row]
    return RowFacts(
        row=row,
        kind=facts["kind"],
        answer_owner=answer_owner(facts["kind"]),
        reference=facts["reference"],
        system=facts["system"],
        conditions=conditions_of_row(run.config, facts["kind"], row),
        marks=tuple(sorted({*marks_of(cells), *(["order_dependent"] if facts["order_dependent"] else [])})),
        writes=run.writes.get(row, {}),
        models_on_write=facts["models_on_write"],
        ran=ran.word,
        ran_why=ran.why,
    )
