"""`recollect generate`: fresh, seeded data in the benchmark's own format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import SIZE, AsJson


def generate(
    benchmark: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(help="File or folder to write.")],
    size: Annotated[str, typer.Option(help=SIZE)] = "small",
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Generate data without a model; the same size and seed give the same bytes."""
    from recollect import registry
    from recollect.cli.written import written

    chosen = registry.benchmark(benchmark)
    written(chosen, chosen.generate(size, seed), out, as_json=as_json)
