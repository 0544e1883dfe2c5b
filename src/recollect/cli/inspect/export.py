"""`recollect export`: a finished run in the formats of others, or its charts as files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir


class Format(StrEnum):
    """What an export is for."""

    INSPECT = "inspect"
    PARQUET = "parquet"
    LONGMEMEVAL = "longmemeval"
    FIGURES = "figures"


To = Annotated[
    Format,
    typer.Option(
        "--to",
        help="inspect: logs for `inspect view`. parquet: tables. longmemeval: answers for its own script. "
        "figures: the charts as SVG.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="What to make; refused if it is there.")]


def export(run: RunName, to: To, out: Out, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Write a run in a format of others, or its charts, as a folder of files; free, and from its records alone."""
    from recollect.cli.output import print_json, print_table, remark
    from recollect.runs.results.export import exported

    made = exported(run, to.value, out, runs_dir)
    if as_json:
        files = [file._asdict() for file in made.files]
        print_json({"run": made.run, "to": str(to), "folder": str(out), "files": files, "left_out": made.left_out})
        return
    print_table("", ["file", "rows"], [[file.file, str(file.rows)] for file in made.files])
    if made.left_out:
        remark(f"{made.left_out} have no place in it: no answer is there, or no score counts it")
    print(out)
