"""`recollect sheets`: hand items to people to judge, and see what came back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.options import RUNS, SIZE, AsJson, Prices, RunsDir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.runs.data.sheets import Drawn
    from recollect.runs.results.wording import Agreement, PairAgreement, Rater, SheetFindings

app = typer.Typer(
    name="sheets",
    help="Hand items to people to judge, and see how good the data are and how far people agree.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

RUN = "A run, RUN or RUN:ROW: its data, the dialogues that it held, and the answers that its judge weighed."
COST = "Stop before more than this is spent: a model as judge is asked about answers that stand in from the data."
SEED = "Of what is drawn, and of the data where they are generated."
KEY = "The file written beside the sheet; `NAME.key.csv` beside the first FILE if not given."


@app.callback()
def sheets() -> None:
    """Hand items to people to judge, and see how good the data are and how far people agree."""


@app.command("write")
def write(  # noqa: PLR0913, PLR0917  # a flag each
    benchmark: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    data: Annotated[Path | None, typer.Option(help="Data to draw from; generated if not given.")] = None,
    size: Annotated[str, typer.Option(help=SIZE)] = "small",
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    run: Annotated[str | None, typer.Option(help=RUN)] = None,
    sheet: Annotated[list[str] | None, typer.Option(help="A sheet; several times. Without it, all.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="How many to draw; else as many as the paper.")] = None,
    raters: Annotated[int, typer.Option(min=1, help="Columns to be filled in.")] = 2,
    max_cost: Annotated[float | None, typer.Option(min=0, help=COST)] = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Draw items of a benchmark's data for people to judge: a table for them, and its key, which they must not see."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.data.sheets import KEY_SUFFIX, SUFFIX, Drawing, Source, draw
    from recollect.runs.setup.calls import Spending

    source = Source(benchmark=benchmark, data=data, size=size, seed=seed, run=run)
    spending = Spending(max_cost=max_cost, prices=prices)
    how = Drawing(sheets=sheet or (), seed=seed, sample=sample, raters=raters, spending=spending)
    origin, drawn = draw(source, how, out, runs_dir)
    if as_json:
        print_json({"folder": str(out), "origin": origin, "sheets": [_as_data(one) for one in drawn]})
        return
    rows = [[one.sheet, f"{one.groups} of {one.population}", str(one.items)] for one in drawn]
    print_table(str(out), ["sheet", "drawn", "items"], rows)
    print(f"give raters the `{SUFFIX}` files, and keep the `{KEY_SUFFIX}` files from them")


@app.command("read")
def read(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="A filled sheet; several copies of one too.")],
    key: Annotated[Path | None, typer.Option(help=KEY)] = None,
    seed: Annotated[int, typer.Option(help="Of the intervals.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Read a sheet that came back: shares and mean of the labels, and how far people, gold and rules agree."""
    from recollect.cli.output import print_json
    from recollect.runs.data.sheets import read_sheets
    from recollect.runs.results.wording import encode

    found = read_sheets(files, key, seed)
    if as_json:
        print_json(encode(found))
    else:
        _show(found)


def _as_data(one: Drawn) -> dict[str, Any]:
    return {"sheet": one.sheet, "drawn": one.groups, "of": one.population, "items": one.items}


def _show(found: SheetFindings) -> None:
    from recollect.cli.output import print_table

    said = [rater for rater in (found.people, *found.raters) if rater is not None]
    points = list(dict.fromkeys(point for rater in said for point in rater.shares))
    title = f"{found.sheet}: {found.items} items, {found.unrated} of them not rated by anybody"
    columns = ["rater", "rated", *(f"share {point}" for point in points), "mean, 1 is best"]
    print_table(title, columns, [_rater_line(rater, points) for rater in said])
    people = found.agreement
    agreed = [*([people] if people else []), *(one for one in found.pairs if not people or one.raters != people.raters)]
    agreed += found.majority
    if agreed:
        columns = ["agreement of", "items", "same", "Cohen's kappa", "AC1", "AC2, ordinal"]
        print_table("agreement", columns, [_agreed_line(one) for one in agreed])
    undefined = [one.why for pair in agreed for one in (pair.kappa, pair.ac1) if one is not None and one.why]
    for why in dict.fromkeys(undefined):
        print(f"-: {why}")


def _rater_line(rater: Rater, points: Sequence[str]) -> list[str]:
    from recollect.cli.output import show

    shares = ["-" if point not in rater.shares else f"{rater.shares[point]:.3f}" for point in points]
    return [rater.name, str(rater.rated), *shares, "-" if rater.mean is None else show(rater.mean)]


def _agreed_line(one: PairAgreement) -> list[str]:
    same = "-" if one.same is None else f"{one.same:.3f}"
    return [
        " and ".join(one.raters),
        str(one.items),
        same,
        _coefficient(one.kappa),
        _coefficient(one.ac1),
        _coefficient(one.ac2),
    ]


def _coefficient(found: Agreement | None) -> str:
    if found is None or found.coefficient is None:
        return "-"
    ends = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.coefficient:.3f}{ends}"
