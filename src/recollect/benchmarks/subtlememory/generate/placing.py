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
    """A moment with what is said in it."""

    moment: Exchange
    role: str
    text: str


def arranged(
    tellings: Sequence[Telling], steps: Sequence[Step], exchanges: int, rng: Random
) -> tuple[Step | Told, ...]:
    """So many exchanges: all that is told, in order, and as many steps as there is room for.

    A step stands last where there is one, so that the closing follows its errand, and another first.

    Raises:
        ValueError: There is more to tell than there are exchanges, or too few steps to fill them.
    """
    turns = [at for at, one in enumerate(tellings) for _ in one.turns]
    if not len(turns) <= exchanges <= len(turns) + len(steps):
        raise ValueError(f"{len(turns)} moments and up to {len(steps)} steps do not fill {exchanges} exchanges")
    kept = sorted(rng.sample(range(len(steps)), exchanges - len(turns)))
    places = _places(len(turns), exchanges, rng)
    rng.shuffle(turns)
    order: list[Step | Told] = [steps[number] for number in kept]
    for place, at in zip(places, turns, strict=True):
        turn = turns[: places.index(place)].count(at)
        order.insert(
            place, Told(moment=tellings[at].moments[turn], role=tellings[at].role, text=tellings[at].turns[turn])
        )
    return tuple(order)


def _places(count: int, exchanges: int, rng: Random) -> list[int]:
    steps = exchanges - count
    open_to = range(1 if steps > 1 else 0, exchanges - 1 if steps else exchanges)
    drawn = list(combinations(open_to, count))
    rng.shuffle(drawn)
    return list(min(drawn, key=lambda places: sum(second - first == 1 for first, second in pairwise(places))))
