"""Memory scores and where states were lost, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.records.tables.states import StateRow

TITLE = "memory score, and where states were lost, %"
COLUMNS = (
    *("task", "row", "right", "memory score", "ratio of means", "upper bound", "guessing"),
    *("write", "read", "utilisation", "not told"),
)
ENDINGS = ("right", "lucky", "write", "read", "utilisation", "undecided")
LOST = "answers by where they were lost, by probes of states"


def print_states(rows: Sequence[StateRow]) -> None:
    """A line for each row; nothing where no question says which states it needs."""
    from recollect.cli.output import print_table

    if not rows:
        return
    print_table(TITLE, COLUMNS, [_line(row) for row in rows])
    for line in dict.fromkeys(said for row in rows for said in _remarks(row)):
        print(line)


def lost_rows(rows: Sequence[StateRow]) -> list[list[str]]:
    """For the table `LOST`, whose columns are task, row and `ENDINGS`: how many questions ended how."""
    return [
        [row.task, row.row, *(str(row.whole.losses.endings.get(name, 0)) for name in ENDINGS)]
        for row in rows
        if not row.undiagnosed
    ]


def _line(row: StateRow) -> list[str]:
    scores, losses = row.whole.scores, row.whole.losses
    told = (scores.overall, scores.memory, scores.ratio_of_means, scores.upper_bound)
    shown = ["withheld"] * len(told) if row.withheld else [_percent(one.estimate) for one in told]
    if not row.withheld and scores.memory.low is not None and scores.memory.high is not None:
        shown[1] += f" [{_percent(scores.memory.low)}, {_percent(scores.memory.high)}]"
    lost = (losses.write, losses.read, losses.shares["utilisation"])
    return [
        *(row.task, row.row, *shown, _percent(scores.chance)),
        *(_percent(one.estimate) for one in lost),
        "-" if row.undiagnosed else str(losses.endings["undecided"]),
    ]


def _remarks(row: StateRow) -> list[str]:
    from recollect.report.page.states import BOUNDS, remarks

    withheld = [f"withheld: {row.row}: {row.withheld}"] if row.withheld else []
    of_row = [*_over_runs(row), *remarks(row)]
    return [f"upper bound: {BOUNDS[row.bound]}", *withheld, *(f"{row.row}: {said}" for said in of_row)]


def _over_runs(row: StateRow) -> list[str]:
    """Mean and standard deviation over runs; nothing where there was one, or nothing is to be shown."""
    found = row.stability
    if row.withheld or found is None:
        return []
    named = (("right", found.overall), ("memory score", found.memory))
    told = [f"{name} {100 * one.mean:.2f} ± {100 * one.sd:.2f}" for name, one in named if one is not None]
    return [f"mean ± sd over {found.runs} runs: {', '.join(told)}"] if told else []


def _percent(ratio: float | None) -> str:
    return "-" if ratio is None else f"{100 * ratio:.1f}"
