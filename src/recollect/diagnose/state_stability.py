"""How stable a memory score is over runs: the authors' five runs, as replicates of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

from recollect.diagnose.estimates import rounded
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.state_bounds import UpperBounds
from recollect.diagnose.state_cells import Place, StateCells
from recollect.diagnose.state_scores import measured, user_periods
from recollect.records.states import RunSpread, Stability
from recollect.records.summary import CellOutcome


def stability(cells: StateCells, bounds: UpperBounds) -> Stability | None:
    """Mean and standard deviation over replicates; `None` where there is one replicate.

    Each replicate is scored as if it were the only one, but for the upper bound: that is of all replicates, so that
    the spread is the row's own. A replicate with more faults than a headline bears has no number, and is told of.
    """
    replicates = sorted({cell.replicate for cell in cells.answers})
    if len(replicates) < 2:
        return None
    runs = [_of_run(cells, bounds, replicate) for replicate in replicates]
    whole = [run for run in runs if run is not None]
    overall, memory = _spread([run[0] for run in whole]), _spread([run[1] for run in whole if run[1] is not None])
    return Stability(
        runs=len(replicates),
        overall=overall,
        memory=memory,
        why=_why(len(runs), len(whole), has_memory=memory is not None),
    )


def _of_run(cells: StateCells, bounds: UpperBounds, replicate: int) -> tuple[float, float | None] | None:
    """Right answers and memory score of one replicate; `None` where too many questions have no score."""
    mine: Mapping[Place, Sequence[CellOutcome]] = {
        place: [cell for cell in several if cell.replicate == replicate] for place, several in cells.scored.items()
    }
    found = measured(replace(cells, scored={place: several for place, several in mine.items() if several}), bounds)
    if len(mine) - len(found.overall) > MOST_FAULTS * len(mine):
        return None
    scores = [one.memory for one in user_periods(found) if one.memory is not None]
    return _mean(list(found.overall.values())), _mean(scores) if scores else None


def _why(runs: int, whole: int, *, has_memory: bool) -> str:
    if whole < runs:
        return f"{runs - whole} of {runs} runs lack too many scores, and are left out"
    return "" if has_memory else "no run has a memory score"


def _spread(values: Sequence[float]) -> RunSpread | None:
    if len(values) < 2:
        return None
    mean = _mean(values)
    sd = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return RunSpread(
        mean=rounded(mean) or 0.0, sd=rounded(sd) or 0.0, values=tuple(rounded(value) or 0.0 for value in values)
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
