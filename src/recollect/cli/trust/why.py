"""`recollect why`: why two runs need not agree."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir


def why(
    first: Annotated[str, typer.Argument(help="A run: its name or folder.")],
    second: Annotated[str, typer.Argument(help="Another run.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """List every knob in which two runs differ: data, prompts, systems, models, seeds, versions."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.results.findings import knobs_apart

    found = knobs_apart(first, second, runs_dir)
    if as_json:
        print_json(found.as_data())
        return
    if not found.knobs:
        print("no knob differs: numbers may differ only by chance of models that sample, or by their servers")
        return
    rows = [[knob.name, knob.first, knob.second, knob.changes] for knob in found.knobs]
    print_table(f"{len(rows)} knobs differ", ["knob", found.first, found.second, "what it changes"], rows)
