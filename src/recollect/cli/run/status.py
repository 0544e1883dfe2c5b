"""`recollect status`: progress of runs, also while they are running."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table

COLUMNS = ("done", "planned", "faults", "void", "state")


def status(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="Name or folder of a run; all by default.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Show the progress of a run by row, and the processes running it; or list all runs."""
    from recollect.runs.setup.folders import find, status_by_row, status_of, status_of_all

    folder = find(run, runs_dir) if run else None
    what = "row" if folder else "run"
    found = status_by_row(folder) if folder else status_of_all(runs_dir)
    lines = {name: one.as_data() for name, one in found.items()}
    if as_json:
        print_json([{what: name, **line} for name, line in lines.items()])
        return
    print_table("", [what, *COLUMNS], [[name, *(str(line[c]) for c in COLUMNS)] for name, line in lines.items()])
    if folder:
        print(f"{folder.name}: {status_of(folder).state}")
