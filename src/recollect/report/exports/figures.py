"""The charts of a report as SVG files, one for each section and task, and where a row has its own one for each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from recollect.records.tables.states import StateRow
from recollect.report.charts.curves import PeriodCurve
from recollect.report.charts.svg import element
from recollect.report.exports.drawing import Figure, Strip, drawn
from recollect.report.exports.folders import FileNames
from recollect.report.exports.material import Material, Written
from recollect.report.numbers import percent, percent_with_unit
from recollect.report.page.costs import cost_section
from recollect.report.page.policies import policy_sections
from recollect.report.page.states import ENDINGS, state_sections
from recollect.report.page.tasks import TaskSection, sections

Legend = Sequence[tuple[str, Markup]]
_GROUPS = {"system": "memory under test", "reference": "reference row", "rule": "rule that reads nothing"}


def write(material: Material, folder: Path) -> Sequence[Written]:
    """Write a file for each figure, and count the rows that it shows."""
    names, written = FileNames(), []
    for figure in figures(material):
        file = names.of(figure.name, ".svg")
        caption = f"{material.summary.benchmark}, {figure.caption}"
        (folder / file).write_bytes(drawn(figure._replace(caption=caption)))
        written.append(Written(file, figure.rows))
    return written


def figures(material: Material) -> Iterator[Figure]:
    """Scores, waterfalls, evidence, costs, states and policies, in the order of the page."""
    summary, beside = material.summary, material.beside
    for task in sections(summary, material.cells):
        yield from _of_task(task)
    cost = cost_section(summary)
    for spent in cost.tasks if cost else ():
        if spent.plane is not None:
            legend = [(line.cost.row, line.mark) for line in spent.lines if line.mark]
            yield _lines("costs", spent.task, "", f"score over {spent.unit} a question", (spent.plane, legend))
    yield from _states(beside.states)
    for section in policy_sections(beside.policies):
        yield from _curves("policies", section.task, section.curves)


def _lines(section: str, task: str, what: str, caption: str, chart: tuple[Markup, Legend]) -> Figure:
    return Figure(section, task, what, f"{task}: {caption}", [Strip(chart[0])], chart[1], len(chart[1]))


def _curves(section: str, task: str, curves: Iterable[PeriodCurve]) -> Iterator[Figure]:
    for curve in curves:
        name = curve.name.lower()
        yield _lines(section, task, name, f"{name}, %, by period", (curve.chart, curve.legend))


def _of_task(task: TaskSection) -> Iterator[Figure]:
    name = task.facts.task
    if task.scores:
        bars = [Strip(line.chart, f"{percent(line.score.estimate)}  {line.label}") for line in task.scores]
        groups = [(_GROUPS[one], _swatch(f"bar {one}")) for one in dict.fromkeys(line.group for line in task.scores)]
        guides = [(f"{one.name} {percent_with_unit(one.at)}", _swatch(f"guide {one.name}")) for one in task.guides]
        caption = f"{name}: {task.facts.measure}, %, with 95 % intervals"
        yield Figure("scores", name, "", caption, [*bars, Strip(task.axis, "")], [*groups, *guides], len(bars))
    legend = [("right", _swatch("bar kept")), ("lost here", _swatch("bar lost"))]
    for fall in task.falls:
        if fall.steps:
            row, variant = fall.waterfall.row, fall.waterfall.variant
            what = row if variant == "readback" else f"{row} {variant}"
            caption = f"{name}: where right answers are lost, {what}"
            bars = [Strip(step.chart, f"{step.kept}/{step.n}  {step.arm.replace('_', ' ')}") for step in fall.steps]
            yield Figure("waterfall", name, what, caption, bars, legend, 1)
    if task.curves is not None:
        caption = "share of the evidence among the first k items found, %"
        yield _lines("evidence", name, "", caption, (task.curves, task.legend))


def _states(rows: Sequence[StateRow]) -> Iterator[Figure]:
    for section in state_sections(rows):
        for name, chart in section.heats:
            caption = f"{section.task}: {name.lower()}, %, by row and period; the last column is over all"
            count = chart.count('class="end"')
            yield Figure("states", section.task, f"{name.lower()} by row", caption, [Strip(chart)], (), count)
        if section.diagnosed:
            bars = [Strip(line.chart, line.row.row) for line in section.lines if not line.row.undiagnosed]
            legend = [(meaning, _swatch(f"piece {look}")) for look, meaning in ENDINGS.values()]
            caption = f"{section.task}: what became of the questions, and where answers were lost"
            yield Figure("states", section.task, "losses", caption, bars, legend, len(bars))
        yield from _curves("states", section.task, section.curves)


def _swatch(kind: str) -> Markup:
    if kind.startswith("guide"):
        return element("line", class_=kind, x1=14, x2=14, y1=0, y2=14)
    return element("rect", class_=kind, x=4, y=1, width=20, height=11)
