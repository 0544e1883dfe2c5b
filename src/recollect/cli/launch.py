"""`recollect run`: everything from data to report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

Many = list[str]


def run(  # noqa: PLR0913, PLR0917  # a flag each: the command line is the one place where many belong
    benchmark: Annotated[str | None, typer.Argument(help="Its name; `recollect list` shows them.")] = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file with settings; flags override it.")] = None,
    data: Annotated[str | None, typer.Option(help="Data to run on; generated if not given.")] = None,
    size: Annotated[str | None, typer.Option(help="Size of generated data.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything that is drawn.")] = None,
    task: Annotated[Many | None, typer.Option(help="A task; may be given several times.")] = None,
    memory: Annotated[Many | None, typer.Option(help="A memory: NAME or NAME:setting=value,…; several times.")] = None,
    arm: Annotated[Many | None, typer.Option(help="system, oracle or readback; several times.")] = None,
    preset: Annotated[str | None, typer.Option(help="standard or paper.")] = None,
    reader: Annotated[str | None, typer.Option(help="Who reads and answers.")] = None,
    judge: Annotated[str | None, typer.Option(help="Who weighs answers that need it.")] = None,
    limit: Annotated[int | None, typer.Option(help="At most so many questions, evenly over the tasks.")] = None,
    repeats: Annotated[int | None, typer.Option(help="Runs of everything.")] = None,
    references: Annotated[bool | None, typer.Option(help="Add the card's floor and ceiling rows.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run's folder.")] = None,
    shard: Annotated[str | None, typer.Option(help="Do the i-th of n parts: i/n.")] = None,
    trials: Annotated[int, typer.Option(min=1, help="Histories in memory at once.")] = 2,
    calls: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 8,
    dry: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and stop.")] = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Run a benchmark; run the same command again to go on where it stopped."""
    from recollect.cli.config import choice, resolve
    from recollect.cli.runs import Work
    from recollect.cli.start import dry_run, start
    from recollect.engine.shard import parse_shard

    flags = {
        "benchmark": benchmark, "data": data, "size": size, "seed": seed, "tasks": task, "arms": arm,
        "memories": [choice(text) for text in memory] if memory else None,
        "preset": preset, "reader": reader, "judge": judge, "limit": limit, "repeats": repeats,
        "references": references,
    }  # fmt: skip
    resolved, origins = resolve(config, flags)
    if dry:
        dry_run(resolved, runs_dir=runs_dir, as_json=as_json)
        return
    work = Work(trials=trials, calls=calls, part=parse_shard(shard) if shard else None, quiet=as_json)
    start(resolved, origins, work, runs_dir=runs_dir, name=name, as_json=as_json)
