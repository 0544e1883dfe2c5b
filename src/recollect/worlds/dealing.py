"""Seeded dealing: everything comes about equally often, in an order that nobody can guess; draws until one fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
Item = TypeVar("Item")


class Dealer:
    """Deals things out evenly: of those that were dealt least often, one by chance."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._dealt: Counter[Hashable] = Counter()

    def deal(self, options: Sequence[T], avoid: Sequence[T] = ()) -> T:
        """One of *options*, if possible none of *avoid*."""
        open_to = [one for one in options if one not in avoid] or list(options)
        fewest = min(self._dealt[one] for one in open_to)
        chosen = self._rng.choice([one for one in open_to if self._dealt[one] == fewest])
        self._dealt[chosen] += 1
        return chosen


class Bag(Generic[Item]):
    """Things in a new order each time round, so that none comes again before all were there."""

    def __init__(self, items: Sequence[Item], rng: Random) -> None:
        self._items, self._rng, self._left = items, rng, list[Item]()

    def draw(self) -> Item:
        """The next one."""
        if not self._left:
            self._left = self._rng.sample(self._items, len(self._items))
        return self._left.pop()


def shares(count: int, names: Sequence[str]) -> dict[str, int]:
    """*count* in even shares; what does not divide goes to the first names."""
    each, left = divmod(count, len(names))
    return {name: each + (place < left) for place, name in enumerate(names)}


def first_fitting(draw: Callable[[int], Item | None], tries: int, failure: str | Callable[[], str]) -> Item:
    """The first of several attempts that gives something.

    Args:
        draw: Gives the attempt of that number, from 0; None where it does not fit.
        tries: Attempts before it counts as impossible.
        failure: What to say then; a function where that depends on the attempts.

    Raises:
        ValueError: None of the attempts fits.
    """
    for attempt in range(tries):
        found = draw(attempt)
        if found is not None:
            return found
    raise ValueError(failure if isinstance(failure, str) else failure())
