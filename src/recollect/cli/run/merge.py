"""`recollect merge`: merge the parts of a split run."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import remark


def merge(
    runs: Annotated[list[str], typer.Argument(metavar="RUNS…", help="Names or folders of the parts.")],
    out: Annotated[str, typer.Option("--name", help="Name of the merged run.")] = "merged",
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Merge the parts of a run; refuses parts with different configs or contradicting records."""
    from recollect.cli.run.closing import finish
    from recollect.domain.errors import listed
    from recollect.runs.start import merge as join

    folder, gaps = join(runs, out, runs_dir)
    remark(f"{len(runs)} part{'s are' if len(runs) > 1 else ' is'} now {folder.path}")
    if gaps:
        again = " ".join([*runs, "PART"])
        remark(
            f"{folder.path} is incomplete: {listed(gaps, 'gaps')}\n"
            f"Run the missing part and merge it too (`recollect merge {again} --name {out}`), or finish the run here "
            f"with `recollect resume {out}`."
        )
    finish(folder, as_json=as_json)
