"""`recollect export`: a finished run in the formats of other tools, or its charts as files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir
from recollect.cli.output import print_json, print_table, remark


class Format(StrEnum):
    """Formats of an export."""

    INSPECT = "inspect"
    PARQUET = "parquet"
    LONGMEMEVAL = "longmemeval"
    FIGURES = "figures"


To = Annotated[
    Format,
    typer.Option(
        "--to",
        help="inspect: logs for `inspect view`. parquet: tables. longmemeval: answers for its script. "
        "figures: the charts as SVG.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder to create; refused if it exists.")]


def export(run: RunName, to: To, out: Out, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Write a run in the format of another tool, or its charts, from its records; calls no model."""
    from recollect.runs.results.export import exported

    made = exported(run, to.value, out, runs_dir)
    if as_json:
        files = [file._asdict() for file in made.files]
        print_json({"run": made.run, "to": str(to), "folder": str(out), "files": files, "left_out": made.left_out})
        return
    print_table("", ["file", "rows"], [[file.file, str(file.rows)] for file in made.files])
    if made.left_out:
        remark(f"{made.left_out} left out: they have no answer, or are not scored")
    print(out)
