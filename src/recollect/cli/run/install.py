"""`recollect install`: the environment of a system that runs apart from Recollect."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import AsJson


def install(
    name: Annotated[str, typer.Argument(help="A system of others, or a memory's YAML file that names requirements.")],
    python: Annotated[str | None, typer.Option(help="The Python to make it with; ours, if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make the environment of a memory, in .recollect/envs or where RECOLLECT_HOME says; one that is there is left."""
    from dataclasses import asdict

    from recollect.cli.output import print_json, print_table
    from recollect.runs.data.fetch import installed

    made = installed(name, python)
    if as_json:
        print_json(asdict(made))
        return
    print_table("installed", ["package", "version"], [("python", made.python), *sorted(made.named.items())])
    print(f"and {len(made.others)} others, in {made.folder}")
