"""What `run`, `resume` and `demo` do once they know the config."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recollect.cli.config import Origins, RunConfig
from recollect.cli.output import print_json, remark
from recollect.records.provenance import ABSENT, STAND_IN, Ran

if TYPE_CHECKING:
    from recollect.cli.assemble import Run
    from recollect.cli.runs import Work
    from recollect.engine.estimate.run import RunEstimate
    from recollect.engine.plan import Trial
    from recollect.store.run_folder import RunFolder


def start(
    config: RunConfig, origins: Origins, work: Work, *, runs_dir: Path, name: str | None, as_json: bool = False
) -> None:
    """Assemble, run, report."""
    from recollect.cli.assemble import assemble
    from recollect.cli.runs import cache_of, carry_out, folder_for, name_of, prepare

    folder = folder_for(name or name_of(config), runs_dir)
    run = assemble(config, cache_of(runs_dir))
    planned = prepare(run, folder, origins)
    carry_out(run, folder, planned, work)
    if work.part:
        end_part(folder, work.part)
    else:
        finish(folder, as_json=as_json)


def end_part(folder: RunFolder, part: tuple[int, int]) -> None:
    """Say that a part is done; a report is made of the whole."""
    remark(f"part {part[0]}/{part[1]} of {folder.path} is done. `recollect merge` puts parts together.")


def dry_run(config: RunConfig, *, runs_dir: Path, as_json: bool, prices: Path | None = None) -> None:
    """Assemble, and say what would be done and what it would cost."""
    from recollect.cli.assemble import assemble
    from recollect.cli.forecasts import forecast_of
    from recollect.cli.runs import cache_of

    run = assemble(config, cache_of(runs_dir))
    trials = run.trials()
    say_plan(run, trials, forecast_of(run, trials, prices), as_json=as_json)


def finish(folder: RunFolder, *, as_json: bool) -> None:
    """Score, write the report, print the numbers; the report's path is the last line."""
    from recollect.cli.paper_tables import print_tables
    from recollect.cli.policy_tables import print_policies
    from recollect.cli.reports import headline_table, say_cost, write_report
    from recollect.cli.runs import FAULT_BOUND, examined
    from recollect.cli.state_tables import print_states
    from recollect.records.codec import encode

    found = examined(folder)
    summary, page = found.summary, write_report(folder, found)
    if as_json:
        print_json({"summary": encode(summary), "beside": encode(found.beside), "report": str(page)})
    else:
        headline_table(summary)
        print_tables(found.beside.tables)
        print_states(found.beside.states)
        print_policies(found.beside.policies)
        say_cost(summary)
        print(page)
    if summary.total.unfinished:
        remark(
            f"{summary.total.unfinished} of {summary.total.planned} cells are not done yet; `recollect resume` goes on."
        )
        raise typer.Exit(1)
    if summary.fault_share > FAULT_BOUND:
        remark(
            f"{summary.fault_share:.1%} of the cells are faults: no headline. `recollect diagnose` names the causes."
        )
        raise typer.Exit(1)


def _not_running(standings: Mapping[str, Ran]) -> dict[str, dict[str, str]]:
    """Rows that will show no score, by how they stand, with the reason."""
    words = {STAND_IN: STAND_IN.replace(" ", "_"), ABSENT: ABSENT.replace(" ", "_")}
    return {key: {row: one.why for row, one in standings.items() if one.word == word} for word, key in words.items()}


def say_plan(run: Run, trials: list[Trial], forecast: RunEstimate, *, as_json: bool) -> None:
    """What a run would do: trials, questions and records, and what its models would take."""
    from recollect.cli.forecasts import say_forecast

    cells = [cell for trial in trials for cell in trial.cells]
    plan = {
        "benchmark": run.config.benchmark,
        "rows": [row.label for row in run.rows],
        "left_out": dict(run.left_out),
        **_not_running(run.standings),
        "histories": len(run.dataset.histories),
        "trials": len(trials),
        "answers": len({cell.answer for cell in cells}),
        "verdicts": sum(cell.verdict is not None for cell in cells),
        "records": sum(len(trial.keys()) for trial in trials),
    }
    if as_json:
        print_json({**plan, "forecast": asdict(forecast)})
        return
    for name, value in plan.items():
        if value != {}:
            print(f"{name:10} {', '.join(value) if isinstance(value, list | dict) else value}")
    print()
    say_forecast(forecast)
