"""What the ratings of a label sheet come to: how good the data are, and how far raters agree."""

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
    """What one rater said, or all people together."""

    name: str
    rated: int
    shares: Mapping[str, float]
    """Point of the scale -> share of the ratings."""
    mean: Interval | None
    """In [0, 1], 1 being best, over items and clustered; `None` on a scale without order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """How far two raters agree, or all people."""

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
    """All of a sheet."""

    sheet: str
    items: int
    """Handed out."""
    unrated: int
    """Of them those of which nobody said anything."""
    clusters: int
    people: Rater | None
    """All people together: the mean of an item is that of its ratings; `None` where nobody rated."""
    raters: tuple[Rater, ...]
    """People, then `gold`, `rules` and `judge` where they say anything."""
    agreement: PairAgreement | None
    """Of all people; `None` where there are not two."""
    pairs: tuple[PairAgreement, ...]
    """Of every two raters, those that are no people too, on the items that both rated."""
    majority: tuple[PairAgreement, ...] = ()
    """Of what most people say with each that is no person; items without a majority are left out."""


def findings(ratings: Ratings, *, seed: int = 0, level: float = 0.95) -> SheetFindings:
    """Shares, means and agreement of a sheet.

    Args:
        ratings: As they came back.
        seed: Of the intervals of means.
        level: Coverage of all intervals, a ratio.
    """
    items = ratings.items
    others = [name for name in NO_PEOPLE if any(name in item.others for item in items)]
    names = [*ratings.people, *others]
    return SheetFindings(
        sheet=ratings.sheet,
        items=len(items),
        unrated=sum(not item.people for item in items),
        clusters=len({item.cluster for item in items}),
        people=_rater("people", ratings.people, items, seed, level) if ratings.people else None,
        raters=tuple(_rater(name, (name,), items, seed, level) for name in names),
        agreement=_agreed(ratings.people, items, level) if len(ratings.people) > 1 else None,
        pairs=tuple(_agreed(pair, _both(pair, items), level) for pair in combinations(names, 2)),
        majority=tuple(_with_most(name, items, level) for name in others) if len(ratings.people) > 1 else (),
    )


MOST = "most people"
"""Stands for a rater who says what more people say than anything else."""


def _with_most(name: str, items: Sequence[RatedItem], level: float) -> PairAgreement:
    told = [replace(item, people={**item.people, MOST: most}) for item in items if (most := _most(item)) is not None]
    return _agreed((MOST, name), _both((MOST, name), told), level)


def _most(item: RatedItem) -> str | None:
    counted = Counter(item.people.values()).most_common(2)
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return None
    return counted[0][0]


def _said(item: RatedItem, names: Sequence[str]) -> list[str | None]:
    return [item.people.get(name, item.others.get(name)) for name in names]


def _both(names: Sequence[str], items: Sequence[RatedItem]) -> list[RatedItem]:
    return [item for item in items if None not in _said(item, names)]


def _rater(name: str, names: Sequence[str], items: Sequence[RatedItem], seed: int, level: float) -> Rater:
    rated = [(item, labels) for item in items if (labels := [one for one in _said(item, names) if one is not None])]
    counted = Counter(label for _, labels in rated for label in labels)
    total = sum(counted.values())
    means = [_mean(item, labels) for item, labels in rated]
    known = [(mean, item.cluster) for mean, (item, _) in zip(means, rated, strict=True) if mean is not None]
    mean = None
    if known:
        values, clusters = zip(*known, strict=True)
        mean = infer_means(values, clusters, rng_seed=seed, level=level)[0].interval
    return Rater(
        name=name, rated=len(rated), shares={point: counted[point] / total for point in _points(items)}, mean=mean
    )


def _mean(item: RatedItem, labels: Sequence[str]) -> float | None:
    values = [value for label in labels if (value := item.scale.value(label)) is not None]
    return sum(values) / len(values) if values else None


def _agreed(names: Sequence[str], items: Sequence[RatedItem], level: float) -> PairAgreement:
    rows = [_said(item, names) for item in items]
    rated = sum(sum(label is not None for label in row) > 1 for row in rows)
    ordered = all(item.scale.best != "none" for item in items)
    points = _points(items)
    ac1 = gwet(rows, categories=points, level=level)
    return PairAgreement(
        raters=tuple(names),
        items=rated,
        same=ac1.observed,
        ac1=ac1,
        ac2=gwet(rows, categories=points, weights="ordinal", level=level) if ordered else None,
        kappa=_kappa(rows, items, points, level) if len(names) == 2 else None,
    )


def _kappa(
    rows: Sequence[Sequence[str | None]], items: Sequence[RatedItem], points: Sequence[str], level: float
) -> Agreement:
    """On the items that both rated."""
    told = [(row, item.cluster) for row, item in zip(rows, items, strict=True) if None not in row]
    first, second = ([row[place] or "" for row, _ in told] for place in (0, 1))
    return clustered_kappa(first, second, [cluster for _, cluster in told], categories=points, level=level)


def _points(items: Sequence[RatedItem]) -> list[str]:
    """All points of a sheet: of scales of different length, those of the longest."""
    longest = max((item.scale.points for item in items), key=len, default={})
    return list(dict.fromkeys([*longest, *(point for item in items for point in item.scale.points)]))
