"""`recollect check-data`: does a file say what its format promises?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.runs.data.datasets import Contents, Line


def check_data(  # noqa: PLR0917  # a flag each
    path: Annotated[Path, typer.Argument(help="File or folder of data.")],
    benchmark: Annotated[str | None, typer.Option(help="Whose format; found out if not given.")] = None,
    questions: Annotated[Path | None, typer.Option(help="Write the questions here, to be answered elsewhere.")] = None,
    run: Annotated[str | None, typer.Option(help="Count the dialogues of a run on them too: RUN or RUN:ROW.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Read data, name every problem with its place, or say what the data hold and are made of."""
    from recollect.runs.data.datasets import checked

    print_contents(checked(path, benchmark, runs_dir=runs_dir, questions=questions, run=run), as_json=as_json)


def print_contents(held: Contents, *, as_json: bool) -> None:
    """Histories, messages and questions per task, and what else the data are made of."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.data.datasets import COLUMNS

    if as_json:
        print_json(held.as_data())
        return
    print_table(str(held.path), COLUMNS, [[str(value) for value in row] for row in held.tasks])
    if held.figures:
        title = "made of; tokens by the bundled tokenizer"
        print_table(title, ["figure", "value", "range", "the paper's"], [_figure(line) for line in held.figures])
    for line in held.figures:
        if line.figure.why:
            print(f"{line.figure.name}: {line.figure.why}")
    if held.origin:
        print(f"from {held.origin}")


def _figure(line: Line) -> list[str]:
    from recollect.runs.results.catalogue import in_paper

    one = line.figure
    ends = "" if one.low is None or one.high is None else f"{one.low:,g} to {one.high:,g}"
    return [one.name, "-" if one.value is None else f"{one.value:,.10g}", ends, in_paper(line.paper)]
