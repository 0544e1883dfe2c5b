"""Memory scores and where states were lost, of every row whose questions say which states they need.

It goes by the labels of keys alone: a scored question says its `thread`, `period`, number of `choices` and when each
state that it needs was last `written`; a probe of the same states says its `period`, `written`, and the thread that
it is `probe_of`; a question that tells the states of one choice outright says the thread that it is `bound_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.diagnose.estimates import Estimator, rounded
from recollect.diagnose.grid import Grid
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.numbers import counts_of
from recollect.diagnose.states.bounds import GoldOf, upper_bounds
from recollect.diagnose.states.cells import StateCells, state_cells
from recollect.diagnose.states.losses import Found, losses_found, state_losses
from recollect.diagnose.states.scores import measured, stability, state_scores, user_periods
from recollect.records.tables.states import StateNumbers, StateRow, UserPeriod
from recollect.records.tables.summary import CellOutcome


def states(grid: Grid, gold_of: GoldOf, estimator: Estimator) -> tuple[StateRow, ...]:
    """One for each task and each row that is asked about states; the oracle is a bound, and no row here.

    Args:
        grid: All cells of the run.
        gold_of: The letter of a question's right choice, from its key.
        estimator: Infers means.
    """
    return tuple(
        _row(_Examined(task, row, grid, cells), gold_of, estimator)
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and (cells := state_cells(grid, task, row)) is not None
    )


class _Examined(NamedTuple):
    """One row on one task."""

    task: str
    row: str
    grid: Grid
    cells: StateCells


def _row(one: _Examined, gold_of: GoldOf, estimator: Estimator) -> StateRow:
    bounds = upper_bounds(one.grid, (one.task, one.row), one.cells.scored, gold_of)
    scores, losses = measured(one.cells, bounds), losses_found(one.cells)
    users = user_periods(scores)

    def numbers(period: int | None) -> StateNumbers:
        return StateNumbers(
            period=period,
            scores=state_scores(scores, users, estimator, period),
            losses=state_losses((found for found in losses if period in (None, found.period)), estimator),
        )

    return StateRow(
        task=one.task,
        row=one.row,
        kind=one.grid.kinds[one.row],
        reference=one.row in one.grid.references,
        bound=bounds.source,
        withheld=_problem("answers", one.cells.answers) or _problem("answers behind the upper bound", bounds.cells),
        undiagnosed=_undiagnosed(one.cells, losses),
        whole=numbers(None),
        periods=tuple(numbers(period) for period in one.cells.periods),
        users=tuple(_rounded(user) for user in users),
        stability=stability(one.cells, bounds),
    )


def _problem(what: str, cells: Sequence[CellOutcome]) -> str:
    """Why nothing may be built on *cells*; empty where nothing stands against it."""
    counts = counts_of(cells)
    if counts.unfinished:
        return f"{counts.unfinished} of {counts.planned} {what} are still to come"
    if counts.fault > MOST_FAULTS * counts.planned:
        return f"{counts.fault} of {counts.planned} {what} are faults"
    return "" if counts.counted or not cells else f"none of {counts.planned} {what} counts"


def _undiagnosed(cells: StateCells, losses: Sequence[Found]) -> str:
    """Why nothing can be told of any question or state; empty where something can."""
    if not cells.probes:
        return "this run asks for no states"
    told = any(len(one.missing) < len(one.fates) for one in losses)
    return "" if told else "no probe tells anything"


def _rounded(user: UserPeriod) -> UserPeriod:
    return replace(
        user,
        overall=rounded(user.overall),
        chance=rounded(user.chance),
        upper_bound=rounded(user.upper_bound),
        memory=rounded(user.memory),
    )
