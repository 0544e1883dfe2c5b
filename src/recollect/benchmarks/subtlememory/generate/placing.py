"""What comes in which order between opening and closing: steps of the thread, and moments in which facts are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling
from recollect.benchmarks.subtlememory.generate.threads import Exchange, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An exchange with all that is said in it."""

    moment: Exchange
    role: str
    text: str
    strays: bool
    """It leads away from the errand."""


def arranged(
    tellings: Sequence[Telling], steps: Sequence[Step], exchanges: int, rng: Random
) -> tuple[Step | Told, ...]:
    """So many exchanges: all that is told, and as many steps as there is room for, in their order.

    A step stands last where there is one, so that the closing follows its errand, and another first. What strays comes
    behind it, as people keep for the end what has nothing to do with the rest.

    Raises:
        ValueError: There is more to tell than there are exchanges, or too few steps to fill them.
    """
    told = _together(tellings)
    if not len(told) <= exchanges <= len(told) + len(steps):
        raise ValueError(f"{len(told)} moments and up to {len(steps)} steps do not fill {exchanges} exchanges")
    kept = sorted(rng.sample(range(len(steps)), exchanges - len(told)))
    order: list[Step | Told] = [steps[number] for number in kept]
    rng.shuffle(told)
    strays = [one for one in told if one.strays]
    inside = [one for one in told if not one.strays]
    for place, one in zip(_places(len(inside), exchanges - len(strays), rng), inside, strict=True):
        order.insert(place, one)
    return (*order, *strays)


def _together(tellings: Sequence[Telling]) -> list[Told]:
    """What is said in one exchange, in the order in which it is given."""
    said: dict[Exchange, list[Telling]] = {}
    for one in tellings:
        if one.moment is None:
            raise ValueError(f"fact {one.fact} has nowhere to be told")
        said.setdefault(one.moment, []).append(one)
    return [
        Told(moment=moment, role=ones[0].role, text=" ".join(one.text for one in ones), strays=not ones[0].of)
        for moment, ones in said.items()
    ]


def _places(count: int, exchanges: int, rng: Random) -> list[int]:
    steps = exchanges - count
    open_to = range(1 if steps > 1 else 0, exchanges - 1 if steps else exchanges)
    drawn = list(combinations(open_to, count))
    rng.shuffle(drawn)
    return list(min(drawn, key=lambda places: sum(second - first == 1 for first, second in pairwise(places))))
