"""`recollect build`: published tasks, rebuilt from source data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import TASK, AsJson


def build(  # noqa: PLR0917  # flags
    benchmark: Annotated[str, typer.Argument(help="Name of the benchmark.")],
    source: Annotated[Path, typer.Option("--from", help="Folder of source data.")],
    out: Annotated[Path, typer.Option(help="File or folder to write.")],
    task: Annotated[list[str] | None, typer.Option(help=TASK)] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Rebuild published tasks from their source data."""
    from recollect.cli.data.check_data import print_contents
    from recollect.runs.data.datasets import built

    print_contents(built(benchmark, source, task or (), seed, out), as_json=as_json)
