"""`recollect merge`: put the parts of a split run together."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir


def merge(
    runs: Annotated[list[str], typer.Argument(metavar="RUNS…", help="Names or folders of the parts.")],
    out: Annotated[str, typer.Option("--name", help="Name of the whole.")] = "merged",
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Put the parts of a run together; refuses parts of different configs and contradicting records."""
    from recollect.cli.output import remark
    from recollect.cli.run.closing import finish
    from recollect.domain.errors import listed
    from recollect.runs.start import merge as join

    folder, gaps = join(runs, out, runs_dir)
    remark(f"{len(runs)} part{'s are' if len(runs) > 1 else ' is'} now {folder.path}")
    if gaps:
        again = " ".join([*runs, "PART"])
        remark(
            f"{folder.path} is not whole: {listed(gaps, 'gaps')}\n"
            f"Run what is missing and merge it in (`recollect merge {again} --name {out}`), or let "
            f"`recollect resume {out}` do it here."
        )
    finish(folder, as_json=as_json)
