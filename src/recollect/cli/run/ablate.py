"""`recollect ablate`: the same run under several values of a setting, with one table and one plot per task."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.output import print_json, print_table, remark, show
from recollect.cli.run import launch

if TYPE_CHECKING:
    from recollect.runs.results.wording import Ablation

Over = Annotated[
    list[str],
    typer.Option(
        help="SETTING=VALUE,VALUE,… of chunk_tokens, search_limit, context_tokens (or `full`), preset, task; for "
        "reader, once per value. Or ROW.SETTING=VALUE,… of systems, such as awe.freq=2,4,8; repeatable."
    ),
]
Cross = Annotated[
    bool, typer.Option("--cross", help="Run every combination of the settings of the run, or of a system.")
]
By = Annotated[str, typer.Option("--by", help="A label: also print the scores of each of its values.")]
NOT_HERE = frozenset({"shard", "dry"})
"""Flags of `run` that `ablate` does not take."""


def ablate(over: list[str], *, cross: bool = False, by: str = "", **flags: Any) -> None:
    """Run a benchmark once for each value of a setting; run the same command again to resume."""
    from recollect.runs.ablation import Over as Varied
    from recollect.runs.ablation import ablate as run_all

    config, origins = launch.asked(flags)
    varied = Varied(settings=over, cross=cross, by=by)
    made = run_all(varied, config, origins, launch.work_of(flags), runs_dir=flags["runs_dir"], name=flags["name"])
    if flags["as_json"]:
        print_json(made.as_data())
    else:
        for table in made.made:
            _print(table)
        print(made.page)
    faulty = made.faulty()
    for run in faulty:
        remark(f"{run.run}: {run.unfinished} answers are missing, {run.fault_share:.1%} of the cells are faults.")
    if faulty:
        raise typer.Exit(1)


def _signature() -> inspect.Signature:
    """The signature of `run` with the options of `ablate`."""
    given = inspect.signature(launch.run, eval_str=True)
    kept = [one for one in given.parameters.values() if one.name not in NOT_HERE]
    mine = inspect.Parameter("over", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Over)
    every = inspect.Parameter("cross", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Cross, default=False)
    label = inspect.Parameter("by", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=By, default="")
    first, *others = kept
    return given.replace(parameters=[first.replace(default=None), mine.replace(default=...), every, label, *others])


ablate.__signature__ = _signature()  # type: ignore[attr-defined]
ablate.__annotations__ = {one.name: one.annotation for one in _signature().parameters.values()}


def _print(made: Ablation) -> None:
    rows = []
    for plot in made.plots:
        for line in plot.lines:
            points = {point.value: show(point.score) for point in line.points}
            rows.append([plot.name, line.row, *(points.get(value, "-") for value in made.values)])
        if plot.evidence_shown:
            shares = [f"{plot.evidence_shown.get(value, 1.0):.0%}" for value in made.values]
            rows.append([plot.name, "(evidence shown)", *shares])
    crossed = "".join(f" × {setting}" for setting in made.crossed)
    print_table(f"{made.name} over {made.over}{crossed}", ["task", "row", *made.values], rows)
