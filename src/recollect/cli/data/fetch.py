"""`recollect fetch`: the published files of a benchmark, at the revision of its card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import AsJson
from recollect.cli.output import print_json, print_table

HUB = "https://huggingface.co"


def fetch(
    benchmark: Annotated[str, typer.Argument(help="Name of the benchmark.")],
    out: Annotated[Path, typer.Option(help="Folder for the files; existing files are kept.")],
    revision: Annotated[str | None, typer.Option(help="Revision; that of the card by default.")] = None,
    hub: Annotated[str, typer.Option(envvar="HF_ENDPOINT", help="Address of the hub, or of a mirror.")] = HUB,
    as_json: AsJson = False,
) -> None:
    """Download the published files of a benchmark; the only command that needs the internet."""
    from recollect.runs.data.fetch import fetched

    revision, sizes = fetched(benchmark, out, revision=revision, hub=hub)
    if as_json:
        print_json({"revision": revision, "folder": str(out), "bytes": sizes})
        return
    print_table("fetched", ["file", "bytes"], [(name, f"{size:,}") for name, size in sizes.items()])
    print(f"Run it with --data {out}; `recollect check-data {out}` counts it.")
