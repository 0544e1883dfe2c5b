"""`recollect judge check`: how often a judge accepts what is right, and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunsDir

if TYPE_CHECKING:
    from recollect.runs.results.wording import CheckResult, Interval, Rate

app = typer.Typer(
    name="judge", help="Measure judges before you believe them.", no_args_is_help=True, rich_markup_mode=None
)

JudgeName = Annotated[str, typer.Option("--judge", help=f"The judge to check: {MODEL}.")]
Out = Annotated[Path | None, typer.Option("--out", help="Also write the check, with every verdict, to this file.")]


@app.callback()
def judge() -> None:
    """Measure judges before you believe them."""


@app.command("check")
def check(  # noqa: PLR0917  # a flag each
    spec: JudgeName = "rules",
    out: Out = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Have a judge weigh the shipped probes, and print how often it accepts what is right and what is wrong.

    The check is kept beside the runs; scores of runs made with this judge then carry its id.
    """
    from recollect.cli.output import print_json
    from recollect.runs.results.wording import encode
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.checks import judge_checked

    result = judge_checked(spec, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir, out=out)
    if as_json:
        print_json(encode(result))
    else:
        _show(result)


def _show(result: CheckResult) -> None:
    from recollect.cli.output import print_table

    rows = [_line(rate) for rate in (*result.kinds, result.true_accept, result.false_accept)]
    columns = ["replies", "wanted", "n", "accepted", "refused", "undecided", "share accepted"]
    print_table(f"judge check {result.check}", columns, rows)
    print(f"judge {result.judge}")
    print(f"probes {result.probes}")


def _line(rate: Rate) -> list[str]:
    counts = (rate.n, rate.accepted, rate.rejected, rate.undecided)
    return [rate.name, "accept" if rate.wanted else "refuse", *map(str, counts), _percent(rate.share)]


def _percent(share: Interval) -> str:
    if share.estimate is None or share.low is None or share.high is None:
        return "-"
    return f"{share.estimate:.1%} [{share.low:.1%}, {share.high:.1%}]"
