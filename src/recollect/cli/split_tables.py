"""Waterfalls by the values of a label on the terminal: shares, the eight corners, and what leaks the other way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.records.tables.summary import Estimate
    from recollect.records.tables.supplement import SplitPart, SplitRow

CORNERS = tuple((o, r, s) for o in (True, False) for r in (True, False) for s in (True, False))
Table = tuple[str, Sequence[str], list[list[str]]]


def split_tables(rows: Iterable[SplitRow]) -> Iterator[Table]:
    """Two tables for each label: the shares with interval and denominator, and answers by corner with the leaks."""
    from recollect.report.page.splits import LEAKS, corner, corners

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
    from recollect.report.page.splits import said

    pure = ", pure" if part.waterfall.variant == "readback_pure" else ""
    return [row.task, row.row, f"{said(part)}{pure}"]


def _shares(part: SplitPart) -> list[str]:
    fall = part.waterfall
    return [_share(one, fall.why) for one in (part.score, fall.reading, fall.preservation, fall.retrieval)]


def _share(one: Estimate, missing: str) -> str:
    """With its denominator, in questions; undefined where that is 0, and nothing where an arm is missing."""
    from recollect.cli.reports import show

    if one.n:
        return f"{show(one)} of {one.n}"
    return "-" if missing else "undefined (of 0)"
