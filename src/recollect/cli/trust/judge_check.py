"""`recollect judge check`: how often a judge accepts right and wrong answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunsDir
from recollect.cli.output import print_json, print_table

app = typer.Typer(
    name="judge", help="Measure judges before you trust them.", no_args_is_help=True, rich_markup_mode=None
)

JudgeName = Annotated[str, typer.Option("--judge", help=f"Judge to check: {MODEL}.")]
Out = Annotated[Path | None, typer.Option("--out", help="Also write the check, with every verdict, to this file.")]


@app.callback()
def judge() -> None:
    """Measure judges before you trust them."""


@app.command("check")
def check(  # noqa: PLR0917  # a flag each
    spec: JudgeName = "rules",
    out: Out = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Have a judge rate the shipped probes, and print how often it accepts right and wrong answers.

    The check is stored with the runs; later runs with this judge name it.
    """
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.checks import judge_checked

    result = judge_checked(spec, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir, out=out)
    if as_json:
        print_json(result)
        return
    rows = []
    for rate in (*result.kinds, result.true_accept, result.false_accept):
        counts, share, accepted = (rate.n, rate.accepted, rate.rejected, rate.undecided), rate.share, "-"
        if share.estimate is not None and share.low is not None and share.high is not None:
            accepted = f"{share.estimate:.1%} [{share.low:.1%}, {share.high:.1%}]"
        rows.append([rate.name, "accept" if rate.wanted else "refuse", *map(str, counts), accepted])
    columns = ["replies", "wanted", "n", "accepted", "refused", "undecided", "share accepted"]
    print_table(f"judge check {result.check}", columns, rows)
    print(f"judge {result.judge}")
    print(f"probes {result.probes}")
