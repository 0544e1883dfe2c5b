"""`recollect verify`: can the report be believed?"""

from __future__ import annotations

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir

SHOWN = 20
"""Differences that are listed; `--json` has all."""


def verify(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Compute every number of the report again from the records, and say what differs; exit code 1 if anything does."""
    from recollect.cli.output import print_json, print_table
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
