"""Policies on the page: recalled states, coverage and changes by period, curves, and one user's policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from recollect.records.tables.cells import Estimate
from recollect.records.tables.policies import COVERS, PolicyNumbers, PolicyRow, PolicyVersion
from recollect.report.charts.curves import PeriodCurve, Spot, curves_over_periods
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


class PolicySection(NamedTuple):
    task: str
    rows: Sequence[PolicyRow]
    measures: Mapping[str, Measure]
    curves: Sequence[PeriodCurve]
    shown: Sequence[tuple[str, Sequence[PolicyVersion]]]
    """Row that evolved -> the policies of its first user."""


def policy_sections(rows: Sequence[PolicyRow]) -> tuple[PolicySection, ...]:
    """One for each task in which any policy was replaced."""
    found = []
    for task in dict.fromkeys(row.task for row in rows if row.evolved):
        mine = [row for row in rows if row.task == task]
        shown = []
        for row in mine:
            if row.evolved:
                first = (row.versions[0].history, row.versions[0].replicate)
                shown.append((row.row, [one for one in row.versions if (one.history, one.replicate) == first]))
        lines = [
            (name, {row.row: [Spot(str(one.period), MEASURES[measure](one)) for one in row.periods] for row in mine})
            for name, measure in _CURVES.items()
        ]
        curves = list(curves_over_periods(task, lines))
        found.append(PolicySection(task=task, rows=mine, measures=MEASURES, curves=curves, shown=shown))
    return tuple(found)


def policies_table(rows: Sequence[PolicyRow]) -> list[Record]:
    """One line for each task, row, period and measure; counts have no interval."""
    records: list[Record] = []
    numbers = [(row, one) for row in rows for one in (*row.periods, row.whole)]
    for row, one in numbers:
        period = "all" if one.period is None else str(one.period)
        named: dict[str, Value] = {"task": row.task, "row": row.row, "evolved": row.evolved, "period": period}
        counts = {"lines": one.lines, "lines added": one.added, "lines removed": one.removed}
        records += [{**named, "measure": name, **asdict(measure(one))} for name, measure in MEASURES.items()]
        records += [{**named, "measure": name, "estimate": count} for name, count in counts.items()]
    return records


def changes_table(rows: Sequence[PolicyRow]) -> list[Record]:
    """One line for each line of each policy, with whether it is new, and one for each that was dropped."""
    records: list[Record] = []
    versions = [(row, version) for row in rows for version in row.versions]
    for row, version in versions:
        lines = []
        for cover in COVERS:
            states = sorted(name for name, one in version.covers.items() if one == cover)
            lines.append((f"states {cover}", ", ".join(states)))
        lines += [("removed", line) for line in version.removed]
        lines += [("added" if line in version.added else "kept", line) for line in version.lines]
        named: dict[str, Value] = {
            "task": row.task,
            "row": row.row,
            "user": version.history,
            "replicate": version.replicate,
            "period": version.period,
        }
        records += [{**named, "what": what, "line": line} for what, line in lines]
    return records
