"""What each question about states would score with perfect memory, and how that is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.diagnose.estimates import asked_of, by_question, counted_value, per_question, question_means
from recollect.diagnose.grid import Grid
from recollect.diagnose.states.cells import BOUND_OF, StateId
from recollect.domain.ids import HistoryId
from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.metrics.states import upper_bound
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.states import BoundSource

GoldOf = Callable[[CellOutcome], str | None]
"""The letter of a question's right choice; `None` where its key has none."""
Combination = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpperBounds:
    source: BoundSource
    values: Mapping[StateId, float]
    cells: Sequence[CellOutcome] = field(default_factory=tuple)
    """Those behind the values."""


def upper_bounds(
    grid: Grid, name: tuple[str, str], scored: Mapping[StateId, Sequence[CellOutcome]], gold_of: GoldOf
) -> UpperBounds:
    """By question and combination where the run asked for that, else by the oracle's answer to the same question.

    Args:
        grid: All cells of the run.
        name: Task and row; an agent's own oracle counts before that of the harness's reader.
        scored: The row's questions.
        gold_of: Says which choice is right.
    """
    bound = [cell for cell in _oracle_cells(grid, *name, purpose="bound") if BOUND_OF in cell.labels]
    if bound:
        return UpperBounds(source="choices", values=_by_choice(bound, scored, gold_of), cells=bound)
    wanted = {asked_of(cells[0]): state for state, cells in scored.items()}
    mine = [cell for cell in _oracle_cells(grid, *name) if asked_of(cell) in wanted]
    values = {wanted[asked]: value for asked, value in question_means(mine).items()}
    return UpperBounds(source="oracle" if mine else "none", values=values, cells=mine)


def _oracle_cells(grid: Grid, task: str, row: str, purpose: Purpose = "score") -> Sequence[CellOutcome]:
    harness = [name for name, kind in grid.kinds.items() if kind == "oracle"]
    cells = (cell for name in harness for cell in grid.block(task, name, Arm.ORACLE, purpose))
    return grid.block(task, row, Arm.ORACLE, purpose) or list(cells)


def _by_choice(
    bound: Iterable[CellOutcome], scored: Mapping[StateId, Sequence[CellOutcome]], gold_of: GoldOf
) -> dict[StateId, float]:
    known: dict[tuple[HistoryId, str], list[tuple[Combination, float]]] = {}
    grouped = by_question(bound)
    for asked, value in per_question(grouped, counted_value).items():
        cell = grouped[asked][0]
        known.setdefault((cell.history, cell.labels[BOUND_OF]), []).append((_combination(cell, gold_of), value))
    found: dict[StateId, float] = {}
    for state, cells in scored.items():
        wanted = _combination(cells[0], gold_of)
        comparable = [one for one in known.get((state.history, state.thread), ()) if len(one[0]) == len(wanted)]
        best = upper_bound(comparable, wanted) if wanted else None
        if best is not None:
            found[state] = best
    return found


def _combination(cell: CellOutcome, gold_of: GoldOf) -> Combination:
    """The values that make a question's right choice right, since letters may be reshuffled; else its letter."""
    letter = gold_of(cell)
    if letter is None:
        return ()
    try:
        return tuple(json.loads(cell.labels["states"])[letter])
    except (KeyError, ValueError, TypeError):
        return (letter,)
