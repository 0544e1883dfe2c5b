"""Wrong options that give nothing away: of several sets the one that keeps readers without the book at chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.events import CHOICES
from recollect.metrics.text_match import normalise

DISCOUNT = 0.5
"""What a name counts less for each event that lies between."""
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w+")


class Candidate(NamedTuple):
    """A question as it might be asked, the right option first."""

    previous: tuple[str, ...]
    options: tuple[str, ...]


Score = Callable[[Candidate, int], float]
"""What a reader without the book sees in one option; it takes the one with the most, or the least."""


def length(question: Candidate, place: int) -> float:
    """Characters."""
    return len(question.options[place])


def like_the_others(question: Candidate, place: int) -> float:
    """Words shared with the other options: what was altered lies around what was there first."""
    others = (text for other, text in enumerate(question.options) if other != place)
    return round(sum(alike(question.options[place], text) for text in others), 9)


def like_the_last(question: Candidate, place: int) -> float:
    """Words shared with the last previous event."""
    return round(alike(question.options[place], question.previous[-1]), 9)


def like_all_before(question: Candidate, place: int) -> float:
    """Words shared with all previous events."""
    return round(alike(question.options[place], " ".join(question.previous)), 9)


def names_before(question: Candidate, place: int) -> float:
    """Names of the last previous event, and of those before it at a discount."""
    names = _names(question.options[place])
    weights = [DISCOUNT**age for age in range(len(question.previous))]
    return round(sum(w * len(names & _names(e)) for w, e in zip(weights, reversed(question.previous), strict=True)), 9)


def names_of_the_last(question: Candidate, place: int) -> float:
    """Names shared with the last previous event."""
    return len(_names(question.options[place]) & _names(question.previous[-1]))


def often_before(question: Candidate, place: int) -> float:
    """How often its words were said in all previous events."""
    said = [_words(event) for event in question.previous]
    return sum(word in event for word in _words(question.options[place]) for event in said)


BLIND: dict[str, Score] = {
    "length": length,
    "like_the_others": like_the_others,
    "like_the_last": like_the_last,
    "like_all_before": like_all_before,
    "names_before": names_before,
    "names_of_the_last": names_of_the_last,
    "often_before": often_before,
}


@lru_cache(maxsize=20_000)
def _names(text: str) -> frozenset[str]:
    """Words with a capital; the first word too, since a name may stand there."""
    return frozenset(_NAME.findall(text))


def alike(one: str, other: str) -> float:
    """Cosine of two texts as sets of normalised words."""
    a, b = _words(one), _words(other)
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(normalise(text).split())


def solved(question: Candidate) -> dict[str, float]:
    """How often each blind reader is right who takes the most or the least; options that are equal share."""
    found = {}
    for name, score in BLIND.items():
        values = [score(question, place) for place in range(len(question.options))]
        for side, best in (("most", max(values)), ("least", min(values))):
            found[f"{name}:{side}"] = (values[0] == best) / values.count(best)
    return found


class Balance:
    """Chooses question by question, so that no blind reader is right more often than by chance."""

    def __init__(self) -> None:
        self._asked = 0
        self._right: dict[str, float] = {}

    def choose(self, candidates: Sequence[Candidate]) -> Candidate:
        """The candidate after which the blind readers are nearest to chance; of equals the first.

        Raises:
            ValueError: There is no candidate.
        """
        if not candidates:
            raise ValueError("there is no candidate to choose from")
        wanted = (self._asked + 1) / CHOICES
        found = [(self._off(solved(one), wanted), place) for place, one in enumerate(candidates)]
        chosen = candidates[min(found)[1]]
        for name, right in solved(chosen).items():
            self._right[name] = self._right.get(name, 0.0) + right
        self._asked += 1
        return chosen

    def _off(self, right: dict[str, float], wanted: float) -> float:
        return round(sum((self._right.get(name, 0.0) + now - wanted) ** 2 for name, now in right.items()), 9)

    def rates(self) -> Iterator[tuple[str, float]]:
        """How often each blind reader was right so far, a ratio."""
        return ((name, right / self._asked) for name, right in self._right.items())
