"""Of several designs of a case the one by which solvers that see the question alone gain nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeVar

from recollect.benchmarks.subtlememory.generate.blind import SOLVERS, Solver, solved
from recollect.benchmarks.subtlememory.items import Asked

T = TypeVar("T")

BELOW = (0.2, 0.7)
"""Right guesses by which the solvers stay below chance in each person and sub-type, drawn between these: so few that
what they leave is no hint, and enough that the few questions of a set do not lift one above."""
WEIGHT = 1.5
"""How much more a solver counts than the places and lengths beside."""


def _at(place: int) -> Solver:
    return lambda options: place % len(options)


def _by_length(rank: int) -> Solver:
    return lambda options: sorted(range(len(options)), key=lambda at: (len(options[at]), at))[rank % len(options)]


WATCHED: Mapping[str, Solver] = {
    **SOLVERS,
    **{f"place {place}": _at(place) for place in range(4)},
    **{f"length {rank}": _by_length(rank) for rank in range(4)},
}
"""The solvers, and the single places and lengths beside: what one leaves must not all fall to another."""
_OTHERS = tuple(name for name in WATCHED if name not in SOLVERS)


class Balance:
    """What can be guessed so far of one person's questions, by sub-type."""

    def __init__(self, rng: Random) -> None:
        self._hits: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._expected: defaultdict[str, float] = defaultdict(float)
        self._below = defaultdict[str, float](lambda: rng.uniform(*BELOW))

    def pick(self, subtype: str, designs: Sequence[T], asked: Callable[[T], Sequence[Asked]]) -> T:
        """The design after which all solvers lie nearest to chance; the first of equals."""
        so_far, expected, below = self._hits[subtype], self._expected[subtype], self._below[subtype]
        costs, found = [], []
        for design in designs:
            questions = asked(design)
            hits = Counter(name for one in questions for name in solved(one, WATCHED))
            wanted = expected + sum(one.chance for one in questions)
            off = sum((so_far[name] + hits[name] - wanted + below) ** 2 for name in SOLVERS)
            rest = sum((so_far[name] + hits[name] - wanted) ** 2 for name in _OTHERS)
            costs.append((WEIGHT * off + rest, wanted))
            found.append(hits)
        best = costs.index(min(costs))
        so_far.update(found[best])
        self._expected[subtype] = costs[best][1]
        return designs[best]
