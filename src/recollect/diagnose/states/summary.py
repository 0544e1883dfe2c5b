"""Memory scores, and the stage at which states were lost, of every row whose questions name the states they need.

Only labels of keys are used: a scored question has its `thread`, `period`, number of `choices`, and when each state
that it needs was last `written`; a probe of the same states has its `period`, `written`, and the thread that it is
`probe_of`; a question that states one choice outright has the thread that it is `bound_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.diagnose.estimates import Estimator, rounded
from recollect.diagnose.grid import Grid
from recollect.diagnose.headlines import why_unfit
from recollect.diagnose.numbers import counts_of
from recollect.diagnose.states.bounds import GoldOf, upper_bounds
from recollect.diagnose.states.cells import StateCells, state_cells
from recollect.diagnose.states.losses import losses_found, state_losses
from recollect.diagnose.states.scores import measured, stability, state_scores, user_periods
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.states import StateNumbers, StateRow


def states(grid: Grid, gold_of: GoldOf, estimator: Estimator) -> tuple[StateRow, ...]:
    """One for each task and each row that is asked about states; the oracle is a bound, and no row here.

    Args:
        grid: All cells of the run.
        gold_of: The letter of a question's right choice, from its key.
        estimator: Infers means.
    """
    return tuple(
        _row((task, row), grid, cells, gold_of, estimator)
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and (cells := state_cells(grid, task, row)) is not None
    )


def _row(name: tuple[str, str], grid: Grid, cells: StateCells, gold_of: GoldOf, estimator: Estimator) -> StateRow:
    task, row = name
    bounds = upper_bounds(grid, name, cells.scored, gold_of)
    scores, losses = measured(cells, bounds), losses_found(cells)
    users = user_periods(scores)

    def numbers(period: int | None) -> StateNumbers:
        return StateNumbers(
            period=period,
            scores=state_scores(scores, users, estimator, period),
            losses=state_losses((found for found in losses if period in (None, found.period)), estimator),
        )

    undiagnosed = "" if cells.probes else "this run asks for no states"
    if cells.probes and all(len(one.missing) == len(one.fates) for one in losses):
        undiagnosed = "no probe tells anything"
    rounded_users = (
        replace(
            user,
            overall=rounded(user.overall),
            chance=rounded(user.chance),
            upper_bound=rounded(user.upper_bound),
            memory=rounded(user.memory),
        )
        for user in users
    )
    return StateRow(
        task=task,
        row=row,
        kind=grid.kinds[row],
        reference=row in grid.references,
        bound=bounds.source,
        withheld=_problem("answers", cells.answers) or _problem("answers behind the upper bound", bounds.cells),
        undiagnosed=undiagnosed,
        whole=numbers(None),
        periods=tuple(numbers(period) for period in cells.periods),
        users=tuple(rounded_users),
        stability=stability(cells, bounds),
    )


def _problem(what: str, cells: Sequence[CellOutcome]) -> str:
    """Why *cells* must not be summarised; empty where they may be."""
    if why := why_unfit(cells, what):
        return why
    return "" if counts_of(cells).counted or not cells else f"none of {len(cells)} {what} counts"
