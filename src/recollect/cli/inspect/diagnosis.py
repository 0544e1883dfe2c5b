"""Tables of `recollect diagnose`: the stage at which answers failed, and answers that leak the other way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recollect.cli.inspect.headline import NOISE, NOISE_COLUMNS, noise_rows
from recollect.cli.inspect.states import ENDINGS, LOST, lost_rows
from recollect.cli.output import show
from recollect.runs.results.wording import (
    LEAKS,
    Findings,
    SplitPart,
    SplitRow,
    Summary,
    corner,
    corners,
    said,
)

CORNERS = tuple((o, r, s) for o in (True, False) for r in (True, False) for s in (True, False))
Table = tuple[str, Sequence[str], list[list[str]]]


def diagnoses(found: Findings) -> list[Table]:
    """All tables with rows."""
    lost: Table = (LOST, ["task", "row", *ENDINGS], lost_rows(found.beside.states))
    tables = (*_summary_tables(found.summary), *split_tables(found.beside.splits), lost)
    return [table for table in tables if table[2]]


def _summary_tables(summary: Summary) -> Iterator[Table]:
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
    if summary.noise:
        yield NOISE, NOISE_COLUMNS, noise_rows(summary)


def split_tables(rows: Iterable[SplitRow]) -> Iterator[Table]:
    """Two tables per label: shares with interval and denominator, and answers by combination of arms with the leaks."""
    listed = list(rows)
    for label in dict.fromkeys(row.label for row in listed):
        parts = [(row, part) for row in listed if row.label == label for part in row.parts]
        yield (
            f"where right answers get lost, by {label}",
            ["task", "row", label, "score", "reading", "preserved", "retrieved"],
            [[*_name(row, part), *_shares(part)] for row, part in parts],
        )
        counted = [(row, part) for row, part in parts if part.waterfall.table]
        yield (
            f"answers right (+) or wrong (-) by oracle, readback and own search, by {label}",
            ["task", "row", label, *(corner(*key) for key in CORNERS), *(name.replace("_", " ") for name in LEAKS)],
            [
                [
                    *_name(row, part),
                    *(str(corners(part)[key]) for key in CORNERS),
                    *(str(leak.count) for leak in part.leaks),
                ]
                for row, part in counted
            ],
        )


def _name(row: SplitRow, part: SplitPart) -> list[str]:
    pure = ", pure" if part.waterfall.variant == "readback_pure" else ""
    return [row.task, row.row, f"{said(part)}{pure}"]


def _shares(part: SplitPart) -> list[str]:
    fall = part.waterfall
    shares = (part.score, fall.reading, fall.preservation, fall.retrieval)
    undefined = "-" if fall.why else "undefined (of 0)"  # a dash where an arm is missing
    return [f"{show(share)} of {share.n}" if share.n else undefined for share in shares]
