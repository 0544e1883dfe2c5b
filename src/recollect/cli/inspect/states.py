"""The paper's columns, memory scores with where states were lost, and how policies evolved, on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recollect.cli.output import percent, print_table
from recollect.runs.results.wording import BOUNDS, PaperNumbers, PolicyNumbers, PolicyRow, StateRow, remarks

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
    """A table for each, in percent without intervals, which the report and `--json` have; nothing where none is."""
    for table in tables:
        columns = ["row", *table.lines[0].columns]
        rows = [[line.row, *(percent(one.estimate) for one in line.columns.values())] for line in table.lines]
        print_table(f"{table.title}, %", columns, rows)


def print_states(rows: Sequence[StateRow]) -> None:
    """A line for each row; nothing where no question says which states it needs."""
    if not rows:
        return
    print_table(STATES, STATE_COLUMNS, [_line(row) for row in rows])
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
    shown = ["withheld"] * len(told) if row.withheld else [percent(one.estimate) for one in told]
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


def print_policies(rows: Sequence[PolicyRow]) -> None:
    """A line for each row and period; nothing where no policy was replaced."""
    if any(row.evolved for row in rows):
        print_table(POLICIES, POLICY_COLUMNS, [line for row in rows for line in _policy_lines(row)])


def _policy_lines(row: PolicyRow) -> Iterator[list[str]]:
    for one in (*row.periods, row.whole):
        period = "all" if one.period is None else str(one.period)
        yield [row.task, row.row, period, *_told(one)]


def _told(one: PolicyNumbers) -> list[str]:
    held = (one.score, one.by_source, one.by_words, one.by_probe)
    covers = (one.covers["explicit"], one.covers["implied"], one.covers["absent"])
    counts = (one.lines, one.added, one.removed)
    return [*(percent(each.estimate) for each in (*held, *covers)), *(f"{count:.1f}" for count in counts)]
