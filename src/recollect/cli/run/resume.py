"""`recollect resume`: continue a run that stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.endings import leave
from recollect.cli.options import RUNS, AsJson, Calls, Prices, Replay, RunName, RunsDir, Trials


def resume(  # noqa: PLR0917  # a flag each
    run: RunName,
    trials: Trials = 2,
    calls: Calls = 8,
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop before the run costs more than this.")] = None,
    replay: Replay = False,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Resume a run, or the part of it in a folder; faults are retried, records are kept."""
    from recollect.cli.run.closing import end_part, finish
    from recollect.runs.setup.calls import Spending
    from recollect.runs.start import Work
    from recollect.runs.start import resume as continue_run

    spending = Spending(max_cost=max_cost, prices=prices)
    work = Work(trials=trials, calls=calls, quiet=as_json, spending=spending, replay=replay, leave=leave)
    folder, parts = continue_run(run, runs_dir, work)
    if parts:
        end_part(folder, parts[-1])
    else:
        finish(folder, as_json=as_json)
