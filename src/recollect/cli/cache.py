"""`recollect cache`: what was paid for, to look at and to carry to other machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.models.cache.calls import CallCache

cache = typer.Typer(
    help="Look at the replies that were paid for, or carry them to another machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@cache.command()
def show(runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Say how many calls are kept, of which models, and how much room they take."""
    from recollect.cli.output import print_json, print_table
    from recollect.models.cache.calls import CacheContents

    place = folder(runs_dir)
    if kept(runs_dir):
        with opened(runs_dir) as calls:
            found = calls.holdings()
    else:
        found = CacheContents(held=(), texts=0, size=0)
    columns = ["kind", "model", "calls", "input", "output"]
    rows = [{column: getattr(held, column) for column in columns} for held in found.held]
    count = sum(held.calls for held in found.held)
    if as_json:
        print_json({"folder": str(place), "calls": count, "models": rows, "texts": found.texts, "bytes": found.size})
        return
    if rows:
        print_table("", columns, [[str(row[column]) for column in columns] for row in rows])
    print(f"{count} calls, their prompts in {found.texts} texts, {found.size / 1e6:.1f} MB in {place}")


@cache.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What to write; replaced if it is there.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Write all kept calls to one file, prompts and replies included."""
    from recollect.cli.output import print_json, remark
    from recollect.domain.errors import UsageError

    if not kept(runs_dir):
        raise UsageError(f"{folder(runs_dir)}: no calls are kept here. Name the folder of the runs with `--runs-dir`.")
    with opened(runs_dir) as calls:
        count = calls.export(file)
    if as_json:
        print_json({"calls": count, "file": str(file)})
        return
    remark(f"{count} calls; the file holds prompts and replies as they were sent, and no keys")
    print(file)


@cache.command()
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

    with opened(runs_dir) as calls:
        done = calls.merge(files, keep_ours=keep_ours)
    if as_json:
        print_json({"added": done.added, "known": done.known, "kept": done.kept})
        return
    print(f"{done.added} calls added, {done.known} were here, {done.kept} kept as they were here")


def folder(runs_dir: Path) -> Path:
    """Where calls are kept that all runs of a folder may use."""
    from recollect.cli.runs import cache_of

    return cache_of(runs_dir) / "calls"


def kept(runs_dir: Path) -> bool:
    """There is a cache of calls: looking at one must not make one."""
    from recollect.models.cache.calls import FILE

    return (folder(runs_dir) / FILE).is_file()


def opened(runs_dir: Path) -> CallCache:
    """The cache of calls, to be closed."""
    from recollect.models.cache.calls import CallCache

    return CallCache(folder(runs_dir))
