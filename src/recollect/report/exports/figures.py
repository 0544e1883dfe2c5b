"""The charts of a report as SVG files, one for each section and task, and where a row has its own one for each row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from recollect.records.tables.policies import PolicyRow
from recollect.records.tables.states import StateRow
from recollect.records.tables.summary import Summary
from recollect.report.charts.svg import element
from recollect.report.exports.drawing import Figure, Strip, drawn
from recollect.report.exports.folders import FileNames
from recollect.report.exports.material import Material, Written
from recollect.report.numbers import percent, percent_with_unit
from recollect.report.page.costs import cost_section
from recollect.report.page.policies import PolicyCurve, policy_sections
from recollect.report.page.states import ENDINGS, Curve, StateSection, state_sections
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
    """Those of scores, waterfalls, evidence, costs, states and policies, in the order of the page."""
    summary, beside = material.summary, material.beside
    for task in sections(summary, material.cells):
        if task.scores:
            yield _scores(task)
        yield from _waterfalls(task)
        if task.curves is not None:
            said = "share of the evidence among the first k items found, %"
            yield _lines(("evidence", task.facts.task, ""), said, task.curves, task.legend)
    yield from _costs(summary)
    yield from _states(beside.states)
    yield from _policies(beside.policies)


def _lines(named: tuple[str, str, str], said: str, chart: Markup, legend: Legend) -> Figure:
    """One whose legend names its rows."""
    return Figure(*named, f"{named[1]}: {said}", [Strip(chart)], legend, len(legend))


def _scores(task: TaskSection) -> Figure:
    bars = [Strip(line.chart, f"{percent(line.score.estimate)}  {line.label}") for line in task.scores]
    groups = dict.fromkeys(line.group for line in task.scores)
    guides = [(f"{one.name} {percent_with_unit(one.at)}", _swatch(f"guide {one.name}")) for one in task.guides]
    legend = [*((_GROUPS[name], _swatch(f"bar {name}")) for name in groups), *guides]
    caption = f"{task.facts.task}: {task.facts.measure}, %, with 95 % intervals"
    return Figure("scores", task.facts.task, "", caption, [*bars, Strip(task.axis, "")], legend, len(bars))


def _waterfalls(task: TaskSection) -> Iterator[Figure]:
    legend = [("right", _swatch("bar kept")), ("lost here", _swatch("bar lost"))]
    for row, variant, steps in ((one.waterfall.row, one.waterfall.variant, one.steps) for one in task.falls):
        if steps:
            what = row if variant == "readback" else f"{row} {variant}"
            caption = f"{task.facts.task}: where right answers are lost, {what}"
            bars = [Strip(step.chart, f"{step.kept}/{step.n}  {step.arm.replace('_', ' ')}") for step in steps]
            yield Figure("waterfall", task.facts.task, what, caption, bars, legend, 1)


def _costs(summary: Summary) -> Iterator[Figure]:
    found = cost_section(summary)
    for task in found.tasks if found else ():
        if task.plane is not None:
            legend = [(line.cost.row, line.mark) for line in task.lines if line.mark]
            yield _lines(("costs", task.task, ""), f"score over {task.unit} a question", task.plane, legend)


def _states(rows: Sequence[StateRow]) -> Iterator[Figure]:
    for section in state_sections(rows):
        for name, chart in section.heats:
            caption = f"{section.task}: {name.lower()}, %, by row and period; the last column is over all"
            named = chart.count('class="end"')
            yield Figure("states", section.task, f"{name.lower()} by row", caption, [Strip(chart)], (), named)
        if section.diagnosed:
            yield _endings(section)
        for curve in section.curves:
            yield _over_periods("states", section.task, curve)


def _endings(section: StateSection) -> Figure:
    bars = [Strip(line.chart, line.row.row) for line in section.lines if not line.row.undiagnosed]
    legend = [(meaning, _swatch(f"piece {look}")) for look, meaning in ENDINGS.values()]
    caption = f"{section.task}: what became of the questions, and where answers were lost"
    return Figure("states", section.task, "losses", caption, bars, legend, len(bars))


def _policies(rows: Sequence[PolicyRow]) -> Iterator[Figure]:
    for section in policy_sections(rows):
        for curve in section.curves:
            yield _over_periods("policies", section.task, curve)


def _over_periods(section: str, task: str, curve: Curve | PolicyCurve) -> Figure:
    name = curve.name.lower()
    return _lines((section, task, name), f"{name}, %, by period", curve.chart, curve.legend)


def _swatch(kind: str) -> Markup:
    """The look of a bar, a piece of one or a guide, for the legend."""
    if kind.startswith("guide"):
        return element("line", class_=kind, x1=14, x2=14, y1=0, y2=14)
    return element("rect", class_=kind, x=4, y=1, width=20, height=11)
