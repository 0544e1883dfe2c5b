"""`recollect judge check`: how often a judge accepts what is right, and what is wrong."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.cli.purse import Purse
    from recollect.contracts.reading import Judge
    from recollect.judging.check import CheckResult, Rate
    from recollect.stats.estimate import Interval

app = typer.Typer(
    name="judge", help="Measure judges before you believe them.", no_args_is_help=True, rich_markup_mode=None
)

JudgeName = Annotated[str, typer.Option("--judge", help=f"The judge to check: {MODEL}.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="A YAML file with prices; they go before ours.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before more than this is spent.")]
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
    from recollect.cli.purse import Purse
    from recollect.cli.runs import cache_of
    from recollect.judging.check import check_file
    from recollect.records.codec import encode
    from recollect.records.digests import canonical
    from recollect.store.files import write_whole

    cache = cache_of(runs_dir)
    result = _judged(spec, cache, Purse(max_cost=max_cost, prices=prices))
    said = encode(result)
    for file in (check_file(cache, result.judge), out):
        if file is not None:
            write_whole(file, f"{canonical(said)}\n".encode())
    if as_json:
        print_json(said)
    else:
        _show(result)


def _judged(spec: str, cache: Path, purse: Purse) -> CheckResult:
    """The check of the judge that a run with `--judge SPEC` would have; its calls have a ledger of their own."""
    from recollect.cli.calling import calling
    from recollect.cli.config import model_choice, resolve
    from recollect.cli.models import players_of
    from recollect.contracts.call_context import CallContext, in_context
    from recollect.judging.check import FOLDER, check_file
    from recollect.store.run_folder import RunFolder

    config, _ = resolve(None, {"benchmark": "own", "judge": model_choice(spec)})
    players = players_of(config, cache)
    # a ledger for each judge: what another one cost is no part of what this one may cost
    ledger = RunFolder(check_file(cache, players.judge.fingerprint).with_suffix(""))
    with (
        calling(players, ledger, cache, purse, fresh=False) if players.client else nullcontext(),
        in_context(CallContext(stage="check", key=FOLDER)),
    ):
        return _checked(players.judge)


def _checked(judge: Judge) -> CheckResult:
    """The check, with a bar where somebody watches."""
    from recollect.cli.output import progress
    from recollect.judging.check import run_check
    from recollect.judging.probes import shipped

    with progress(len(shipped()), done=0, quiet=not sys.stderr.isatty()) as bar:
        return run_check(judge, watch=lambda _: bar("verdict", 1))


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
