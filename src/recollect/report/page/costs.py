"""What the page says of cost: the ledger's tables in the order of reading, and score against cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from recollect.domain.steps import Arm
from recollect.records.tables.costs import BreakEven, CostLine, Costs, CostUnit, RoleCost, RowCost, Spread
from recollect.records.tables.summary import Estimate, Summary
from recollect.report.charts import bars

STAGES = ("open", "observe", "settle", "converse", "evolve", "recall", "answer", "judge", "probe", "make")
"""In the order in which they come in a run."""
NO_ROW = "(of no row)"


class RowCostLine(NamedTuple):
    """One row of the table by question and history."""

    cost: RowCost
    unit: CostUnit | None
    question: Spread | None
    history: Spread | None
    whole: float | None
    best: bool
    """No other row has a better score for as little."""
    even: BreakEven | None
    mark: Markup


class TaskCost(NamedTuple):
    """What each row took on one task."""

    task: str
    lines: Sequence[RowCostLine]
    details: Sequence[CostLine]
    roles: Sequence[RoleCost]
    """What a history takes of each role."""
    plane: Markup | None
    unit: CostUnit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSection:
    """The section of the page."""

    costs: Costs
    stages: Sequence[CostLine]
    tasks: Sequence[TaskCost]


def cost_section(summary: Summary) -> CostSection | None:
    """The section; `None` where no model was called."""
    costs = summary.costs
    if costs is None:
        return None
    order = {row.row: place for place, row in enumerate(summary.rows)}
    tasks = list(dict.fromkeys([*(facts.task for facts in summary.tasks), *(cost.task for cost in costs.rows)]))
    made = (_task(summary, costs, task, order) for task in tasks)
    return CostSection(
        costs=costs,
        stages=_sorted(costs.stages, order),
        tasks=[task for task in made if task.lines or task.details],
    )


def _task(summary: Summary, costs: Costs, task: str, order: Mapping[str, int]) -> TaskCost:
    unit = costs.units.get(task)
    mine = sorted((cost for cost in costs.rows if cost.task == task), key=lambda cost: order.get(cost.row, len(order)))
    scores, oracles = _scores(summary, task), {row.row for row in summary.rows if row.kind == "oracle"}
    points = [
        bars.Point(cost.row, whole, scores[cost.row], cost.row not in oracles)
        for cost in mine
        if cost.row in scores and unit is not None and (whole := cost.whole(unit)) is not None
    ]
    best = bars.frontier(points)
    marks = {point.row: bars.key_mark(place) for place, point in enumerate(points)}
    evens = {even.row: even for even in costs.break_even if even.task == task}
    return TaskCost(
        task=task,
        lines=[_line(cost, unit, evens.get(cost.row), marks.get(cost.row), best=cost.row in best) for cost in mine],
        details=_sorted((line for line in costs.lines if line.task == task), order),
        roles=sorted(
            (one for one in costs.roles if one.task == task),
            key=lambda one: (order.get(one.row, len(order)), one.row, one.role),
        ),
        plane=bars.cost_plane(task, points, _AXES[unit]) if len(points) > 1 and unit is not None else None,
        unit=unit,
    )


_AXES: Mapping[CostUnit, str] = {"money": "dollars", "tokens": "tokens"}


def _line(
    cost: RowCost, unit: CostUnit | None, even: BreakEven | None, mark: Markup | None, *, best: bool
) -> RowCostLine:
    money = unit == "money"
    return RowCostLine(
        cost=cost,
        unit=unit,
        question=cost.question_money if money else cost.question_tokens,
        history=cost.history_money if money else cost.history_tokens,
        whole=None if unit is None else cost.whole(unit),
        best=best,
        even=even,
        mark=mark or Markup(""),
    )


def _scores(summary: Summary, task: str) -> dict[str, Estimate]:
    """The score of each row in its main arm."""
    wanted = {row.row: Arm.ORACLE if row.kind == "oracle" else Arm.SYSTEM for row in summary.rows}
    return {
        number.row: number.score
        for number in summary.numbers
        if number.task == task
        and number.purpose == "score"
        and number.arm == wanted.get(number.row, Arm.SYSTEM)
        and number.score.estimate is not None
    }


def _sorted(lines: Iterable[CostLine], order: Mapping[str, int]) -> list[CostLine]:
    def place(line: CostLine) -> tuple[int, str, int, str, str]:
        stage = STAGES.index(line.stage) if line.stage in STAGES else len(STAGES)
        return order.get(line.row, len(order)), line.row, stage, line.stage, line.role

    return sorted(lines, key=place)
