"""`recollect why`: the settings in which two runs differ."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table


def why(
    first: Annotated[str, typer.Argument(help="Name or folder of a run.")],
    second: Annotated[str, typer.Argument(help="Another run.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """List every setting in which two runs differ: data, prompts, systems, models, seeds, versions."""
    from recollect.runs.results.findings import knobs_apart

    found = knobs_apart(first, second, runs_dir)
    if as_json:
        print_json(found.as_data())
        return
    if not found.knobs:
        print("no knob differs: numbers can differ only through sampling or the servers of models")
        return
    rows = [[knob.name, knob.first, knob.second, knob.changes] for knob in found.knobs]
    print_table(f"{len(rows)} knobs differ", ["knob", found.first, found.second, "what it changes"], rows)
