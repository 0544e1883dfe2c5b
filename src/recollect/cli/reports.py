"""`recollect score`, `diagnose` and `report`: from records alone; free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.cli.options import RUNS, AsJson, RunName, RunsDir

if TYPE_CHECKING:
    from recollect.diagnose.summarise import Examined
    from recollect.records.summary import Estimate, Summary
    from recollect.store.run_folder import RunFolder


def score(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Print every score of a run with its interval, and what could not be scored."""
    from recollect.cli.output import print_json
    from recollect.cli.runs import examined, find
    from recollect.diagnose.identity import identity
    from recollect.records.codec import encode

    folder = find(run, runs_dir)
    summary = examined(folder).summary
    named = identity(folder, summary)
    if as_json:
        print_json({"identity": named, "summary": encode(summary)})
        return
    headline_table(summary)
    print(f"identity {named}")


def diagnose(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Say where answers were lost: written, found, read; with the faults and their causes."""
    from recollect.cli.output import print_json, print_table
    from recollect.cli.runs import examined, find
    from recollect.records.codec import encode

    summary = examined(find(run, runs_dir)).summary
    if as_json:
        said = {name: [encode(one) for one in getattr(summary, name)] for name in _DIAGNOSES}
        print_json(said)
        return
    for title, columns, rows in _diagnoses(summary):
        print_table(title, columns, rows)


def report(run: RunName, runs_dir: RunsDir = RUNS, as_json: AsJson = False) -> None:
    """Write the report of a run anew, as one HTML file with CSV beside it, and print its path."""
    from recollect.cli.output import print_json
    from recollect.cli.runs import examined, find

    folder = find(run, runs_dir)
    page = write_report(folder, examined(folder))
    if as_json:
        print_json({"report": str(page)})
    else:
        print(page)


def write_report(folder: RunFolder, found: Examined) -> Path:
    """The path of the page."""
    from recollect import registry
    from recollect.diagnose.identity import identity
    from recollect.report.write import write

    card = registry.benchmark(found.summary.benchmark).card
    return write(folder, found.summary, found.cells, card=card, identity=identity(folder, found.summary))


def headline_table(summary: Summary) -> None:
    """The table that a run ends with."""
    from recollect.cli.output import print_table

    rows = []
    lifts = {(one.task, one.row): one for one in summary.headlines}
    for number in summary.numbers:
        if number.arm not in {"system", "oracle"} or number.purpose != "score":
            continue
        counts, head = number.counts, lifts.get((number.task, number.row))
        lift = "" if head is None else "withheld" if head.withheld else show(head.lift)
        missing = counts.planned - counts.counted
        clusters = str(number.score.clusters)
        rows.append([number.task, number.row, show(number.score), str(counts.planned), str(missing), clusters, lift])
    print_table(summary.run, ["task", "row", "score", "asked", "not scored", "clusters", "memory lift"], rows)
    for why in sorted({f"{one.task}: {one.withheld}" for one in summary.headlines if one.withheld}):
        print(f"withheld: {why}")


def show(estimate: Estimate) -> str:
    """`0.74 [0.65, 0.82]`, or a dash."""
    if estimate.estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.estimate:.3f}"
    return f"{estimate.estimate:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


_DIAGNOSES = ("waterfalls", "retrieval", "failures", "faults")
_Table = tuple[str, Sequence[str], list[list[str]]]


def _diagnoses(summary: Summary) -> Iterator[_Table]:
    yield (
        "where right answers get lost",
        ["task", "row", "reading", "preservation", "retrieval", "n"],
        [
            [one.task, one.row, show(one.reading), show(one.preservation), show(one.retrieval), str(one.n)]
            for one in summary.waterfalls
            if one.variant == "readback"
        ],
    )
    yield (
        "evidence found",
        ["task", "row", "at", "recall", "precision"],
        [
            [one.task, one.row, point.at, show(point.recall), show(point.precision)]
            for one in summary.retrieval
            for point in one.points
            if point.at in {"10", "budget"}
        ],
    )
    labels = ["reading", "write", "retrieval", "use", "unknown"]
    yield (
        "wrong answers by where they were lost",
        ["task", "row", "wrong", *labels, "stale"],
        [
            [
                one.task,
                one.row,
                str(one.wrong),
                *(str(one.counts.get(label, 0)) for label in labels),
                str(one.stale or 0),
            ]
            for one in summary.failures
        ],
    )
    yield (
        "faults",
        ["task", "row", "stage", "cause", "cells", "example"],
        [[one.task, one.row, one.stage, one.cause, str(one.cells), one.example[:60]] for one in summary.faults],
    )
