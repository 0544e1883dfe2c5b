"""`recollect resume`: go on with a run that stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import REPLAY, RUNS, AsJson, RunName, RunsDir


def resume(  # noqa: PLR0917  # a flag each
    run: RunName,
    trials: Annotated[int, typer.Option(min=1, help="Histories in memory at once.")] = 2,
    calls: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 8,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop before the run has cost more than this.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help=REPLAY)] = False,
    prices: Annotated[Path | None, typer.Option(help="A YAML file with prices; they go before ours.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Go on with a run, or with the part of it that a folder holds; faults are tried again, nothing else is."""
    from recollect.cli.purse import Purse
    from recollect.cli.runs import Work, carry_out, find, prepare, reopen
    from recollect.cli.start import end_part, finish

    folder = find(run, runs_dir)
    parts, purse = sorted(folder.parts()), Purse(max_cost=max_cost, prices=prices)
    assembled = reopen(folder, runs_dir)
    planned = prepare(assembled, folder, folder.settings().get("origins", {}))
    todo: list[tuple[int, int] | None] = [*parts] or [None]
    for part in todo:
        work = Work(trials=trials, calls=calls, part=part, quiet=as_json, purse=purse, replay=replay)
        carry_out(assembled, folder, planned, work)
    if parts:
        end_part(folder, parts[-1])
    else:
        finish(folder, as_json=as_json)
