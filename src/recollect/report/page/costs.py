"""What the page says of cost: the ledger's tables in the order of reading, and score against cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.costs import BreakEven, CostLine, Costs, CostUnit, RoleCost, RowCost, Spread
from recollect.records.tables.summary import Summary
from recollect.report.charts import bars
from recollect.report.status import is_main

STAGES = ("open", "observe", "settle", "converse", "evolve", "recall", "answer", "judge", "probe", "make")
"""In the order of a run."""


class RowCostLine(NamedTuple):
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
    task: str
    lines: Sequence[RowCostLine]
    details: Sequence[CostLine]
    roles: Sequence[RoleCost]
    plane: Markup | None
    unit: CostUnit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSection:
    costs: Costs
    stages: Sequence[CostLine]
    tasks: Sequence[TaskCost]


def cost_section(summary: Summary) -> CostSection | None:
    """The section; `None` where no model was called."""
    costs = summary.costs
    if costs is None:
        return None
    order = {row.row: index for index, row in enumerate(summary.rows)}
    names = dict.fromkeys([*(facts.task for facts in summary.tasks), *(cost.task for cost in costs.rows)])
    tasks = [_task(summary, costs, task, order) for task in names]
    return CostSection(
        costs=costs,
        stages=_sorted(costs.stages, order),
        tasks=[task for task in tasks if task.lines or task.details],
    )


def _task(summary: Summary, costs: Costs, task: str, order: Mapping[str, int]) -> TaskCost:
    unit, last = costs.units.get(task), len(order)
    mine = sorted((cost for cost in costs.rows if cost.task == task), key=lambda cost: order.get(cost.row, last))
    main = (number for number in summary.numbers if number.task == task and is_main(number))
    scores = {number.row: number for number in main if number.score.estimate is not None}
    points = [
        bars.Point(cost.row, whole, scores[cost.row].score, scores[cost.row].kind != "oracle")
        for cost in mine
        if cost.row in scores and unit is not None and (whole := cost.whole(unit)) is not None
    ]
    best = bars.frontier(points)
    marks = {point.row: bars.key_mark(number) for number, point in enumerate(points)}
    evens = {even.row: even for even in costs.break_even if even.task == task}
    lines = [
        RowCostLine(
            cost=cost,
            unit=unit,
            question=cost.question_money if unit == "money" else cost.question_tokens,
            history=cost.history_money if unit == "money" else cost.history_tokens,
            whole=None if unit is None else cost.whole(unit),
            best=cost.row in best,
            even=evens.get(cost.row),
            mark=marks.get(cost.row, Markup("")),
        )
        for cost in mine
    ]
    roles = [role for role in costs.roles if role.task == task]
    axis = "dollars" if unit == "money" else "tokens"
    return TaskCost(
        task=task,
        lines=lines,
        details=_sorted((line for line in costs.lines if line.task == task), order),
        roles=sorted(roles, key=lambda role: (order.get(role.row, last), role.row, role.role)),
        plane=bars.cost_plane(task, points, axis) if len(points) > 1 else None,
        unit=unit,
    )


def _sorted(lines: Iterable[CostLine], order: Mapping[str, int]) -> list[CostLine]:
    def place(line: CostLine) -> tuple[int, str, int, str, str]:
        stage = STAGES.index(line.stage) if line.stage in STAGES else len(STAGES)
        return order.get(line.row, len(order)), line.row, stage, line.stage, line.role

    return sorted(lines, key=place)
