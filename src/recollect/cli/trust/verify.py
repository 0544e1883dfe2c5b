"""`recollect verify`: do the numbers of a report follow from the records?"""

from __future__ import annotations

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir
from recollect.cli.output import print_json, print_table

SHOWN = 20
"""Most differences listed; `--json` has all."""


def verify(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Recompute every number of the report from the records; exit code 1 if any differs."""
    from recollect.runs.results.findings import verified
    from recollect.runs.results.wording import encode

    report, identity, files, differences = verified(run, runs_dir)
    if as_json:
        print_json({"identity": identity, "files": files, "differences": [encode(one) for one in differences]})
    else:
        if differences:
            listed = [[one.file, one.place, one.said, one.recomputed] for one in differences[:SHOWN]]
            print_table(f"{len(differences)} differences", ["file", "place", "report says", "records say"], listed)
        else:
            print(f"{report}: all numbers follow from the records")
        print(f"identity {identity}")
    if differences:
        raise typer.Exit(1)
