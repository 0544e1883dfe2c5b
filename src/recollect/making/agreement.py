"""Findings of a label sheet: how good the data are, and how far raters agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from recollect.making.ratings import NO_PEOPLE, RatedItem, Ratings
from recollect.stats.agreement import Agreement, clustered_kappa, gwet
from recollect.stats.clusters import infer_means
from recollect.stats.estimate import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Rater:
    """Labels of one rater, or of all people together."""

    name: str
    rated: int
    shares: Mapping[str, float]
    """Point of the scale -> share of the ratings."""
    mean: Interval | None
    """In [0, 1], 1 being best, over items and clustered; `None` on a scale without order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Agreement of two raters, or of all people."""

    raters: tuple[str, ...]
    items: int
    """Rated by two of them at least."""
    same: float | None
    """Share of pairs of ratings that are equal, item by item; `None` without a pair."""
    ac1: Agreement
    ac2: Agreement | None
    """With ordinal weights; `None` on a scale without order."""
    kappa: Agreement | None = None
    """Cohen's, with an interval over clusters; `None` for more than two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFindings:
    """All findings of a sheet."""

    sheet: str
    items: int
    unrated: int
    """Items without any label of a person."""
    clusters: int
    people: Rater | None
    """All people together: the mean of an item is that of its ratings; `None` without ratings."""
    raters: tuple[Rater, ...]
    """People, then `gold`, `rules` and `judge` where they have labels."""
    agreement: PairAgreement | None
    pairs: tuple[PairAgreement, ...]
    """Of every two raters, also those that are not people, on the items that both rated."""
    majority: tuple[PairAgreement, ...] = ()
    """Of the majority of people with each rater that is not one; items without a majority are left out."""


def findings(ratings: Ratings, *, seed: int = 0, level: float = 0.95) -> SheetFindings:
    """Shares, means and agreement of a sheet.

    Args:
        ratings: The completed sheet.
        seed: For the intervals of means.
        level: Coverage of all intervals, a ratio.
    """
    items = ratings.items
    others = [name for name in NO_PEOPLE if any(name in item.others for item in items)]
    names = [*ratings.people, *others]
    several = len(ratings.people) > 1
    voted = _with_majority(items) if several else []
    majority = [(MOST, name) for name in others] if several else []
    return SheetFindings(
        sheet=ratings.sheet,
        items=len(items),
        unrated=sum(not item.people for item in items),
        clusters=len({item.cluster for item in items}),
        people=_rater("people", ratings.people, items, seed, level) if ratings.people else None,
        raters=tuple(_rater(name, (name,), items, seed, level) for name in names),
        agreement=_agreed(ratings.people, items, level) if several else None,
        pairs=tuple(_agreed(pair, _both(pair, items), level) for pair in combinations(names, 2)),
        majority=tuple(_agreed(pair, _both(pair, voted), level) for pair in majority),
    )


MOST = "most people"


def _with_majority(items: Sequence[RatedItem]) -> list[RatedItem]:
    """The items on which more people gave one label than any other, with that label."""
    found = []
    for item in items:
        counted = Counter(item.people.values()).most_common(2)
        if counted and (len(counted) == 1 or counted[0][1] > counted[1][1]):
            found.append(replace(item, people={**item.people, MOST: counted[0][0]}))
    return found


def _labels(item: RatedItem, names: Sequence[str]) -> list[str | None]:
    return [item.people.get(name, item.others.get(name)) for name in names]


def _rater(name: str, names: Sequence[str], items: Sequence[RatedItem], seed: int, level: float) -> Rater:
    rated = 0
    counted: Counter[str] = Counter()
    means: list[float] = []
    clusters: list[str] = []
    for item in items:
        labels = [label for label in _labels(item, names) if label is not None]
        values = [value for label in labels if (value := item.scale.value(label)) is not None]
        rated += bool(labels)
        counted.update(labels)
        if values:
            means.append(sum(values) / len(values))
            clusters.append(item.cluster)
    mean = infer_means(means, clusters, rng_seed=seed, level=level)[0].interval if means else None
    shares = {point: counted[point] / counted.total() for point in _points(items)}
    return Rater(name=name, rated=rated, shares=shares, mean=mean)


def _agreed(names: Sequence[str], items: Sequence[RatedItem], level: float) -> PairAgreement:
    rows = [_labels(item, names) for item in items]
    ordered = all(item.scale.best != "none" for item in items)
    points = _points(items)
    ac1 = gwet(rows, categories=points, level=level)
    kappa = None
    if len(names) == 2:
        rated = [(row, item.cluster) for row, item in zip(rows, items, strict=True) if None not in row]
        first, second = ([row[rater] or "" for row, _ in rated] for rater in (0, 1))
        clusters = [cluster for _, cluster in rated]
        kappa = clustered_kappa(first, second, clusters, categories=points, level=level)
    return PairAgreement(
        raters=tuple(names),
        items=sum(sum(label is not None for label in row) > 1 for row in rows),
        same=ac1.observed,
        ac1=ac1,
        ac2=gwet(rows, categories=points, weights="ordinal", level=level) if ordered else None,
        kappa=kappa,
    )


def _both(names: Sequence[str], items: Sequence[RatedItem]) -> list[RatedItem]:
    return [item for item in items if None not in _labels(item, names)]


def _points(items: Sequence[RatedItem]) -> list[str]:
    """All points of a sheet: of scales of different length, those of the longest."""
    longest = max((item.scale.points for item in items), key=len, default={})
    return list(dict.fromkeys([*longest, *(point for item in items for point in item.scale.points)]))
