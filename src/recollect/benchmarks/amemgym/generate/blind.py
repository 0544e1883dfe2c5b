"""Solvers that see the options alone: what they get beyond chance is a flaw of the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from recollect.text.normal import search_tokens

Solver = Callable[[Sequence[str]], int]
"""The options as they are shown -> the place that is picked."""


def longest(options: Sequence[str]) -> int:
    """The option of most characters."""
    return max(range(len(options)), key=lambda place: (len(options[place]), -place))


def shortest(options: Sequence[str]) -> int:
    """The option of fewest characters."""
    return min(range(len(options)), key=lambda place: (len(options[place]), place))


def most_alike(options: Sequence[str]) -> int:
    """The option that has most content words in common with all others."""
    likeness = _likeness(options)
    return max(range(len(options)), key=lambda place: (likeness[place], -place))


def least_alike(options: Sequence[str]) -> int:
    """The option that stands apart."""
    likeness = _likeness(options)
    return min(range(len(options)), key=lambda place: (likeness[place], place))


def first(options: Sequence[str]) -> int:
    """The first option."""
    return min(range(len(options)))


def last(options: Sequence[str]) -> int:
    """The last option."""
    return len(options) - 1


def middle(options: Sequence[str]) -> int:
    """The option in the middle; the earlier of two."""
    return (len(options) - 1) // 2


def _likeness(options: Sequence[str]) -> list[float]:
    """For each option the sum of the shares of words that it has in common with the others."""
    shares = [[_share(*sorted((one, other))) for other in options if other != one] for one in options]
    return [round(sum(row), 9) for row in shares]


@lru_cache(maxsize=65_536)
def _share(one: str, other: str) -> float:
    """How much two options have in common; the same few clauses come again and again."""
    ours, theirs = _words(one), _words(other)
    return len(ours & theirs) / max(len(ours | theirs), 1)


@lru_cache(maxsize=16_384)
def _words(option: str) -> frozenset[str]:
    return frozenset(search_tokens(option))


SOLVERS: Mapping[str, Solver] = {
    one.__name__: one for one in (longest, shortest, most_alike, least_alike, first, last, middle)
}
"""Name -> solver; the generator sees to it that none of them gains anything."""
