"""How policies evolved, period by period, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.records.tables.policies import PolicyNumbers, PolicyRow

TITLE = "policies by period: score, and what of the states told in it was then held, %"
COLUMNS = (
    *("task", "row", "period", "score", "held by source", "by words", "by probe"),
    *("explicit", "implied", "absent", "lines", "added", "removed"),
)


def print_policies(rows: Sequence[PolicyRow]) -> None:
    """A line for each row and period; nothing where no policy was replaced."""
    from recollect.cli.output import print_table

    if any(row.evolved for row in rows):
        print_table(TITLE, COLUMNS, [line for row in rows for line in _lines(row)])


def _lines(row: PolicyRow) -> Iterator[list[str]]:
    for one in (*row.periods, row.whole):
        period = "all" if one.period is None else str(one.period)
        yield [row.task, row.row, period, *_told(one)]


def _told(one: PolicyNumbers) -> list[str]:
    held = (one.score, one.by_source, one.by_words, one.by_probe)
    covers = (one.covers["explicit"], one.covers["implied"], one.covers["absent"])
    counts = (one.lines, one.added, one.removed)
    return [*(_percent(each.estimate) for each in (*held, *covers)), *(f"{count:.1f}" for count in counts)]


def _percent(ratio: float | None) -> str:
    return "-" if ratio is None else f"{100 * ratio:.1f}"
