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
    from recollect.cli.runs import find
    from recollect.diagnose.compare.knobs import knobs
    from recollect.records.codec import encode

    one, other = find(first, runs_dir), find(second, runs_dir)
    found = knobs(one.settings(), other.settings())
    if as_json:
        print_json({"first": one.name, "second": other.name, "knobs": [encode(knob) for knob in found]})
        return
    if not found:
        print("no knob differs: numbers may differ only by chance of models that sample, or by their servers")
        return
    rows = [[knob.name, knob.first, knob.second, knob.changes] for knob in found]
    print_table(f"{len(found)} knobs differ", ["knob", one.name, other.name, "what it changes"], rows)
