"""`recollect cache`: what was paid for, to look at and to carry to other machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

COLUMNS = ("kind", "model", "calls", "input", "output")
app = typer.Typer(
    name="cache",
    help="Look at the replies that were paid for, or carry them to another machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def show(runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Say how many calls are kept, of which models, and how much room they take."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.setup.calls import holdings

    place, found = holdings(runs_dir)
    rows = [{column: getattr(held, column) for column in COLUMNS} for held in found.held]
    count = sum(held.calls for held in found.held)
    if as_json:
        print_json({"folder": str(place), "calls": count, "models": rows, "texts": found.texts, "bytes": found.size})
        return
    if rows:
        print_table("", COLUMNS, [[str(row[column]) for column in COLUMNS] for row in rows])
    print(f"{count} calls, their prompts in {found.texts} texts, {found.size / 1e6:.1f} MB in {place}")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What to write; replaced if it is there.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Write all kept calls to one file, prompts and replies included."""
    from recollect.cli.output import print_json, remark
    from recollect.runs.setup.calls import export_calls

    count = export_calls(runs_dir, file)
    if as_json:
        print_json({"calls": count, "file": str(file)})
        return
    remark(f"{count} calls; the file holds prompts and replies as they were sent, and no keys")
    print(file)


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of `recollect cache export`.")],
    keep_ours: Annotated[
        bool, typer.Option("--keep-ours", help="Where a call has another reply here, keep that; else refuse.")
    ] = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Take calls of exported files that are not kept here; takes nothing of a damaged file."""
    from recollect.cli.output import print_json
    from recollect.runs.setup.calls import merge_calls

    done = merge_calls(runs_dir, files, keep_ours=keep_ours)
    if as_json:
        print_json({"added": done.added, "known": done.known, "kept": done.kept})
        return
    print(f"{done.added} calls added, {done.known} were here, {done.kept} kept as they were here")
