"""`recollect check-data`: does a file match its format?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import print_json, print_table

if TYPE_CHECKING:
    from recollect.runs.data.datasets import Contents


def check_data(  # noqa: PLR0917  # a flag each
    path: Annotated[Path, typer.Argument(help="File or folder of data.")],
    benchmark: Annotated[str | None, typer.Option(help="Benchmark whose format it has; detected by default.")] = None,
    questions: Annotated[Path | None, typer.Option(help="Write the questions to a file, to answer elsewhere.")] = None,
    run: Annotated[str | None, typer.Option(help="Also count the dialogues of a run: RUN or RUN:ROW.")] = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Read data and list every problem, or print counts and statistics."""
    from recollect.runs.data.datasets import checked

    print_contents(checked(path, benchmark, runs_dir=runs_dir, questions=questions, run=run), as_json=as_json)


def print_contents(contents: Contents, *, as_json: bool) -> None:
    """Histories, messages and questions per task, and statistics."""
    from recollect.runs.data.datasets import COLUMNS
    from recollect.runs.results.catalogue import in_paper

    if as_json:
        print_json(contents.as_data())
        return
    print_table(str(contents.path), COLUMNS, [[str(value) for value in row] for row in contents.tasks])
    if contents.figures:
        rows = []
        for line in contents.figures:
            figure = line.figure
            ends = "" if figure.low is None or figure.high is None else f"{figure.low:,g} to {figure.high:,g}"
            value = "-" if figure.value is None else f"{figure.value:,.10g}"
            rows.append([figure.name, value, ends, in_paper(line.paper)])
        print_table("made of; tokens by the bundled tokenizer", ["figure", "value", "range", "the paper's"], rows)
    for line in contents.figures:
        if line.figure.why:
            print(f"{line.figure.name}: {line.figure.why}")
    if contents.origin:
        print(f"from {contents.origin}")
