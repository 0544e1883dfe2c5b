"""What the driver needs of a family: its sizes, and how the rows of one history are made."""

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
    length: int
    """Of a history: statements, examples, documents, events, dialogues, or paragraphs of filling."""
    questions: int
    """Per history; of each kind, where there are kinds."""


C = TypeVar("C")
S = TypeVar("S", bound=Size)


class Order(NamedTuple):
    """What is to be generated."""

    size: str
    seed: int
    held_out: bool = False
    """Use the wordings and domains that the other sizes never use."""

    def rng(self, what: str, number: int) -> Random:
        """The only source of randomness of one history of one family; no other shares it."""
        return Random(f"{what} {self.size}{HELD_OUT if self.held_out else ''} {self.seed} {number}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec(Generic[C, S]):
    """How the rows of a family are made."""

    name: str
    """Prefix of the seed of every history."""
    sizes: Mapping[str, S]
    begin: Callable[[Order], C]
    """The words, and whatever else all histories of an order share."""
    rows: Callable[[C, S, int, Random], Iterable[Keyed]]
    """(what is shared, size, number, rng) -> the rows of one history, one of each task."""
    shared: Callable[[Order], Mapping[str, Shared]] = lambda _: {}
    """Task -> what all its keys share."""

    def make(self, order: Order) -> Iterator[Keyed]:
        """All rows, history by history.

        Raises:
            ValueError: The catalogue is too small.
        """
        common, made = self.begin(order), self.sizes[order.size]
        for number in range(made.histories):
            yield from self.rows(common, made, number, order.rng(self.name, number))


def in_half(words: Callable[..., C]) -> Callable[[Order], C]:
    """The words of a catalogue in the ordered half."""
    return lambda order: words(held_out=order.held_out)


def read_catalogue(name: str) -> Any:
    """The data of a file of the catalogue."""
    return parsed(catalogue("memoryagentbench") / name)


def half_of(name: str, *, held_out: bool) -> Any:
    """The usual half of a file of the catalogue, or the one that only held-out sizes use."""
    return read_catalogue(name)["held_out" if held_out else "usual"]
