"""`recollect ranks`: the order of the same rows in two runs, such as with other dialogues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table, show

if TYPE_CHECKING:
    from recollect.runs.results.wording import Concordance

COLUMNS = ("row", "first", "rank of the first", "second", "rank of the second", "change", "difference")


def ranks(
    first: Annotated[str, typer.Argument(metavar="ON", help="A run: its name or folder.")],
    second: Annotated[str, typer.Argument(metavar="OFF", help="A run of the same rows, such as with `--talk ON:ROW`.")],
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Rank the rows of two runs that differ only in their dialogues; differences that are not significant are ties."""
    from recollect.runs.results.findings import ranked

    made = ranked(first, second, runs_dir)
    if as_json:
        print_json(made)
        return
    for table in made.tables:
        title = f"{table.task}, {table.measure}: {made.first} (first), {made.second} (second)"
        rows = []
        for row in table.rows:
            ranks_of = ["-" if rank is None else str(rank) for rank in (row.first_rank, row.second_rank)]
            change = "-" if row.change is None else "=" if row.change == 0 else f"{row.change:+d}"
            first, second, difference = show(row.first), show(row.second), show(row.difference)
            rows.append([row.row, first, ranks_of[0], second, ranks_of[1], change, difference])
        print_table(title, COLUMNS, rows)
        print(f"Kendall's tau of the scores {_tau(table.of_scores)}; of the ranks {_tau(table.of_ranks)}")
    for name, why in made.left_out.items():
        print(f"not ranked: {name}: {why}")
    print(f"knobs that differ: {', '.join(made.knobs) or 'none'}")


def _tau(found: Concordance) -> str:
    if found.tau is None:
        return f"undefined ({found.why})"
    return f"{found.tau:.3f} (p {'undefined' if found.p is None else f'{found.p:.3g}'}, {found.n} rows)"
