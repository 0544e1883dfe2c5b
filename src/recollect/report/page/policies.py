"""What the page says of policies: held states, coverage and changes by period, curves, and one user's policies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.cells import Estimate
from recollect.records.tables.policies import COVERS, PolicyNumbers, PolicyRow, PolicyVersion
from recollect.report.charts import bars
from recollect.report.charts.curves import Spot, ends_of, line_chart
from recollect.report.tables import Record, Value

Measure = Callable[[PolicyNumbers], Estimate]
MEASURES: Mapping[str, Measure] = {
    "score": lambda one: one.score,
    "held by source": lambda one: one.by_source,
    "held by words": lambda one: one.by_words,
    "held by probe": lambda one: one.by_probe,
    "covered explicitly": lambda one: one.covers["explicit"],
    "covered by implication": lambda one: one.covers["implied"],
    "not covered": lambda one: one.covers["absent"],
}
_CURVES = {
    "Right answers": "score",
    "New states of whose message something is recalled": "held by source",
    "New states that the agent names": "held by probe",
    "States that a line of the policy names": "covered explicitly",
}


class PolicyCurve(NamedTuple):
    """One measure over the periods."""

    name: str
    chart: Markup
    legend: Sequence[tuple[str, Markup]]


class PolicySection(NamedTuple):
    """One task."""

    task: str
    rows: Sequence[PolicyRow]
    measures: Mapping[str, Measure]
    curves: Sequence[PolicyCurve]
    shown: Sequence[tuple[str, Sequence[PolicyVersion]]]
    """Row that evolved -> the policies with its first user."""


def policy_sections(rows: Sequence[PolicyRow]) -> tuple[PolicySection, ...]:
    """One for each task in which any policy was replaced."""
    tasks = dict.fromkeys(row.task for row in rows if row.evolved)
    return tuple(_section(task, [row for row in rows if row.task == task]) for task in tasks)


def _section(task: str, rows: Sequence[PolicyRow]) -> PolicySection:
    shown = [(row.row, _of_first_user(row)) for row in rows if row.evolved]
    return PolicySection(task=task, rows=rows, measures=MEASURES, curves=list(_curves(task, rows)), shown=shown)


def _of_first_user(row: PolicyRow) -> list[PolicyVersion]:
    first = (row.versions[0].history, row.versions[0].replicate)
    return [one for one in row.versions if (one.history, one.replicate) == first]


def _curves(task: str, rows: Sequence[PolicyRow]) -> Iterator[PolicyCurve]:
    for name, measure in _CURVES.items():
        found = {row.row: [Spot(str(one.period), MEASURES[measure](one)) for one in row.periods] for row in rows}
        drawn = {row: spots for row, spots in found.items() if any(one.score.estimate is not None for one in spots)}
        if drawn:
            legend = [(end.row, bars.key_mark(end.number)) for end in ends_of(drawn)]
            yield PolicyCurve(name, line_chart(f"{name.lower()} of {task}, by period", drawn), legend)


def policies_table(rows: Sequence[PolicyRow]) -> list[Record]:
    """One line for each task, row, period and measure; counts have no interval."""
    return [record for row in rows for one in (*row.periods, row.whole) for record in _records(row, one)]


def _records(row: PolicyRow, one: PolicyNumbers) -> Iterator[Record]:
    period = "all" if one.period is None else str(one.period)
    named: dict[str, Value] = {"task": row.task, "row": row.row, "evolved": row.evolved, "period": period}
    for name, measure in MEASURES.items():
        yield {**named, "measure": name, **asdict(measure(one))}
    for name, many in {"lines": one.lines, "lines added": one.added, "lines removed": one.removed}.items():
        yield {**named, "measure": name, "estimate": many}


def changes_table(rows: Sequence[PolicyRow]) -> list[Record]:
    """One line for each line of each policy, with whether it is new, and one for each that was dropped."""
    return [record for row in rows for version in row.versions for record in _changes(row, version)]


def _changes(row: PolicyRow, version: PolicyVersion) -> Iterator[Record]:
    named: dict[str, Value] = {
        "task": row.task,
        "row": row.row,
        "user": version.history,
        "replicate": version.replicate,
        "period": version.period,
    }
    for word in COVERS:
        states = sorted(name for name, how in version.covers.items() if how == word)
        yield {**named, "what": f"states {word}", "line": ", ".join(states)}
    for line in version.removed:
        yield {**named, "what": "removed", "line": line}
    for line in version.lines:
        yield {**named, "what": "added" if line in version.added else "kept", "line": line}
