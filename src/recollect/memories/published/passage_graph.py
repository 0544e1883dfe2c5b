"""Passages tied to like passages, and a walk that takes the nearest of what it can reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.domain.messages import Message
from recollect.memories.published.chat import ModelCaller, object_schema, texts
from recollect.memories.published.neighbours import near_pairs
from recollect.memories.published.notes import read_notes, write_notes
from recollect.memories.published.phrases import keys_of, unique_keys

if TYPE_CHECKING:
    from recollect.memories.published.graph import GraphLikeConfig

LEAST = 0.01
"""A seed that is less like the cue than this counts as this like, so that its distance stays finite."""


class Edge(NamedTuple):
    """A tie to another passage."""

    place: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """Which passages are tied, and how strongly."""

    least_cosine: float = 0.8
    cosine_share: float = 0.7
    """Share of the cosine in a weight; the rest is that of the concepts that both have."""
    most: int = 20
    """Earlier passages that one is tied to."""


@dataclass
class PassageGraph:
    """Passages by their places; grows at the end."""

    ties: Ties
    concepts: list[frozenset[str]] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    """Of each passage, in both directions."""

    def grow(self, concepts: Sequence[frozenset[str]], vectors: NDArray[np.float32]) -> None:
        """Take in the passages that come after those that are here.

        Args:
            concepts: Of the new ones.
            vectors: Of all passages, old and new, shape (passages, dimensions).
        """
        start = len(self.concepts)
        self.concepts.extend(concepts)
        self.edges.extend([] for _ in concepts)
        pairs = near_pairs(vectors, start=start, least=self.ties.least_cosine, most=self.ties.most)
        for later, earlier, cosine in zip(*(part.tolist() for part in pairs), strict=True):
            weight = self.weight(cosine, self.concepts[later], self.concepts[earlier])
            self.edges[later].append(Edge(earlier, weight))
            self.edges[earlier].append(Edge(later, weight))

    def weight(self, cosine: float, one: frozenset[str], other: frozenset[str]) -> float:
        """How strong a tie is, in (0, 1]: likeness, and shared concepts as a share of the shorter list."""
        shorter = min(len(one), len(other))
        shared = len(one & other) / shorter if shorter else 0.0
        return self.ties.cosine_share * cosine + (1 - self.ties.cosine_share) * shared


def walk(
    graph: PassageGraph, ranked: Sequence[tuple[int, float]], limit: int, *, seeds: int, enough: Callable[[int], bool]
) -> list[int]:
    """Places in the order in which a best-first walk reaches them, at most *limit*.

    A passage is as far away as one over its likeness to the cue, if it is a seed, and one over the weight further than
    the one it was reached from. Where nothing more can be reached the next of *ranked* is a seed, so that the walk
    ends for want of passages only.

    Args:
        graph: What is walked on.
        ranked: Passages and their likeness to the cue, the likest first; at least *limit* of them if there are.
        limit: Passages wanted.
        seeds: How many of *ranked* the walk starts from.
        enough: Asked after each passage; the walk ends where it says so.
    """
    found: dict[int, None] = {}
    for place in _reached(graph, ranked, seeds):
        if len(found) >= limit:
            break
        found[place] = None
        if len(found) < limit and enough(place):
            break
    return list(found)


def _reached(graph: PassageGraph, ranked: Sequence[tuple[int, float]], seeds: int) -> Iterator[int]:
    near = [(1 / max(likeness, LEAST), place) for place, likeness in ranked]
    frontier, waiting, seen = sorted(near[:seeds]), iter(near[seeds:]), set[int]()
    while frontier:
        distance, place = heappop(frontier)
        if place not in seen:
            seen.add(place)
            yield place
            for edge in graph.edges[place]:
                if edge.place not in seen:
                    heappush(frontier, (distance + 1 / edge.weight, edge.place))
        if not frontier:
            frontier = _next(waiting, seen)


def _next(waiting: Iterator[tuple[float, int]], seen: set[int]) -> list[tuple[float, int]]:
    """The first of *waiting* that was not reached yet, if there is one."""
    return next(([one] for one in waiting if one[1] not in seen), [])


CONCEPTS, EDGES = "concepts.jsonl", "ties.jsonl"
Floats = NDArray[np.float32]


class LogGraph:
    """The first `covers` messages of a log as a graph."""

    def __init__(self, ties: Ties, finder: Finder) -> None:
        self._ties, self._finder = ties, finder
        self._graph = PassageGraph(ties)

    @classmethod
    def open(cls, config: GraphLikeConfig, asker: ModelCaller | None) -> LogGraph:
        """An empty one."""
        ties = Ties(least_cosine=config.least_cosine, cosine_share=config.cosine_share, most=config.neighbours)
        by_model = asker is not None and config.by == "model"
        return cls(ties, ModelFinder(asker) if asker is not None and by_model else RuleFinder())

    @property
    def covers(self) -> int:
        """Messages that are in the graph."""
        return len(self._graph.concepts)

    def grow(self, messages: Sequence[Message], vectors: Floats) -> None:
        """Take in the messages behind those that are covered; vectors are those of all."""
        found = self._finder.concepts([message.text for message in messages[self.covers :]])
        self._graph.grow([frozenset(keys) for keys in found], vectors)

    def kept(self, places: Sequence[int]) -> list[int]:
        """Those of *places* that are covered."""
        return [place for place in places if place < self.covers]

    def keep(self, places: Sequence[int], vectors: Floats) -> None:
        """Be the graph over the messages at *places* alone, whose vectors are given for those that are covered."""
        concepts = [self._graph.concepts[place] for place in self.kept(places)]
        self._graph = PassageGraph(self._ties)
        self._graph.grow(concepts, vectors)

    def walk(
        self, ranked: Sequence[tuple[int, float]], limit: int, seeds: int, enough: Callable[[int], bool]
    ) -> list[int]:
        """See `passage_graph.walk`."""
        return walk(self._graph, ranked, limit, seeds=seeds, enough=enough)

    def save(self, folder: Path) -> None:
        """Note concepts and ties in *folder*."""
        write_notes(folder / CONCEPTS, (sorted(keys) for keys in self._graph.concepts))
        write_notes(folder / EDGES, self._graph.edges)

    def load(self, folder: Path, covers: int) -> None:
        """Become what was saved in *folder* of so many messages."""
        concepts = [frozenset(keys) for keys in read_notes(folder / CONCEPTS, covers)]
        edges = [[Edge(*edge) for edge in row] for row in read_notes(folder / EDGES, covers)]
        self._graph = PassageGraph(self._ties, concepts, edges)


MOST = 20
"""Concepts that a model may name of one passage."""
_SCHEMA = object_schema(concepts={"type": "array", "items": {"type": "string"}})


class Finder(Protocol):
    """Names the concepts of passages."""

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """Their keys, for each passage."""
        ...


class RuleFinder:
    """Names and phrases, as rules see them."""

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """All phrases of each."""
        return [tuple(keys_of(passage)) for passage in passages]


@dataclass(frozen=True, slots=True)
class ModelFinder:
    """One call a passage; a blank one needs none, equal ones one together."""

    asker: ModelCaller

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """What the model lists of each."""
        said = list(dict.fromkeys(passage for passage in passages if passage.strip()))
        found = dict(zip(said, self.asker.together([partial(self._of, one) for one in said]), strict=True))
        return [found.get(passage, ()) for passage in passages]

    def _of(self, passage: str) -> tuple[str, ...]:
        values = {"passage": passage, "most": str(MOST)}
        return unique_keys(self.asker.value("concepts", values, _SCHEMA, texts("concepts", MOST)))
