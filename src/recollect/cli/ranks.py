"""`recollect ranks`: the same rows in two runs, and whether their order holds when somebody else talked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.diagnose.summary import Findings
    from recollect.records.tables.multi_run import Concordance, RankedRow, RankTable

COLUMNS = ("row", "first", "rank of the first", "second", "rank of the second", "change", "difference")


def ranks(
    first: Annotated[str, typer.Argument(metavar="ON", help="A run: its name or folder.")],
    second: Annotated[str, typer.Argument(metavar="OFF", help="The same rows, such as with `--talk ON:ROW`.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Rank the rows of two runs that differ only in who talked; what cannot be told apart is a tie."""
    from recollect.cli.output import print_json
    from recollect.diagnose.compare.ranks import rank_change
    from recollect.records.codec import encode

    made = rank_change(_read(first, runs_dir), _read(second, runs_dir))
    if as_json:
        print_json(encode(made))
        return
    for table in made.tables:
        _print(table, f"{table.task}, {table.measure}: {made.first} (first), {made.second} (second)")
    for row, why in made.left_out.items():
        print(f"not ranked: {row}: {why}")
    print(f"knobs that differ: {', '.join(made.knobs) or 'none'}")


def _read(name: str, runs_dir: Path) -> tuple[Findings, Any]:
    from recollect.cli.runs import examined, find

    folder = find(name, runs_dir)
    return examined(folder), folder.settings()


def _print(table: RankTable, title: str) -> None:
    from recollect.cli.output import print_table

    print_table(title, COLUMNS, [_line(row) for row in table.rows])
    print(f"Kendall's tau of the scores {_tau(table.of_scores)}; of the ranks {_tau(table.of_ranks)}")


def _line(row: RankedRow) -> list[str]:
    from recollect.cli.reports import show

    change = row.change
    return [
        row.row,
        show(row.first),
        _shown(row.first_rank),
        show(row.second),
        _shown(row.second_rank),
        "-" if change is None else "=" if change == 0 else f"{change:+d}",
        show(row.difference),
    ]


def _shown(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


def _tau(found: Concordance) -> str:
    if found.tau is None:
        return f"undefined ({found.why})"
    return f"{found.tau:.3f} (p {'undefined' if found.p is None else f'{found.p:.3g}'}, {found.n} rows)"
