"""`recollect build`: the published tasks rebuilt from source data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import TASK, AsJson


def build(  # noqa: PLR0917  # flags
    benchmark: Annotated[str, typer.Argument(help="Its name.")],
    source: Annotated[Path, typer.Option("--from", help="Folder of source data.")],
    out: Annotated[Path, typer.Option(help="File or folder to write.")],
    task: Annotated[list[str] | None, typer.Option(help=TASK)] = None,
    seed: Annotated[int, typer.Option(help="Seed of all that is drawn.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Rebuild published tasks from the source data they were made of."""
    from recollect import registry
    from recollect.cli.assemble import check_tasks
    from recollect.cli.written import written
    from recollect.domain.errors import UsageError

    chosen = registry.benchmark(benchmark)
    if chosen.build is None:
        raise UsageError(
            f"`{benchmark}` is not built from source data; `recollect show {benchmark}` says where its data come from."
        )
    if not source.is_dir():
        raise UsageError(f"--from {source}: there is no such folder.")
    check_tasks(chosen, task or [])
    written(chosen, chosen.build(source, task or (), seed), out, as_json=as_json)
