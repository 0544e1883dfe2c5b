"""`recollect status`: how far a run is; works while another process runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir


def status(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="Name or folder of a run; without it, all.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Say how far a run is, row by row, and whether a process works on it; or list the runs there are."""
    from recollect.cli.output import print_json
    from recollect.cli.runs import find
    from recollect.cli.standing import by_row, of_run
    from recollect.store.run_folder import RunFolder

    if run is None:
        what, close = "run", ""
        folders = [RunFolder(file.parent) for file in sorted(runs_dir.glob("*/run.json"))]
        lines = {folder.name: of_run(folder).told() for folder in folders}
    else:
        folder = find(run, runs_dir)
        what, close = "row", f"{folder.name}: {of_run(folder).state}"
        lines = {row: standing.told() for row, standing in by_row(folder).items()}
    if as_json:
        print_json([{what: name, **told} for name, told in lines.items()])
    else:
        _print(what, lines, close)


def _print(what: str, lines: Mapping[str, Mapping[str, int | str]], close: str) -> None:
    from recollect.cli.output import print_table

    columns = ("done", "planned", "faults", "void", "state")
    print_table("", [what, *columns], [[name, *(str(told[c]) for c in columns)] for name, told in lines.items()])
    if close:
        print(close)
