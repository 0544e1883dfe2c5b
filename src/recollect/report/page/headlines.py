"""The answer before all charts: how each memory stands to the rows beside it, how sure that is, and for what price.

Nothing is computed here. A row is clearly above another where their intervals lie apart, which is a cautious rule;
against the floor the interval of the memory lift decides, which is paired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recollect.records.tables.costs import CostUnit
from recollect.records.tables.summary import Estimate, Headline, Number, Summary, TaskFacts
from recollect.report.page.tasks import ScoreLine, TaskSection

Against = tuple[str, Estimate]
"""A row, and its score."""


class Comparison(NamedTuple):
    """The rows of the same task, by how a row stands to them."""

    above: Sequence[str]
    level: Sequence[str]
    """Not told apart."""
    below: Sequence[str]


class HeadlineLine(NamedTuple):
    """One row on one task."""

    headline: Headline
    number: Number
    standing: Comparison
    price: float | None
    unit: CostUnit | None


class HeadlineGroup(NamedTuple):
    """All rows under test on one task."""

    anchor: str
    facts: TaskFacts
    lines: Sequence[HeadlineLine]


def headline_groups(summary: Summary, tasks: Sequence[TaskSection]) -> tuple[HeadlineGroup, ...]:
    """One for each task that has rows under test; where a run has none of them, its reference rows stand there."""
    units = summary.costs.units if summary.costs else {}
    prices = {(one.task, one.row): one.whole for one in summary.costs.rows} if summary.costs else {}
    tested = any(not row.reference for row in summary.rows)
    groups = (_group(task, units, prices, tested=tested) for task in tasks)
    return tuple(group for group in groups if group.lines)


def _group(
    task: TaskSection,
    units: Mapping[str, CostUnit],
    prices: Mapping[tuple[str, str], Callable[[CostUnit], float | None]],
    *,
    tested: bool,
) -> HeadlineGroup:
    unit = units.get(task.facts.task)
    lines = []
    for line in task.scores:
        if line.headline is None or line.number is None or (tested and line.number.reference):
            continue
        price = prices.get((task.facts.task, line.label))
        lines.append(
            HeadlineLine(
                headline=line.headline,
                number=line.number,
                standing=_standing(line, task),
                price=price(unit) if price and unit else None,
                unit=unit,
            )
        )
    return HeadlineGroup(task.anchor, task.facts, lines)


def _standing(line: ScoreLine, task: TaskSection) -> Comparison:
    found: Mapping[int, list[str]] = {1: [], 0: [], -1: []}
    for other in task.scores:
        if other.number is None or other.label in (line.label, task.facts.ceiling):
            continue
        is_floor = other.label == task.facts.floor
        lift = line.headline.lift if line.headline and is_floor else None
        side = _side(line.score, other.score) if lift is None or lift.low is None else _sign(lift)
        found[side].append(other.label)
    return Comparison(found[1], found[0], found[-1])


def _side(mine: Estimate, other: Estimate) -> int:
    """1 where *mine* lies clear above, -1 where clear below; 0 where they overlap, or an end is not known."""
    if mine.low is None or mine.high is None or other.low is None or other.high is None:
        return 0
    return int(mine.low > other.high) - int(mine.high < other.low)


def _sign(lift: Estimate) -> int:
    return int(lift.low is not None and lift.low > 0) - int(lift.high is not None and lift.high < 0)
