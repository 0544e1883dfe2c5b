"""Blind solvers: they see a question alone, so what they get beyond chance is a flaw of the data.

A generator watches them while it draws (`Solver`); a test sends their replies through the benchmark's own scorer and
judge (`examined`), so that what counts as right is what counts in a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from recollect.contracts.benchmark import Scorer
from recollect.contracts.reading import Judge
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.questions import Key, Question
from recollect.stats.proportions import wilson_interval
from recollect.text.normal import search_tokens

Solver = Callable[[Sequence[str]], int]
"""What can be chosen, as it is shown -> the place that is picked."""


def first(_: Sequence[str]) -> int:
    """The first choice."""
    return 0


def last(options: Sequence[str]) -> int:
    """The last choice."""
    return len(options) - 1


def middle(options: Sequence[str]) -> int:
    """The choice in the middle; the earlier of two."""
    return (len(options) - 1) // 2


def shorter_middle(options: Sequence[str]) -> int:
    """The choice in the middle; the shorter of two, then the earlier."""
    return min((len(options) - 1) // 2, len(options) // 2, key=lambda place: (len(options[place]), place))


def shortest(options: Sequence[str]) -> int:
    """The choice of fewest characters."""
    return min(range(len(options)), key=lambda place: (len(options[place]), place))


def longest(options: Sequence[str]) -> int:
    """The choice of most characters."""
    return max(range(len(options)), key=lambda place: (len(options[place]), -place))


def most_alike(options: Sequence[str]) -> int:
    """The choice that has most content words in common with the others."""
    likeness = _likeness(tuple(options))
    return max(range(len(options)), key=lambda place: (likeness[place], -place))


def least_alike(options: Sequence[str]) -> int:
    """The choice that stands apart."""
    likeness = _likeness(tuple(options))
    return min(range(len(options)), key=lambda place: (likeness[place], place))


def at_random(options: Sequence[str]) -> int:
    """A choice that a digest of them all picks."""
    return int.from_bytes(blake2b("\n".join(options).encode(), digest_size=8).digest()) % len(options)


def at(place: int) -> Solver:
    """The choice of that place, counted round."""
    return lambda options: place % len(options)


def by_length(rank: int) -> Solver:
    """The choice of that rank from the shortest, counted round."""
    return lambda options: sorted(range(len(options)), key=lambda one: (len(options[one]), one))[rank % len(options)]


@lru_cache(maxsize=8192)
def _likeness(options: tuple[str, ...]) -> tuple[float, ...]:
    """For each choice the sum of the shares of words that it has in common with the others."""
    return tuple(
        round(sum(_share(*sorted((one, other))) for at, other in enumerate(options) if at != place), 9)
        for place, one in enumerate(options)
    )


@lru_cache(maxsize=65_536)
def _share(one: str, other: str) -> float:
    """How much two choices have in common; the same few clauses come again and again."""
    ours, theirs = _words(one), _words(other)
    return len(ours & theirs) / max(len(ours | theirs), 1)


@lru_cache(maxsize=16_384)
def _words(option: str) -> frozenset[str]:
    return frozenset(search_tokens(option))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """One question, and who answered it without any memory."""

    group: str
    """What is looked at together, such as a sub-type."""
    chance: float
    right: tuple[str, ...]
    """Names of those who were right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindRow:
    """What one solver gets of the questions of one group."""

    group: str
    solver: str
    questions: int
    right: int
    chance: float
    """Mean over the questions."""
    upper: float
    """Upper end of the 95 % Wilson interval."""

    @property
    def share(self) -> float:
        """Right answers, as a ratio."""
        return self.right / self.questions


def examined(
    keyed: Keyed,
    replies: Mapping[str, Callable[[Question], str]],
    *,
    score: Scorer,
    judge: Judge | None,
    shared: Mapping[str, Any],
    group: Callable[[Key], str],
    chance: Callable[[Question, Key], float],
) -> Iterator[Guessed]:
    """Every scored question of a history, answered blindly and weighed as in a run.

    Args:
        keyed: The history with its keys.
        replies: Name of a solver -> what it replies to a question.
        score: The benchmark's own.
        judge: That of the run; None where nothing is judged.
        shared: What all keys of the task use.
        group: What a question is counted under.
        chance: Of a guess.
    """
    for question in (one for one in keyed.history.questions if one.purpose == "score"):
        key = keyed.keys[question.question_id]
        right = []
        for name, said in replies.items():
            reply = Reply(text=said(question))
            verdict = judge.judge(question, key, reply) if judge is not None else None
            if score(question, key, reply, verdict, shared).value == 1.0:
                right.append(name)
        yield Guessed(group=group(key), chance=chance(question, key), right=tuple(right))


def blind_table(guessed: Iterable[Guessed], solvers: Sequence[str]) -> tuple[BlindRow, ...]:
    """Every solver on every group, in the order in which groups come."""
    groups: dict[str, list[Guessed]] = {}
    for one in guessed:
        groups.setdefault(one.group, []).append(one)
    rows: list[BlindRow] = []
    for group, found in groups.items():
        chance = sum(one.chance for one in found) / len(found)
        for solver in solvers:
            right = sum(solver in one.right for one in found)
            upper = wilson_interval(right, len(found)).high or 0.0
            rows.append(
                BlindRow(group=group, solver=solver, questions=len(found), right=right, chance=chance, upper=upper)
            )
    return tuple(rows)
