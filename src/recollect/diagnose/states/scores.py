"""How much of a row's score is memory's: between guessing and the upper bound, by user and period first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    nothing,
    per_question,
    rounded,
)
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.numbers import part_value
from recollect.diagnose.states.bounds import UpperBounds
from recollect.diagnose.states.cells import StateCells, StateId, choices_of
from recollect.metrics.states import memory_scores
from recollect.records.tables.states import RunSpread, Stability, StateScores, UserPeriod
from recollect.records.tables.summary import CellOutcome, Estimate
from recollect.stats.clusters import infer_means
from recollect.stats.lift import memory_lift

SIMILARITIES = ("hamming", "jaccard")
"""Parts of a scored question that stand beside its score."""


class Measured(NamedTuple):
    """What is known of the questions of one row."""

    cells: Mapping[StateId, Sequence[CellOutcome]]
    overall: Mapping[StateId, float]
    chance: Mapping[StateId, float]
    bound: Mapping[StateId, float]


def measured(cells: StateCells, bounds: UpperBounds) -> Measured:
    """Each question's score, mean of its replicates, with what guessing and perfect memory get."""
    values = {place: per_question(by_question(mine), counted_value) for place, mine in cells.scored.items()}
    return Measured(
        cells=cells.scored,
        overall={place: value for place, one in values.items() for value in one.values()},
        chance={place: 1 / choices_of(mine[0]) for place, mine in cells.scored.items()},
        bound=bounds.values,
    )


def user_periods(found: Measured) -> list[UserPeriod]:
    """Every user in every period in which there are questions, by user; not rounded yet."""
    groups: dict[tuple[str, int], list[StateId]] = {}
    for place in sorted(found.cells):
        groups.setdefault((place.history, place.period), []).append(place)
    return [_user_period(places, found) for places in groups.values()]


def _user_period(places: Sequence[StateId], found: Measured) -> UserPeriod:
    grids = ([[[column.get(place) for place in places]]] for column in (found.overall, found.chance, found.bound))
    one = memory_scores(*grids)
    return UserPeriod(
        history=places[0].history,
        period=places[0].period,
        overall=one.overall,
        chance=one.chance,
        upper_bound=one.upper_bound,
        memory=one.mean,
        dropped=bool(one.dropped),
        missing=one.missing,
    )


def state_scores(
    found: Measured, users: Sequence[UserPeriod], estimator: Estimator, period: int | None = None
) -> StateScores:
    """The scores of one period, or of all."""
    places = [place for place in sorted(found.cells) if period in (None, place.period)]
    mine = [one for one in users if period in (None, one.period)]
    grouped = by_question(cell for place in places for cell in found.cells[place])
    wanted: dict[str, Values] = {"overall": per_question(grouped, counted_value)}
    wanted |= {name: per_question(grouped, partial(part_value, name=name)) for name in SIMILARITIES}
    estimates = {name: one.estimate for name, one in estimator.named(wanted).items()}
    counted = [found.chance[place] for place in places if place in found.overall]
    return StateScores(
        overall=estimates["overall"],
        hamming=estimates["hamming"],
        jaccard=estimates["jaccard"],
        chance=rounded(sum(counted) / len(counted)) if counted else None,
        upper_bound=_bound(places, found, estimator),
        memory=_memory(mine, estimator),
        ratio_of_means=_ratio(mine, estimator),
        cells=len(mine),
        dropped=sum(one.dropped for one in mine),
        missing=sum(one.missing for one in mine),
    )


def _bound(places: Sequence[StateId], found: Measured, estimator: Estimator) -> Estimate:
    """Of the row's own questions, by question and clustered on users."""
    values = {asked_of(found.cells[place][0]): found.bound[place] for place in places if place in found.bound}
    return estimator.one(values, "no upper bound is known").estimate


def _memory(users: Sequence[UserPeriod], estimator: Estimator) -> Estimate:
    known = [(one.memory, one.history) for one in users if one.memory is not None]
    if not known:
        return nothing(_why(users), estimator.level)
    values, histories = zip(*known, strict=True)
    found = infer_means(values, histories, rng_seed=estimator.seed, level=estimator.level, bounds=None)
    return as_estimate(found[0].interval)


def _why(users: Sequence[UserPeriod]) -> str:
    if any(one.dropped for one in users):
        return "the upper bound is what guessing gets, for every user and period"
    return "no question has a score and an upper bound"


def _ratio(users: Sequence[UserPeriod], estimator: Estimator) -> Estimate:
    known = list(_triples(users))
    if not known:
        return nothing("no question has a score and an upper bound", estimator.level)
    overall, chance, bound, histories = zip(*known, strict=True)
    found = memory_lift(overall, chance, bound, histories, rng_seed=estimator.seed, level=estimator.level)
    return as_estimate(found)


def _triples(users: Sequence[UserPeriod]) -> Iterator[tuple[float, float, float, str]]:
    for one in users:
        if one.overall is not None and one.chance is not None and one.upper_bound is not None:
            yield one.overall, one.chance, one.upper_bound, one.history


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
        why=_why_unstable(len(runs), len(whole), has_memory=memory is not None),
    )


def _of_run(cells: StateCells, bounds: UpperBounds, replicate: int) -> tuple[float, float | None] | None:
    """Right answers and memory score of one replicate; `None` where too many questions have no score."""
    mine: Mapping[StateId, Sequence[CellOutcome]] = {
        place: [cell for cell in several if cell.replicate == replicate] for place, several in cells.scored.items()
    }
    found = measured(replace(cells, scored={place: several for place, several in mine.items() if several}), bounds)
    if len(mine) - len(found.overall) > MOST_FAULTS * len(mine):
        return None
    scores = [one.memory for one in user_periods(found) if one.memory is not None]
    return _mean_of_runs(list(found.overall.values())), _mean_of_runs(scores) if scores else None


def _why_unstable(runs: int, whole: int, *, has_memory: bool) -> str:
    if whole < runs:
        return f"{runs - whole} of {runs} runs lack too many scores, and are left out"
    return "" if has_memory else "no run has a memory score"


def _spread(values: Sequence[float]) -> RunSpread | None:
    if len(values) < 2:
        return None
    mean = _mean_of_runs(values)
    sd = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return RunSpread(
        mean=rounded(mean) or 0.0, sd=rounded(sd) or 0.0, values=tuple(rounded(value) or 0.0 for value in values)
    )


def _mean_of_runs(values: Sequence[float]) -> float:
    return sum(values) / len(values)
