"""`recollect resume`: go on with a run that stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir


def resume(  # noqa: PLR0917  # a flag each
    run: RunName,
    trials: Annotated[int, typer.Option(min=1, help="Histories in memory at once.")] = 2,
    calls: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 8,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop before the run has cost more than this.")] = None,
    prices: Annotated[Path | None, typer.Option(help="A YAML file with prices; they go before ours.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Go on with a run: what is recorded is not done again, faults are tried again."""
    from recollect.cli.calling import Purse
    from recollect.cli.runs import Work, carry_out, find, prepare, reopen
    from recollect.cli.start import finish

    folder = find(run, runs_dir)
    work = Work(trials=trials, calls=calls, quiet=as_json, purse=Purse(max_cost=max_cost, prices=prices))
    assembled = reopen(folder, runs_dir)
    planned = prepare(assembled, folder, folder.settings().get("origins", {}))
    carry_out(assembled, folder, planned, work)
    finish(folder, as_json=as_json)
