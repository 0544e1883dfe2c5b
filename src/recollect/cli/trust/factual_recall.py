"""`recollect factual-recall`: a model checks which of the states of a period an agent remembers at its end."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunName, RunsDir
from recollect.cli.output import print_json, print_table, show

COLUMNS = ("task", "row", "period", "held, by the model", "states", "undecided")
JudgeName = Annotated[str, typer.Option("--judge", help=f"Model that checks: {MODEL}.")]


def factual_recall(  # noqa: PLR0917  # a flag each
    run: RunName,
    judge: JudgeName,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Have a model check which of the newest states agents with a policy remember; replies are cached."""
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.checks import factual_recall_of

    made = factual_recall_of(run, judge, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir)
    if as_json:
        print_json(made.as_data())
        return
    rows = [
        [
            *(one.task, one.row, "all" if one.period is None else str(one.period)),
            *(show(one.recall), str(one.recall.n), str(one.undecided)),
        ]
        for one in made.recalls
    ]
    print_table(f"{run}: memory factual recall by {judge}", COLUMNS, rows)
    print(made.file)
