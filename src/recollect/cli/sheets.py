"""`recollect sheets`: hand items to people to judge, and see what came back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from recollect.cli.options import RUNS, SIZE, AsJson, RunsDir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.cli.purse import Purse
    from recollect.cli.sources import Found
    from recollect.contracts.sheets import Sheet, SheetItem
    from recollect.making.agreement import PairAgreement, Rater, SheetFindings
    from recollect.making.sheets import Drawn
    from recollect.stats.agreement import Agreement
    from recollect.stats.estimate import Interval

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
    prices: Annotated[Path | None, typer.Option(help="A YAML file with prices; they go before ours.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Draw items of a benchmark's data for people to judge: a table for them, and its key, which they must not see."""
    from recollect.cli.output import print_json, print_table
    from recollect.cli.purse import Purse
    from recollect.cli.sources import Source
    from recollect.making.sheets import KEY_SUFFIX, SUFFIX

    found = Source(benchmark=benchmark, data=data, size=size, seed=seed, run=run).opened(runs_dir)
    purse = Purse(max_cost=max_cost, prices=prices)
    drawn = list(_drawn(found, sheet or (), _How(seed, sample, raters, runs_dir, purse)))
    _write(drawn, out)
    if as_json:
        print_json({"folder": str(out), "origin": found.dataset.origin, "sheets": [_as_data(one) for one in drawn]})
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
    from recollect.making.agreement import findings
    from recollect.making.ratings import default_key_path, read_ratings
    from recollect.records.codec import encode

    found = findings(read_ratings(files, key or default_key_path(files[0])), seed=seed)
    if as_json:
        print_json(encode(found))
    else:
        _show(found)


class _How(NamedTuple):
    """How sheets are drawn."""

    seed: int
    sample: int | None
    raters: int
    runs_dir: Path
    purse: Purse


def _drawn(found: Found, names: Sequence[str], how: _How) -> Iterator[Drawn]:
    from recollect.cli.output import remark
    from recollect.making.sheets import choose_items, lay_out

    judged = found.judged.sheet(how.seed) if found.judged else None
    for one in _chosen([*found.sheets(), *([judged.sheet] if judged else [])], names):
        if not one.items:
            remark(f"left out: {one.name}: {one.why}")
            continue
        items = choose_items(one, seed=how.seed, sample=how.sample)
        if judged and found.judged and one is judged.sheet:
            _tell_short(items)
            items = found.judged.weighed(items, judged.unweighed, runs_dir=how.runs_dir, purse=how.purse)
        yield lay_out(one, items, raters=how.raters)


def _tell_short(items: Sequence[SheetItem]) -> None:
    """Questions that have not as many answers as wanted, with those of the data."""
    from recollect.cli.output import remark
    from recollect.diagnose.records.judge_sheet import CANDIDATES

    groups = Counter(item.group for item in items)
    short = sum(many < CANDIDATES for many in groups.values())
    if short:
        remark(f"{short} of {len(groups)} questions have fewer than {CANDIDATES} distinct answers, the data's included")


def _write(drawn: Sequence[Drawn], out: Path) -> None:
    from recollect.making.sheets import KEY_SUFFIX, SUFFIX
    from recollect.store.files import disk_errors, write_whole

    for one in drawn:
        with disk_errors(out):
            out.mkdir(parents=True, exist_ok=True)
            write_whole(out / f"{one.sheet}{SUFFIX}", one.table)
            write_whole(out / f"{one.sheet}{KEY_SUFFIX}", one.key)


def _chosen(found: Sequence[Sheet], names: Sequence[str]) -> list[Sheet]:
    from recollect.domain.errors import UnknownNameError

    known = {one.name: one for one in found}
    for name in names:
        if name not in known:
            raise UnknownNameError("sheet", name, known)
    return [one for one in found if not names or one.name in names]


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
    shares = ["-" if point not in rater.shares else f"{rater.shares[point]:.3f}" for point in points]
    return [rater.name, str(rater.rated), *shares, _interval(rater.mean)]


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


def _interval(mean: Interval | None) -> str:
    if mean is None or mean.estimate is None:
        return "-"
    ends = "" if mean.low is None or mean.high is None else f" [{mean.low:.3f}, {mean.high:.3f}]"
    return f"{mean.estimate:.3f}{ends}"


def _coefficient(found: Agreement | None) -> str:
    if found is None or found.coefficient is None:
        return "-"
    ends = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.coefficient:.3f}{ends}"
