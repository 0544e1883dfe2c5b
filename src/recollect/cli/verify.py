"""`recollect verify`: can the report be believed?"""

from __future__ import annotations

from dataclasses import replace

import typer

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir

SHOWN = 20
"""Differences that are listed; `--json` has all."""


def verify(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Compute every number of the report again from the records, and say what differs; exit code 1 if anything does."""
    from recollect.cli.output import print_json, print_table
    from recollect.cli.reports import report_files
    from recollect.cli.runs import examined, find
    from recollect.records.codec import encode
    from recollect.report.verification import name_in
    from recollect.report.verification import verify as compare

    folder = find(run, runs_dir)
    found = examined(folder)
    called = replace(found.summary, run=name_in(folder.report) or found.summary.run)  # a copy may have another name
    made, named = report_files(folder, found._replace(summary=called))
    differences = compare(folder.report, made)
    if as_json:
        print_json({"identity": named, "files": sorted(made), "differences": [encode(one) for one in differences]})
    else:
        if differences:
            listed = [[one.file, one.place, one.said, one.recomputed] for one in differences[:SHOWN]]
            print_table(f"{len(differences)} differences", ["file", "place", "report says", "records say"], listed)
        else:
            print(f"{folder.report}: all numbers follow from the records")
        print(f"identity {named}")
    if differences:
        raise typer.Exit(1)
