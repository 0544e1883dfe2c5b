"""How much of a row's score is memory's: between guessing and the upper bound, by user and period first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import NamedTuple

from recollect.diagnose.estimates import (
    Estimator,
    Values,
    as_estimate,
    asked_of,
    by_question,
    counted_value,
    mean,
    nothing,
    per_question,
    question_means,
    rounded,
    rounded_mean,
)
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.numbers import part_value
from recollect.diagnose.states.bounds import UpperBounds
from recollect.diagnose.states.cells import StateCells, StateId, choices_of
from recollect.domain.ids import HistoryId
from recollect.metrics.states import memory_scores
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.states import RunSpread, Stability, StateScores, UserPeriod
from recollect.stats.clusters import infer_means
from recollect.stats.lift import memory_lift

SIMILARITIES = ("hamming", "jaccard")
NO_SCORE = "no question has a score and an upper bound"


class Measured(NamedTuple):
    cells: Mapping[StateId, Sequence[CellOutcome]]
    overall: Mapping[StateId, float]
    chance: Mapping[StateId, float]
    bound: Mapping[StateId, float]


def measured(cells: StateCells, bounds: UpperBounds) -> Measured:
    """Each question's score, mean of its replicates, with what guessing and perfect memory get."""
    values = {state: question_means(mine) for state, mine in cells.scored.items()}
    return Measured(
        cells=cells.scored,
        overall={state: value for state, one in values.items() for value in one.values()},
        chance={state: 1 / choices_of(mine[0]) for state, mine in cells.scored.items()},
        bound=bounds.values,
    )


def user_periods(found: Measured) -> list[UserPeriod]:
    """Every user in every period in which there are questions, by user; not rounded yet."""
    groups: dict[tuple[HistoryId, int], list[StateId]] = {}
    for state in sorted(found.cells):
        groups.setdefault((state.history, state.period), []).append(state)
    made = []
    for (history, period), states in groups.items():
        grids = ([[[column.get(state) for state in states]]] for column in (found.overall, found.chance, found.bound))
        scores = memory_scores(*grids)
        user = UserPeriod(
            history=history,
            period=period,
            overall=scores.overall,
            chance=scores.chance,
            upper_bound=scores.upper_bound,
            memory=scores.mean,
            dropped=bool(scores.dropped),
            missing=scores.missing,
        )
        made.append(user)
    return made


def state_scores(
    found: Measured, users: Sequence[UserPeriod], estimator: Estimator, period: int | None = None
) -> StateScores:
    """The scores of one period, or of all."""
    states = [state for state in sorted(found.cells) if period in (None, state.period)]
    mine = [one for one in users if period in (None, one.period)]
    grouped = by_question(cell for state in states for cell in found.cells[state])
    wanted: dict[str, Values] = {"overall": per_question(grouped, counted_value)}
    wanted |= {name: per_question(grouped, partial(part_value, name=name)) for name in SIMILARITIES}
    estimates = {name: one.estimate for name, one in estimator.named(wanted).items()}
    counted = [found.chance[state] for state in states if state in found.overall]
    bounds = {asked_of(found.cells[state][0]): found.bound[state] for state in states if state in found.bound}
    return StateScores(
        overall=estimates["overall"],
        hamming=estimates["hamming"],
        jaccard=estimates["jaccard"],
        chance=rounded_mean(counted),
        upper_bound=estimator.one(bounds, "no upper bound is known").estimate,
        memory=_memory(mine, estimator),
        ratio_of_means=_ratio(mine, estimator),
        cells=len(mine),
        dropped=sum(one.dropped for one in mine),
        missing=sum(one.missing for one in mine),
    )


def _memory(users: Sequence[UserPeriod], estimator: Estimator) -> Estimate:
    known = [(one.memory, one.history) for one in users if one.memory is not None]
    if not known:
        at_chance = any(one.dropped for one in users)
        why = "the upper bound is what guessing gets, for every user and period" if at_chance else NO_SCORE
        return nothing(why)
    values, histories = zip(*known, strict=True)
    found = infer_means(values, histories, rng_seed=estimator.seed, bounds=None)
    return as_estimate(found[0].interval)


def _ratio(users: Sequence[UserPeriod], estimator: Estimator) -> Estimate:
    known = [
        (one.overall, one.chance, one.upper_bound, one.history)
        for one in users
        if one.overall is not None and one.chance is not None and one.upper_bound is not None
    ]
    if not known:
        return nothing(NO_SCORE)
    overall, chance, bound, histories = zip(*known, strict=True)
    return as_estimate(memory_lift(overall, chance, bound, histories, rng_seed=estimator.seed))


def stability(cells: StateCells, bounds: UpperBounds) -> Stability | None:
    """Mean and standard deviation over replicates; `None` where there is one replicate.

    Each replicate is scored as if it were the only one, except for the upper bound: that is of all replicates, so that
    the spread is the row's own. A replicate with more faults than a headline allows has no number, and is reported.
    """
    replicates = sorted({cell.replicate for cell in cells.answers})
    if len(replicates) < 2:
        return None
    runs = [_of_run(cells, bounds, replicate) for replicate in replicates]
    whole = [run for run in runs if run is not None]
    overall, memory = _spread([run[0] for run in whole]), _spread([run[1] for run in whole if run[1] is not None])
    why = "" if memory is not None else "no run has a memory score"
    if len(whole) < len(runs):
        why = f"{len(runs) - len(whole)} of {len(runs)} runs lack too many scores, and are left out"
    return Stability(runs=len(replicates), overall=overall, memory=memory, why=why)


def _of_run(cells: StateCells, bounds: UpperBounds, replicate: int) -> tuple[float, float | None] | None:
    """Right answers and memory score of one replicate; `None` where too many questions have no score."""
    mine: Mapping[StateId, Sequence[CellOutcome]] = {
        state: [cell for cell in several if cell.replicate == replicate] for state, several in cells.scored.items()
    }
    found = measured(replace(cells, scored={state: several for state, several in mine.items() if several}), bounds)
    if len(mine) - len(found.overall) > MOST_FAULTS * len(mine):
        return None
    scores = [one.memory for one in user_periods(found) if one.memory is not None]
    return mean(list(found.overall.values())), mean(scores) if scores else None


def _spread(values: Sequence[float]) -> RunSpread | None:
    if len(values) < 2:
        return None
    middle = mean(values)
    sd = sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    return RunSpread(
        mean=rounded(middle) or 0.0, sd=rounded(sd) or 0.0, values=tuple(rounded(value) or 0.0 for value in values)
    )
