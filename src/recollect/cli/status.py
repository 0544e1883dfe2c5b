"""`recollect status`: how far a run is; works while another process runs it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.store.run_folder import RunFolder


def status(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="Name or folder of a run; without it, all.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Say how far a run is, row by row, or list the runs there are."""
    from recollect.cli.output import print_json, print_table
    from recollect.cli.runs import find
    from recollect.store.run_folder import RunFolder

    if run is None:
        folders = [RunFolder(file.parent) for file in sorted(runs_dir.glob("*/run.json"))]
        lines = [{"run": folder.name, **_whole(folder)} for folder in folders]
    else:
        lines = [{"row": row, **counts} for row, counts in _by_row(find(run, runs_dir)).items()]
    if as_json:
        print_json(lines)
        return
    columns = ["run" if run is None else "row", "done", "planned", "faults", "void"]
    print_table("", columns, [[str(line[column]) for column in columns] for line in lines])


def _whole(folder: RunFolder) -> dict[str, int]:
    rows = _by_row(folder).values()
    return {name: sum(row[name] for row in rows) for name in ("done", "planned", "faults", "void")}


def _by_row(folder: RunFolder) -> dict[str, dict[str, int]]:
    labels = {facts["trial"]: facts["row"] for facts in folder.trials()}
    rows: dict[str, dict[str, int]] = defaultdict(lambda: {"done": 0, "planned": 0, "faults": 0, "void": 0})
    for trial, planned in folder.planned().items():
        journal = folder.journal(trial)
        row = rows[labels.get(trial, "(not started)")]
        row["done"] += min(planned, journal.planned_done())
        row["planned"] += planned
        row["faults"] += len(journal.faults)
        row["void"] += journal.voids
    return dict(sorted(rows.items()))
