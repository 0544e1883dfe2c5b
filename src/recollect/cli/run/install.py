"""`recollect install`: the environment of a third-party system."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import AsJson
from recollect.cli.output import print_json, print_table


def install(
    name: Annotated[str, typer.Argument(help="Third-party system, or YAML file of a memory that lists requirements.")],
    python: Annotated[str | None, typer.Option(help="Python of the environment; the current one by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create the environment of a memory in .recollect/envs, or RECOLLECT_HOME; an existing one is kept."""
    from dataclasses import asdict

    from recollect.runs.data.fetch import installed

    made = installed(name, python)
    if as_json:
        print_json(asdict(made))
        return
    print_table("installed", ["package", "version"], [("python", made.python), *sorted(made.named.items())])
    print(f"and {len(made.others)} others, in {made.folder}")
