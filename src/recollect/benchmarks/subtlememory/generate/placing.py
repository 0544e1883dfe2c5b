"""What comes in which order between opening and closing: steps of the thread, and moments in which facts are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling
from recollect.benchmarks.subtlememory.generate.threads import Exchange, Step

TRIES = 8
"""Draws of places, of which the one with the fewest moments side by side is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A moment with what is said in it."""

    moment: Exchange
    role: str
    text: str


def arranged(
    tellings: Sequence[Telling], steps: Sequence[Step], exchanges: int, rng: Random
) -> tuple[Step | Told, ...]:
    """So many exchanges: all that is told, in order, and as many steps as there is room for; a step begins if there is.

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
        order.insert(place, _told(tellings[at], turn))
    return tuple(order)


def _places(count: int, exchanges: int, rng: Random) -> list[int]:
    first = 1 if count < exchanges else 0
    drawn = [sorted(rng.sample(range(first, exchanges), count)) for _ in range(TRIES)]
    return min(drawn, key=lambda places: sum(second - first == 1 for first, second in pairwise(places)))


def _told(telling: Telling, turn: int) -> Told:
    """What is said in a turn; from the second on with the occasion, for each moment has a subject of its own."""
    back = [telling.again[turn - 1]] if 0 < turn <= len(telling.again) else []
    return Told(moment=telling.moments[turn], role=telling.role, text=" ".join([*back, telling.turns[turn]]))
