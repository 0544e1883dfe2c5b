"""Terminal tables of the papers' columns, memory scores, lost states, and policies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.cli.output import percent, print_table
from recollect.runs.results.wording import BOUNDS, PaperNumbers, PolicyRow, StateRow, remarks

STATES = "memory score, and where states were lost, %"
STATE_COLUMNS = (
    *("task", "row", "right", "memory score", "ratio of means", "upper bound", "guessing"),
    *("write", "read", "utilisation", "not told"),
)
ENDINGS = ("right", "lucky", "write", "read", "utilisation", "undecided")
LOST = "answers by where they were lost, by probes of states"
POLICIES = "policies by period: score, and what of the states told in it was then held, %"
POLICY_COLUMNS = (
    *("task", "row", "period", "score", "held by source", "by words", "by probe"),
    *("explicit", "implied", "absent", "lines", "added", "removed"),
)


def print_tables(tables: Iterable[PaperNumbers]) -> None:
    """One table each, in percent; the report and `--json` have intervals too."""
    for table in tables:
        columns = ["row", *table.lines[0].columns]
        rows = [[line.row, *(percent(one.estimate) for one in line.columns.values())] for line in table.lines]
        print_table(f"{table.title}, %", columns, rows)


def print_states(rows: Sequence[StateRow]) -> None:
    """One line per row that is asked about states."""
    if not rows:
        return
    print_table(STATES, STATE_COLUMNS, [_line(row) for row in rows])
    for line in dict.fromkeys(remark for row in rows for remark in _remarks(row)):
        print(line)


def lost_rows(rows: Sequence[StateRow]) -> list[list[str]]:
    """Rows of the table `LOST`: task, row, and the number of questions of each of `ENDINGS`."""
    return [
        [row.task, row.row, *(str(row.whole.losses.endings.get(name, 0)) for name in ENDINGS)]
        for row in rows
        if not row.undiagnosed
    ]


def _line(row: StateRow) -> list[str]:
    scores, losses = row.whole.scores, row.whole.losses
    estimates = (scores.overall, scores.memory, scores.ratio_of_means, scores.upper_bound)
    shown = ["withheld" if row.withheld else percent(one.estimate) for one in estimates]
    if not row.withheld and scores.memory.low is not None and scores.memory.high is not None:
        shown[1] += f" [{percent(scores.memory.low)}, {percent(scores.memory.high)}]"
    lost = (losses.write, losses.read, losses.shares["utilisation"])
    return [
        *(row.task, row.row, *shown, percent(scores.chance)),
        *(percent(one.estimate) for one in lost),
        "-" if row.undiagnosed else str(losses.endings["undecided"]),
    ]


def _remarks(row: StateRow) -> list[str]:
    withheld = [f"withheld: {row.row}: {row.withheld}"] if row.withheld else []
    spreads = []
    if row.stability is not None and not row.withheld:
        named = (("right", row.stability.overall), ("memory score", row.stability.memory))
        listed = [f"{name} {100 * one.mean:.2f} ± {100 * one.sd:.2f}" for name, one in named if one is not None]
        spreads = [f"mean ± sd over {row.stability.runs} runs: {', '.join(listed)}"] if listed else []
    of_row = [f"{row.row}: {remark}" for remark in (*spreads, *remarks(row))]
    return [f"upper bound: {BOUNDS[row.bound]}", *withheld, *of_row]


def print_policies(rows: Sequence[PolicyRow]) -> None:
    """One line per row and period, if any policy was replaced."""
    if any(row.evolved for row in rows):
        lines = []
        for row in rows:
            for one in (*row.periods, row.whole):
                held = (one.score, one.by_source, one.by_words, one.by_probe)
                covers = (one.covers["explicit"], one.covers["implied"], one.covers["absent"])
                shares = [percent(share.estimate) for share in (*held, *covers)]
                counts = [f"{count:.1f}" for count in (one.lines, one.added, one.removed)]
                period = "all" if one.period is None else str(one.period)
                lines.append([row.task, row.row, period, *shares, *counts])
        print_table(POLICIES, POLICY_COLUMNS, lines)
