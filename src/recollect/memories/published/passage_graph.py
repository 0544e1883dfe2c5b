"""Passages tied to similar passages, and a walk that takes the nearest of what it can reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.memories.published.chat import ModelCaller, object_schema, texts
from recollect.memories.published.neighbours import near_pairs
from recollect.memories.published.notes import read_notes, write_notes
from recollect.memories.published.phrases import keys_of, unique_keys

LEAST = 0.01
"""Lowest likeness of a seed to the cue, so that its distance stays finite."""
CONCEPTS, EDGES = "concepts.jsonl", "ties.jsonl"


class Edge(NamedTuple):
    """A tie to another passage."""

    place: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """Which passages are tied, and how strongly."""

    least_cosine: float = 0.8
    cosine_share: float = 0.7
    """Share of the cosine in a weight; the rest is that of the shared concepts."""
    most: int = 20
    """Earlier passages that one is tied to."""


@dataclass
class PassageGraph:
    """The first `covers` messages of a log by their places; grows at the end."""

    ties: Ties
    concepts: list[frozenset[str]] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    """Of each passage, in both directions."""

    @property
    def covers(self) -> int:
        return len(self.concepts)

    def grow(self, concepts: Sequence[frozenset[str]], vectors: NDArray[np.float32]) -> None:
        """Add passages at the end.

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

    def weight(self, cosine: float, left: frozenset[str], right: frozenset[str]) -> float:
        """How strong a tie is, in (0, 1]: likeness, and shared concepts as a share of the shorter list."""
        shorter = min(len(left), len(right))
        shared = len(left & right) / shorter if shorter else 0.0
        return self.ties.cosine_share * cosine + (1 - self.ties.cosine_share) * shared

    def keep(self, places: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Become the graph over the passages at *places* alone, whose vectors are given."""
        concepts = [self.concepts[place] for place in places]
        self.concepts, self.edges = [], []
        self.grow(concepts, vectors)

    def walk(
        self, ranked: Sequence[tuple[int, float]], limit: int, *, seeds: int, enough: Callable[[int], bool]
    ) -> list[int]:
        """Places in the order in which a best-first walk reaches them, at most *limit*.

        The distance of a seed is one over its likeness to the cue; that of any other passage is one over the weight
        more than that of the passage it was reached from. Where nothing more can be reached the next of *ranked* is a
        seed, so that the walk ends only when there are no more passages.

        Args:
            ranked: Passages and their likeness to the cue, the most similar first; at least *limit* of them if there
                are.
            limit: Passages wanted.
            seeds: How many of *ranked* the walk starts from.
            enough: Called after each passage but the last; `True` ends the walk.
        """
        near = [(1 / max(likeness, LEAST), place) for place, likeness in ranked]
        frontier, waiting = sorted(near[:seeds]), iter(near[seeds:])
        reached: dict[int, None] = {}
        while frontier and len(reached) < limit:
            distance, place = heappop(frontier)
            if place not in reached:
                reached[place] = None
                if len(reached) < limit and enough(place):
                    break
                for edge in self.edges[place]:
                    if edge.place not in reached:
                        heappush(frontier, (distance + 1 / edge.weight, edge.place))
            if not frontier:
                # the first of *waiting* that was not reached yet, if there is one
                frontier = next(([seed] for seed in waiting if seed[1] not in reached), [])
        return list(reached)

    def save(self, folder: Path) -> None:
        write_notes(folder / CONCEPTS, (sorted(keys) for keys in self.concepts))
        write_notes(folder / EDGES, self.edges)

    def load(self, folder: Path, covers: int) -> None:
        self.concepts = [frozenset(keys) for keys in read_notes(folder / CONCEPTS, covers)]
        self.edges = [[Edge(*edge) for edge in row] for row in read_notes(folder / EDGES, covers)]


MOST = 20
"""Concepts that a model may name of one passage."""
_SCHEMA = object_schema(concepts={"type": "array", "items": {"type": "string"}})


Finder = Callable[[Sequence[str]], list[frozenset[str]]]
"""The keys of the concepts of each passage."""


def concepts_by_rules(passages: Sequence[str]) -> list[frozenset[str]]:
    """All names and phrases."""
    return [frozenset(keys_of(passage)) for passage in passages]


def concepts_by_model(passages: Sequence[str], *, asker: ModelCaller) -> list[frozenset[str]]:
    """What a model lists; one call for each different passage that is not blank."""
    different = list(dict.fromkeys(passage for passage in passages if passage.strip()))
    check = texts("concepts", MOST)
    each = [{"passage": passage, "most": str(MOST)} for passage in different]
    listed = asker.together([partial(asker.value, "concepts", values, _SCHEMA, check) for values in each])
    found = {passage: unique_keys(names) for passage, names in zip(different, listed, strict=True)}
    return [frozenset(found.get(passage, ())) for passage in passages]
