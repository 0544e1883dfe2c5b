"""`recollect factual-recall`: a model says which of the states told in a period an agent held at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunName, RunsDir

if TYPE_CHECKING:
    from recollect.runs.results.wording import ModelRecall

COLUMNS = ("task", "row", "period", "held, by the model", "states", "undecided")
JudgeName = Annotated[str, typer.Option("--judge", help=f"The model that checks: {MODEL}.")]


def factual_recall(  # noqa: PLR0917  # a flag each
    run: RunName,
    judge: JudgeName,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Have a model check what agents that follow a policy held of the newest states; a reply is paid for once."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.checks import factual_recall_of

    made = factual_recall_of(run, judge, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir)
    if as_json:
        print_json(made.as_data())
        return
    print_table(f"{run}: memory factual recall by {judge}", COLUMNS, [_line(one) for one in made.recalls])
    print(made.file)


def _line(one: ModelRecall) -> list[str]:
    from recollect.cli.output import show

    period = "all" if one.period is None else str(one.period)
    return [one.task, one.row, period, show(one.recall), str(one.recall.n), str(one.undecided)]
