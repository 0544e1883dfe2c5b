"""What the driver needs of a family: how much there is at each size, and how the rows of one history are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from recollect.benchmarks.memoryagentbench.families.family import Shared
from recollect.domain.histories import Keyed
from recollect.worlds.catalogues import catalogue, parsed
from recollect.worlds.sizes import HELD_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    """Of each task."""
    length: int
    """Of a history: statements, examples, documents, events, dialogues, or paragraphs in which nothing is told."""
    questions: int
    """About a history; of each kind, where there are kinds."""


C = TypeVar("C")
S = TypeVar("S", bound=Size)


class Order(NamedTuple):
    """What is to be generated."""

    size: str
    seed: int
    held_out: bool = False
    """In wordings and domains that the other sizes never use."""

    def rng(self, what: str, number: int) -> Random:
        """The only randomness of one history of one family; no other has the same."""
        return Random(f"{what} {self.size}{HELD_OUT if self.held_out else ''} {self.seed} {number}")


def nothing_shared(_: Order) -> Mapping[str, Shared]:
    """For families whose keys share nothing."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec(Generic[C, S]):
    """How the rows of a family are made."""

    name: str
    """Begins the seed of every history."""
    sizes: Mapping[str, S]
    begin: Callable[[Order], C]
    """The words, and whatever else all histories of an order have in common."""
    rows: Callable[[C, S, int, Random], Iterable[Keyed]]
    """(what is common, how much, number, randomness) -> the rows of one history, one of each task."""
    shared: Callable[[Order], Mapping[str, Shared]] = nothing_shared
    """Task -> what all its keys use."""

    def make(self, order: Order) -> Iterator[Keyed]:
        """All rows, history by history.

        Raises:
            ValueError: The catalogue does not give so much.
        """
        common, made = self.begin(order), self.sizes[order.size]
        for number in range(made.histories):
            yield from self.rows(common, made, number, order.rng(self.name, number))


def in_half(words: Callable[..., C]) -> Callable[[Order], C]:
    """The words of a catalogue in the half that is ordered."""
    return lambda order: words(held_out=order.held_out)


def read_catalogue(name: str) -> Any:
    """What a file of the catalogue says."""
    return parsed(catalogue("memoryagentbench") / name)


def half_of(name: str, *, held_out: bool) -> Any:
    """The usual half of a file of the catalogue, or that which no other size uses."""
    return read_catalogue(name)["held_out" if held_out else "usual"]
