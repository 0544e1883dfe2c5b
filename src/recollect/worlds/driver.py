"""The driver of all generators: each history is planned, told, assembled and checked, from a seed of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from recollect.domain.errors import listed

Subject = TypeVar("Subject")
Plan = TypeVar("Plan")
Told = TypeVar("Told")
Made = TypeVar("Made")


class Draws:
    """All randomness of one history, from one seed that is a text.

    A part that draws `of` its own name stays the same when another part draws more; parts that share `rng` depend on
    the order in which they draw.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.rng = Random(seed)
        """Shared by all who draw from it."""

    def of(self, *parts: object) -> Random:
        """A generator that is only for what *parts* name."""
        return Random(":".join((self.seed, *map(str, parts))))


@dataclass(frozen=True, kw_only=True)
class Generator(Generic[Subject, Plan, Told, Made]):
    """How histories are made, one of each subject: a person, a town, or just a number."""

    seed: Callable[[Subject], str]
    """The seed of one history; no two have the same."""
    plan: Callable[[Subject, Draws], Plan]
    """What happens, and what will be asked, without a word of it."""
    tell: Callable[[Plan, Draws], Told]
    """The plan in sentences."""
    assemble: Callable[[Plan, Told, Draws], Made]
    """The history with its keys, everything named."""
    check: Callable[[Made], Iterable[str]] = lambda _made: ()
    """What is wrong with a history; whoever draws it can do nothing about it, so this is for the author."""

    def make(self, subjects: Iterable[Subject]) -> Iterator[Made]:
        """A history of each subject; the same subjects give the same histories.

        Raises:
            ValueError: A history does not keep what its benchmark promises.
        """
        for subject in subjects:
            draws = Draws(self.seed(subject))
            plan = self.plan(subject, draws)
            made = self.assemble(plan, self.tell(plan, draws), draws)
            if problems := tuple(self.check(made)):
                raise ValueError(f"history of seed {draws.seed!r}: {listed(problems)}")
            yield made
