"""Puts runs that differ in one setting side by side: per task, and over all tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.diagnose.estimates import mean_of, nothing, rounded
from recollect.diagnose.headlines import is_broken
from recollect.diagnose.summary import Findings
from recollect.diagnose.waterfall.evidence import ALL, EVIDENCE_SHOWN, UNKNOWN
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.multi_run import Ablation, AblationLine, AblationPlot, AblationPoint, AblationRun
from recollect.records.tables.states import StateRow
from recollect.records.tables.summary import Number, RowFacts

OVERALL = "all tasks"
MEMORY = "memory score"
WRITE_FAILURES = "share of states that were not known even right after they were told"
READ_FAILURES = "share of states that were known then, and are not now"
UTILISATION_FAILURES = "share of questions answered wrong though every state was known"


class Seen(NamedTuple):
    """The results of one run, which stands for one value of the setting."""

    run: AblationRun
    benchmark: str
    spent: float
    plots: Mapping[str, str]
    """Plot -> its measure."""
    points: Mapping[tuple[str, str], AblationPoint]
    """Plot and row -> the score."""
    rows: tuple[RowFacts, ...]
    shown: Mapping[str, float]
    """Plot -> share of questions whose evidence was shown whole."""
    states: Mapping[str, str]
    """Plot of what became of states -> its measure."""
    parts: Mapping[str, str]
    """Plot of one value of a label -> its measure."""


def seen(found: Findings, *, value: str, identity: str, by_task: bool = False, by: str = "") -> Seen:
    """What is kept of one run, so that its cells can be released.

    Args:
        found: The run.
        value: As it was asked for.
        identity: The run's digest.
        by_task: The value is a task, whose last word is the position on the axis, and the rest the plot.
        by: A label whose values have plots of their own.
    """
    summary = found.summary
    names = {task.task: _parted(task.task)[0] if by_task else task.task for task in summary.tasks}
    position = _parted(value)[1] if by_task else value
    arms = {row.row: Arm.ORACLE if row.kind == "oracle" else Arm.SYSTEM for row in summary.rows}
    totals = [number for number in summary.numbers if number.purpose == "score" and number.arm == arms[number.row]]
    strata = [number for number in summary.strata if number.purpose == "score" and number.arm == arms[number.row]]
    parts = [(f"{names[one.task]}: {one.label} {one.stratum}", one) for one in strata if by and one.label == by]
    states = [point for row in found.beside.states for point in _of_states(row, names[row.task])]
    measures = {task.task: task.measure for task in summary.tasks}
    return Seen(
        run=AblationRun(
            value=position,
            run=summary.run,
            identity=identity,
            conditions=summary.conditions,
            unfinished=summary.total.unfinished,
            fault_share=summary.fault_share,
        ),
        benchmark=summary.benchmark,
        spent=summary.costs.total.money if summary.costs else 0.0,
        plots={names[task]: measure for task, measure in measures.items()},
        points={(names[number.task], number.row): _point(number, position) for number in totals}
        | {(name, row): AblationPoint(value=position, score=score) for name, _, row, score in states}
        | {(name, number.row): _point(number, position) for name, number in parts},
        rows=summary.rows,
        shown={names[task]: share for task, share in _evidence_shown(found.cells).items()},
        states={name: measure for name, measure, _, _ in states},
        parts={name: measures[number.task] for name, number in parts},
    )


def suffixed(one: Seen, suffix: str) -> Seen:
    """The same with *suffix* after the name of each row; it names the other settings that differ in this run."""
    return one._replace(
        points={(plot, f"{row}{suffix}"): point for (plot, row), point in one.points.items()},
        rows=tuple(replace(facts, row=f"{facts.row}{suffix}") for facts in one.rows),
    )


def placed(one: Seen, value: str, *, row: tuple[str, str], rest: Seen | None = None, without: str = "") -> Seen:
    """One row of a run, where only that row has the setting; rows of *rest* are the same under every value.

    Args:
        one: The run.
        value: Its place on the axis.
        row: The label of the row there, and as it is called here.
        rest: A run with rows that do not have the setting.
        without: The row of *rest* that has it all the same.
    """
    label, name_here = row
    points = {(plot, name_here): point for (plot, name), point in one.points.items() if name == label}
    rows = tuple(replace(facts, row=name_here) for facts in one.rows if facts.row == label)
    plots, states, parts = one.plots, one.states, one.parts
    if rest is not None:
        kept = {facts.row: facts for facts in rest.rows if facts.row != without}
        points = {name: point for name, point in rest.points.items() if name[1] in kept} | points
        rows = (*kept.values(), *rows)
        plots, states, parts = {**rest.plots, **plots}, {**rest.states, **states}, {**rest.parts, **parts}
    return one._replace(
        run=replace(one.run, value=value),
        points={name: replace(point, value=value) for name, point in points.items()},
        rows=rows,
        plots=plots,
        states=states,
        parts=parts,
    )


def ablation(name: str, benchmark: str, over: str, found: Sequence[Seen], *, crossed: Sequence[str] = ()) -> Ablation:
    """All values side by side; a row or task that a value lacks has no point there."""
    tasks = {plot: measure for run in found for plot, measure in run.plots.items()}
    plots = [_plot(plot, measure, found) for plot, measure in tasks.items()]
    if len(plots) > 1:
        plots.append(_overall(plots))
    details = {plot: measure for run in found for plot, measure in (*run.parts.items(), *run.states.items())}
    for title, measure in details.items():
        plot = _plot(title, measure, found)
        if any(point.score.estimate is not None for line in plot.lines for point in line.points):
            plots.append(plot)
    return Ablation(
        name=name,
        benchmark=benchmark,
        over=over,
        crossed=tuple(crossed),
        runs=tuple(run.run for run in found),
        plots=tuple(plots),
    )


def _of_states(row: StateRow, task: str) -> Iterator[tuple[str, str, str, Estimate]]:
    """Plot, measure, row and number; no losses where no states were probed."""
    memory = nothing(row.withheld) if row.withheld else row.whole.scores.memory
    yield f"{task}: {MEMORY}", "way from guessing to the upper bound", row.row, memory
    if not row.undiagnosed:
        losses = row.whole.losses
        yield f"{task}: write failures", WRITE_FAILURES, row.row, losses.write
        yield f"{task}: read failures", READ_FAILURES, row.row, losses.read
        yield f"{task}: utilisation failures", UTILISATION_FAILURES, row.row, losses.shares["utilisation"]


def _parted(task: str) -> tuple[str, str]:
    head, _, last = task.rpartition("_")
    return (head, last) if head else (task, task)


def _point(number: Number, value: str) -> AblationPoint:
    """No score where answers are unfinished or too many are faults."""
    counts, score = number.counts, number.score
    if counts.unfinished:
        score = nothing(f"{counts.unfinished} of {counts.planned} answers are still to come")
    elif is_broken(counts):
        score = nothing(f"{counts.fault} of {counts.planned} answers are faults")
    return AblationPoint(value=value, score=score, context_tokens=number.context_tokens, truncated=number.truncated)


def _evidence_shown(cells: Iterable[CellOutcome]) -> dict[str, float]:
    """Task -> share of questions; only of tasks whose histories were not shown whole."""
    labels: dict[str, dict[tuple[str, str, str], str]] = {}
    cut: set[str] = set()
    for cell in cells:
        if cell.purpose == "score":
            label = cell.labels.get(EVIDENCE_SHOWN, ALL if cell.evidence else UNKNOWN)
            labels.setdefault(cell.task, {})[cell.history, cell.checkpoint, cell.question] = label
            cut |= {cell.task} if EVIDENCE_SHOWN in cell.labels else set()
    known = {task: [label for label in labels[task].values() if label != UNKNOWN] for task in sorted(cut)}
    return {task: rounded(mine.count(ALL) / len(mine)) or 0.0 for task, mine in known.items() if mine}


def _plot(name: str, measure: str, found: Sequence[Seen]) -> AblationPlot:
    rows = {facts.row: facts for run in found for facts in run.rows}
    lines = []
    for row, facts in rows.items():
        points = {run.run.value: run.points[name, row] for run in found if (name, row) in run.points}
        if points:
            lines.append(
                AblationLine(row=row, kind=facts.kind, reference=facts.reference, points=tuple(points.values()))
            )
    return AblationPlot(
        name=name,
        measure=measure,
        lines=tuple(sorted(lines, key=lambda line: (line.reference, line.row))),
        evidence_shown={run.run.value: run.shown[name] for run in found if name in run.shown},
    )


def _overall(plots: Sequence[AblationPlot]) -> AblationPlot:
    scores = {
        (plot.name, line.row, point.value): point.score
        for plot in plots
        for line in plot.lines
        for point in line.points
    }
    lines = []
    for line in {line.row: line for plot in plots for line in plot.lines}.values():
        points = []
        for value in dict.fromkeys(value for _, row, value in scores if row == line.row):
            parts = {plot.name: scores.get((plot.name, line.row, value), _ABSENT) for plot in plots}
            points.append(AblationPoint(value=value, score=mean_of(parts)))
        lines.append(AblationLine(row=line.row, kind=line.kind, reference=line.reference, points=tuple(points)))
    lines.sort(key=lambda line: (line.reference, line.row))
    return AblationPlot(name=OVERALL, measure="mean of the tasks' measures", lines=tuple(lines))


_ABSENT = nothing("not in this run")
