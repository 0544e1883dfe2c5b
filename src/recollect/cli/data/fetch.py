"""`recollect fetch`: the published files of a benchmark, at the revision that its card names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import AsJson

HUB = "https://huggingface.co"


def fetch(
    benchmark: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(help="Folder for the files; files that are there stay.")],
    revision: Annotated[str | None, typer.Option(help="Another revision than the card's.")] = None,
    hub: Annotated[str, typer.Option(envvar="HF_ENDPOINT", help="Where the hub is, or a mirror of it.")] = HUB,
    as_json: AsJson = False,
) -> None:
    """Get the published files of a benchmark; the one command that goes to the internet by itself."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.data.fetch import fetched

    revision, sizes = fetched(benchmark, out, revision=revision, hub=hub)
    if as_json:
        print_json({"revision": revision, "folder": str(out), "bytes": sizes})
        return
    print_table("fetched", ["file", "bytes"], [(name, f"{size:,}") for name, size in sizes.items()])
    print(f"Run it with --data {out}; `recollect check-data {out}` counts it.")
