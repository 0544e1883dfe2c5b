"""`recollect resume`: go on with a run that stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir


def resume(
    run: RunName,
    trials: Annotated[int, typer.Option(min=1, help="Histories in memory at once.")] = 2,
    calls: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 8,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Go on with a run: what is recorded is not done again, faults are tried again."""
    from recollect.cli.runs import Work, carry_out, find, prepare, reopen
    from recollect.cli.start import finish

    folder = find(run, runs_dir)
    assembled = reopen(folder, runs_dir)
    planned = prepare(assembled, folder, folder.settings().get("origins", {}))
    carry_out(assembled, folder, planned, Work(trials=trials, calls=calls, quiet=as_json))
    finish(folder, as_json=as_json)
