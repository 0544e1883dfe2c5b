"""Shows an ablation: one page with a plot and a table for each task, and the same numbers as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.codec import encode
from recollect.records.tables.multi_run import Ablation, AblationLine, AblationPlot, AblationPoint
from recollect.report.charts import bars
from recollect.report.charts.curves import Spot, ends_of, line_chart
from recollect.report.charts.heat import heat_map
from recollect.report.page.html import filled
from recollect.report.tables import Record, as_csv
from recollect.report.writer import is_rules
from recollect.store.files import write_whole

PAGE, TABLE, NUMBERS = "index.html", "ablation.csv", "ablation.json"


class PlotSection(NamedTuple):
    plot: AblationPlot
    chart: Markup | None
    legend: Sequence[tuple[str, Markup]]
    lines: Sequence[tuple[AblationLine, Mapping[str, AblationPoint]]]
    """Each row with its points by value."""
    cut: Sequence[tuple[str, str, float]]
    """Row, value, and the share of its answers whose context was cut."""


class Axis(NamedTuple):
    found: Ablation
    sections: Sequence[PlotSection]


def write_ablation(folder: Path, *found: Ablation) -> Path:
    """Write page, CSV and JSON into *folder*; the same input gives the same bytes.

    Returns:
        The page.

    Raises:
        DiskError: The disk does not take it.
    """
    told = encode(found[0]) if len(found) == 1 else {"ablations": [encode(one) for one in found]}
    numbers = json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_whole(folder / NUMBERS, f"{numbers}\n".encode())
    write_whole(folder / TABLE, as_csv([record for one in found for record in records(one)]))
    write_whole(folder / PAGE, page(*found))
    return folder / PAGE


def page(*found: Ablation) -> bytes:
    said = [run.conditions.get(name) for one in found for run in one.runs for name in ("reader", "judge")]
    axes = [Axis(one, [section(plot, heat=bool(one.crossed)) for plot in one.plots]) for one in found]
    runs = {run.run: run for one in found for run in one.runs}
    return filled(
        "ablation.html.j2",
        {
            "first": found[0],
            "axes": axes,
            "runs": list(runs.values()),
            "by_rules": any(is_rules(one) for one in said),
        },
    )


def records(found: Ablation) -> list[Record]:
    """One line for each task, row and value."""
    return [
        {
            "task": plot.name,
            "row": line.row,
            "kind": line.kind,
            "reference": line.reference,
            "setting": found.over,
            "value": point.value,
            **asdict(point.score),
            "context_tokens": point.context_tokens,
            "truncated": point.truncated,
            "evidence_shown": plot.evidence_shown.get(point.value),
        }
        for plot in found.plots
        for line in plot.lines
        for point in line.points
    ]


def section(plot: AblationPlot, *, heat: bool = False) -> PlotSection:
    """One task with its chart, lines or squares; no chart where nothing has a score.

    Numbers beyond 0 and 1, as memory scores may be, have no place on the plane of lines.
    """
    drawn = {
        line.row: [Spot(point.value, point.score) for point in line.points]
        for line in plot.lines
        if any(point.score.estimate is not None for point in line.points)
    }
    beyond = any(not 0 <= (spot.score.estimate or 0.0) <= 1 for spots in drawn.values() for spot in spots)
    squares = heat or beyond
    chart = (heat_map if squares else line_chart)(f"score of {plot.name}", drawn) if drawn else None
    return PlotSection(
        plot=plot,
        chart=chart,
        legend=[] if squares else [(end.row, bars.key_mark(end.number)) for end in ends_of(drawn)],
        lines=[(line, {point.value: point for point in line.points}) for line in plot.lines],
        cut=[(line.row, one.value, one.truncated) for line in plot.lines for one in line.points if one.truncated],
    )
