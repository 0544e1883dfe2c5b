"""Puts runs that differ in one setting side by side: per task, and over all tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.diagnose.estimates import mean_of, nothing, rounded
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.summary import Findings
from recollect.diagnose.waterfall.evidence import ALL, EVIDENCE_SHOWN, UNKNOWN
from recollect.domain.steps import Arm
from recollect.records.tables.multi_run import Ablation, AblationLine, AblationPlot, AblationPoint, AblationRun
from recollect.records.tables.states import StateNumbers, StateRow
from recollect.records.tables.summary import CellOutcome, Estimate, Number, RowFacts

OVERALL = "all tasks"
MEMORY = "memory score"
LOSSES: Mapping[str, tuple[str, Callable[[StateNumbers], Estimate]]] = {
    "write failures": (
        "share of states that were not known even right after they were told",
        lambda one: one.losses.write,
    ),
    "read failures": ("share of states that were known then, and are not now", lambda one: one.losses.read),
    "utilisation failures": (
        "share of questions answered wrong though every state was known",
        lambda one: one.losses.shares["utilisation"],
    ),
}
"""Measure -> its meaning, and where it is."""


class Seen(NamedTuple):
    """What one run says of one value."""

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
    """What counts of one run; its cells are not needed any more.

    Args:
        found: The run.
        value: As it was asked for.
        identity: The run's digest.
        by_task: The value is a task, whose last word is the place on the axis, and the rest the plot.
        by: A label whose values have plots of their own.
    """
    summary = found.summary
    names = {task.task: _parted(task.task)[0] if by_task else task.task for task in summary.tasks}
    place = _parted(value)[1] if by_task else value
    wanted = {row.row: Arm.ORACLE if row.kind == "oracle" else Arm.SYSTEM for row in summary.rows}
    mine = [one for one in summary.numbers if one.purpose == "score" and one.arm == wanted[one.row]]
    told = [told for row in found.beside.states for told in _of_states(row, names[row.task])]
    points = {(names[one.task], one.row): _point(one, place) for one in mine}
    split = [one for one in summary.strata if by and one.label == by and one.purpose == "score"]
    split = [one for one in split if one.arm == wanted[one.row]]
    measures = {task.task: task.measure for task in summary.tasks}
    return Seen(
        run=AblationRun(
            value=place,
            run=summary.run,
            identity=identity,
            conditions=summary.conditions,
            unfinished=summary.total.unfinished,
            fault_share=summary.fault_share,
        ),
        benchmark=summary.benchmark,
        spent=summary.costs.total.money if summary.costs else 0.0,
        plots={names[task.task]: task.measure for task in summary.tasks},
        points=points
        | {(name, row): AblationPoint(value=place, score=score) for name, _, row, score in told}
        | {(_part_name(one, names), one.row): _point(one, place) for one in split},
        rows=summary.rows,
        shown={names[task]: share for task, share in _shown(found.cells).items()},
        states={name: measure for name, measure, _, _ in told},
        parts={_part_name(one, names): measures[one.task] for one in split},
    )


def _part_name(one: Number, names: Mapping[str, str]) -> str:
    return f"{names[one.task]}: {one.label} {one.stratum}"


def suffixed(one: Seen, suffix: str) -> Seen:
    """The same with longer names of all rows, which tell what else is not the same in this run."""
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
    label, named = row
    beside = () if rest is None else tuple(facts for facts in rest.rows if facts.row != without)
    kept = {facts.row for facts in beside}
    theirs = {} if rest is None else {name: point for name, point in rest.points.items() if name[1] in kept}
    mine = {(plot, named): point for (plot, told), point in one.points.items() if told == label}
    return one._replace(
        run=replace(one.run, value=value),
        points={name: replace(point, value=value) for name, point in {**theirs, **mine}.items()},
        rows=(*beside, *(replace(facts, row=named) for facts in one.rows if facts.row == label)),
        plots={**(rest.plots if rest else {}), **one.plots},
        states={**(rest.states if rest else {}), **one.states},
        parts={**(rest.parts if rest else {}), **one.parts},
    )


def ablation(name: str, benchmark: str, over: str, found: Sequence[Seen], *, crossed: Sequence[str] = ()) -> Ablation:
    """All values side by side; a row or task that a value lacks has no point there."""
    plots = {plot: measure for one in found for plot, measure in one.plots.items()}
    made = [_plot(plot, measure, found) for plot, measure in plots.items()]
    whole = [_overall(made)] if len(made) > 1 else []
    states = {plot: measure for one in found for plot, measure in (*one.parts.items(), *one.states.items())}
    told = [plot for plot in (_plot(name, measure, found) for name, measure in states.items()) if _tells(plot)]
    return Ablation(
        name=name,
        benchmark=benchmark,
        over=over,
        crossed=tuple(crossed),
        runs=tuple(one.run for one in found),
        plots=(*made, *whole, *told),
    )


def _of_states(row: StateRow, task: str) -> Iterator[tuple[str, str, str, Estimate]]:
    """Plot, measure, row and number; no loss where nothing was asked about states."""
    memory = nothing(row.withheld) if row.withheld else row.whole.scores.memory
    yield f"{task}: {MEMORY}", "way from guessing to the upper bound", row.row, memory
    for name, (meaning, measure) in LOSSES.items():
        if not row.undiagnosed:
            yield f"{task}: {name}", meaning, row.row, measure(row.whole)


def _tells(plot: AblationPlot) -> bool:
    return any(point.score.estimate is not None for line in plot.lines for point in line.points)


def _parted(task: str) -> tuple[str, str]:
    """`factconsolidation_sh_6k` as what is measured, and how much of it."""
    head, _, last = task.rpartition("_")
    return (head, last) if head else (task, task)


def _point(number: Number, value: str) -> AblationPoint:
    return AblationPoint(
        value=value,
        score=_score(number),
        context_tokens=number.context_tokens,
        truncated=number.truncated,
    )


def _score(number: Number) -> Estimate:
    """No score of what is not done, or broke too often."""
    counts = number.counts
    if counts.unfinished:
        return nothing(f"{counts.unfinished} of {counts.planned} answers are still to come")
    if counts.fault > MOST_FAULTS * counts.planned:
        return nothing(f"{counts.fault} of {counts.planned} answers are faults")
    return number.score


def _shown(cells: Iterable[CellOutcome]) -> dict[str, float]:
    """Task -> share; only of tasks whose histories were not shown whole."""
    told: dict[str, dict[tuple[str, str, str], str]] = {}
    cut: set[str] = set()
    for cell in cells:
        if cell.purpose == "score":
            said = cell.labels.get(EVIDENCE_SHOWN, ALL if cell.evidence else UNKNOWN)
            told.setdefault(cell.task, {})[cell.history, cell.checkpoint, cell.question] = said
            cut |= {cell.task} if EVIDENCE_SHOWN in cell.labels else set()
    known = {task: [said for said in told[task].values() if said != UNKNOWN] for task in sorted(cut)}
    return {task: rounded(said.count(ALL) / len(said)) or 0.0 for task, said in known.items() if said}


def _plot(name: str, measure: str, found: Sequence[Seen]) -> AblationPlot:
    rows = {row.row: row for one in found for row in one.rows}
    lines = (
        AblationLine(
            row=row.row,
            kind=row.kind,
            reference=row.reference,
            points=tuple(
                {one.run.value: one.points[name, row.row] for one in found if (name, row.row) in one.points}.values()
            ),
        )
        for row in sorted(rows.values(), key=lambda row: (row.reference, row.row))
    )
    return AblationPlot(
        name=name,
        measure=measure,
        lines=tuple(line for line in lines if line.points),
        evidence_shown={one.run.value: one.shown[name] for one in found if name in one.shown},
    )


def _overall(plots: Sequence[AblationPlot]) -> AblationPlot:
    """Each task weighs the same; a row has a mean where it has every task."""
    first = {line.row: line for plot in plots for line in plot.lines}
    by_name = {(plot.name, line.row): line for plot in plots for line in plot.lines}
    lines = []
    for row, line in first.items():
        values = dict.fromkeys(point.value for plot in plots for point in _points(by_name.get((plot.name, row))))
        points = [AblationPoint(value=value, score=_mean(plots, by_name, row, value)) for value in values]
        lines.append(AblationLine(row=row, kind=line.kind, reference=line.reference, points=tuple(points)))
    lines.sort(key=lambda line: (line.reference, line.row))
    return AblationPlot(name=OVERALL, measure="mean of the tasks' measures", lines=tuple(lines))


def _mean(
    plots: Sequence[AblationPlot], by_name: Mapping[tuple[str, str], AblationLine], row: str, value: str
) -> Estimate:
    found: dict[str, Estimate] = {}
    for plot in plots:
        points = _points(by_name.get((plot.name, row)))
        scores = [point.score for point in points if point.value == value]
        found[plot.name] = scores[0] if scores else nothing("not in this run")
    return mean_of(found)


def _points(line: AblationLine | None) -> tuple[AblationPoint, ...]:
    return line.points if line else ()
