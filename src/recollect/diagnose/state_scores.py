"""How much of a row's score is memory's: between guessing and the upper bound, by user and period first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
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
from recollect.diagnose.numbers import part_value
from recollect.diagnose.state_bounds import UpperBounds
from recollect.diagnose.state_cells import Place, StateCells, choices_of
from recollect.metrics.states import memory_scores
from recollect.records.states import StateScores, UserPeriod
from recollect.records.summary import CellOutcome, Estimate
from recollect.stats.clusters import infer_means
from recollect.stats.lift import memory_lift

SIMILARITIES = ("hamming", "jaccard")
"""Parts of a scored question that stand beside its score."""


class Measured(NamedTuple):
    """What is known of the questions of one row."""

    cells: Mapping[Place, Sequence[CellOutcome]]
    overall: Mapping[Place, float]
    chance: Mapping[Place, float]
    bound: Mapping[Place, float]


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
    groups: dict[tuple[str, int], list[Place]] = {}
    for place in sorted(found.cells):
        groups.setdefault((place.history, place.period), []).append(place)
    return [_user_period(places, found) for places in groups.values()]


def _user_period(places: Sequence[Place], found: Measured) -> UserPeriod:
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


def _bound(places: Sequence[Place], found: Measured, estimator: Estimator) -> Estimate:
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
