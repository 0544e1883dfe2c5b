"""All tables of a run."""

from __future__ import annotations

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
from recollect.diagnose.records.conditions import conditions_of, conditions_of_row
from recollect.diagnose.records.join import JoinedRun, read_run, task_card, without_garbage_collection
from recollect.diagnose.records.provenance import only_measured
from recollect.diagnose.references import references
from recollect.diagnose.retrieval import retrieval
from recollect.diagnose.states.policies import policies
from recollect.diagnose.states.summary import states
from recollect.diagnose.waterfall.arms import splits, waterfalls
from recollect.diagnose.waterfall.failures import failures, fault_groups
from recollect.records.tables.cells import CellOutcome, ReadDepth, answer_owner
from recollect.records.tables.costs import Costs
from recollect.records.tables.summary import RowFacts, Summary, TaskFacts
from recollect.records.tables.supplement import Supplement
from recollect.store.measures import calls_of
from recollect.store.run_folder import RunFolder


class Findings(NamedTuple):
    """All tables of a run, and the cells they are made of."""

    summary: Summary
    cells: tuple[CellOutcome, ...]
    """Every planned cell, wrong answers with their label."""
    beside: Supplement
    """Tables that are not part of the run's identity."""


def summarise(folder: RunFolder, benchmark: Benchmark) -> Summary:
    """All tables of a run; the same folder always gives the same, except for the seconds.

    Args:
        folder: The run's folder; only read.
        benchmark: That of the run.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    return findings(folder, benchmark).summary


def findings(folder: RunFolder, benchmark: Benchmark) -> Findings:
    """The tables with the cells behind them, for reports that show every question."""
    with without_garbage_collection():
        run = read_run(folder, benchmark)
        summary = _summary(run, benchmark, costs_of(calls_of(folder)))
        return Findings(summary, run.cells, _supplement(run, benchmark, summary))


def _supplement(run: JoinedRun, benchmark: Benchmark, summary: Summary) -> Supplement:
    def gold_of(cell: CellOutcome) -> str | None:
        return next(iter(run.episodes[cell.history].keyed.keys[cell.question].gold), None)

    grid, estimator = grid_of(run.cells), Estimator(seed=run.seed)
    return Supplement(
        tables=paper_tables(benchmark.card.tables, grid, estimator),
        times=durations(run.cells, run.measures),
        states=states(grid, gold_of, estimator),
        splits=splits(grid, summary.waterfalls, benchmark.card.tasks, estimator),
        policies=policies(grid, run, estimator),
    )


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
    scored = (cells for block, cells in grid.blocks.items() if block.task == task and block.purpose == "score")
    cells = [cell for block in scored for cell in block]
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


def _rows(run: JoinedRun, grid: Grid) -> tuple[RowFacts, ...]:
    found = []
    for row, ran in run.standings.items():
        kind = grid.kinds.get(row, "memory")
        # a row that this machine cannot run has no cells, and no trial with its facts
        facts = run.rows.get(row, {"reference": False, "system": {"name": row}, "models_on_write": False})
        marks = {*marks_of([cell for cell in run.cells if cell.row == row])}
        if facts.get("order_dependent"):
            marks.add("order_dependent")
        one = RowFacts(
            row=row,
            kind=kind,
            answer_owner=answer_owner(kind),
            reference=facts["reference"],
            system=facts["system"],
            conditions=conditions_of_row(run.config, kind, row) if row in grid.kinds else {},
            marks=tuple(sorted(marks)),
            writes=run.writes.get(row, {}),
            models_on_write=facts["models_on_write"],
            ran=ran.word,
            ran_why=ran.why,
        )
        found.append(one)
    return tuple(sorted(found, key=lambda one: (one.reference, one.row)))
