"""`recollect cache`: cached replies of models, to inspect and to copy to other machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table, remark

COLUMNS = ("kind", "model", "calls", "input", "output")
app = typer.Typer(
    name="cache",
    help="Inspect cached replies of models, or copy them to another machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def show(runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Show the number of cached calls by model, and their size on disk."""
    from recollect.runs.setup.calls import holdings

    folder, found = holdings(runs_dir)
    rows = [{column: getattr(held, column) for column in COLUMNS} for held in found.held]
    count = sum(held.calls for held in found.held)
    if as_json:
        print_json({"folder": str(folder), "calls": count, "models": rows, "texts": found.texts, "bytes": found.size})
        return
    if rows:
        print_table("", COLUMNS, [[str(row[column]) for column in COLUMNS] for row in rows])
    print(f"{count} calls, their prompts in {found.texts} texts, {found.size / 1e6:.1f} MB in {folder}")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; an existing one is replaced.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Write all cached calls to one file, with prompts and replies."""
    from recollect.runs.setup.calls import export_calls

    count = export_calls(runs_dir, file)
    if as_json:
        print_json({"calls": count, "file": str(file)})
        return
    remark(f"{count} calls; the file contains prompts and replies as sent, but no keys")
    print(file)


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of `recollect cache export`.")],
    keep_ours: Annotated[
        bool,
        typer.Option("--keep-ours", help="Keep the reply cached here if a call has two; else refuse."),
    ] = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Add calls of exported files that are not cached yet; a damaged file adds nothing."""
    from recollect.runs.setup.calls import merge_calls

    done = merge_calls(runs_dir, files, keep_ours=keep_ours)
    if as_json:
        print_json({"added": done.added, "known": done.known, "kept": done.kept})
        return
    print(f"{done.added} calls added, {done.known} were here, {done.kept} kept as they were here")
