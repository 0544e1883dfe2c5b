"""Entities, the facts that tie them, and the passages that name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.models import Embedder
from recollect.domain.errors import DataError
from recollect.index.dense import DenseIndex
from recollect.memories.published.neighbours import near_pairs
from recollect.memories.published.notes import FIX, read_notes, write_notes
from recollect.memories.published.phrases import key_of
from recollect.memories.published.triples import Fact, Noted

NOTES, VECTORS, SYNONYMS = "facts.jsonl", "entities", "synonyms.npy"
_AT_ONCE = 512
Doubles = NDArray[np.float64]


class _Arrays(NamedTuple):
    """The graph as arrays: facts and synonyms as edges, and how often each passage names each entity."""

    network: Network
    passages: Places
    entities: Places
    times: Doubles


class FactGraph:
    """Grows at the end; entities are numbered in the order in which they were first named."""

    def __init__(self, embedder: Embedder, *, least_synonym: float, most_synonyms: int) -> None:
        self._embedder = embedder
        self._least_synonym, self._most_synonyms = least_synonym, most_synonyms
        self.clear()

    @property
    def covers(self) -> int:
        return len(self.notes)

    def clear(self) -> None:
        self.notes: list[Noted] = []
        self._entities: dict[str, int] = {}
        self._spelling: list[str] = []
        self._edges: list[tuple[int, int]] = []
        self._named: list[tuple[int, int]] = []
        self._index = DenseIndex(self._embedder.dimensions)
        self._synonyms = np.empty((0, 3))
        self._cached: _Arrays | None = None

    def grow(self, notes: Sequence[Noted]) -> None:
        """Add the notes of the next passages; only new entities are embedded."""
        self._take(notes)
        known = self._index.count
        for first in range(known, len(self._spelling), _AT_ONCE):
            part = range(first, min(first + _AT_ONCE, len(self._spelling)))
            self._index.add(part, self._embedder.embed([self._spelling[place] for place in part]))
        rows = self._index.vectors(range(self._index.count))
        pairs = near_pairs(rows, start=known, least=self._least_synonym, most=self._most_synonyms)
        self._synonyms = np.concatenate([self._synonyms, np.stack(pairs, axis=1)])

    def keep(self, notes: Sequence[Noted]) -> None:
        self.clear()
        if notes:
            self.grow(notes)

    def seeds(self, named: Sequence[str]) -> Doubles:
        """Weights of the entities that stand for *named*, shape (entities,).

        Each name stands for the entity most like it; one that few passages name weighs more.
        """
        weights = np.zeros(len(self._spelling))
        if len(weights) and named:
            passages = np.maximum(np.bincount(self._arrays().entities, minlength=len(weights)), 1)
            for vector in self._embedder.embed(named):
                ((entity, _),) = self._index.search(vector, 1)
                weights[entity] = 1 / passages[entity]
        return weights

    def rank(self, seeds: Doubles, damping: float, limit: int) -> list[tuple[int, float]]:
        """Passages by the mass of the entities that they name, at most *limit*; those without mass are none."""
        arrays = self._arrays()
        mass = pagerank(arrays.network, seeds, damping=damping)[arrays.entities]
        sums = np.bincount(arrays.passages, weights=mass * arrays.times, minlength=self.covers).round(DIGITS)
        order = np.lexsort((np.arange(len(sums)), -sums))[:limit]
        return [(int(place), float(sums[place])) for place in order if sums[place] > 0]

    def save(self, folder: Path) -> None:
        write_notes(folder / NOTES, self.notes)
        self._index.save(folder / VECTORS)
        np.save(folder / SYNONYMS, self._synonyms, allow_pickle=False)

    def load(self, folder: Path, covers: int) -> None:
        self.clear()
        rows = read_notes(folder / NOTES, covers)
        self._take([Noted(tuple(entities), tuple(Fact(*fact) for fact in facts)) for entities, facts in rows])
        self._index = DenseIndex.load(folder / VECTORS)
        self._synonyms = np.load(folder / SYNONYMS, allow_pickle=False)
        if self._index.count != len(self._spelling):
            problem = f"{len(self._spelling)} entities but {self._index.count} vectors"
            raise DataError(problem, folder / VECTORS, fix=FIX)

    def _take(self, notes: Sequence[Noted]) -> None:
        self._cached = None
        for place, noted in enumerate(notes, start=len(self.notes)):
            self._named += [(place, entity) for entity in self._numbers(noted.entities)]
            for fact in noted.facts:
                ends = self._numbers((fact.subject, fact.object))
                if len(ends) == 2:
                    self._edges.append((ends[0], ends[1]))
        self.notes.extend(notes)

    def _numbers(self, names: Sequence[str]) -> list[int]:
        """Numbers of entities, new ones where needed; names without a word are left out."""
        numbers = []
        for name in names:
            key = key_of(name)
            if key and key not in self._entities:
                self._entities[key] = len(self._spelling)
                self._spelling.append(" ".join(name.split()))
            if key:
                numbers.append(self._entities[key])
        return numbers

    def _arrays(self) -> _Arrays:
        if self._cached is None:
            facts = np.array(self._edges, np.intp).reshape(-1, 2)
            ends = np.concatenate([facts, self._synonyms[:, :2].astype(np.intp)])
            weights = np.concatenate([np.ones(len(facts)), self._synonyms[:, 2]])
            named = np.array(self._named, np.intp).reshape(-1, 2)
            which, times = np.unique(named, axis=0, return_counts=True)
            network = Network.of(len(self._spelling), ends, weights)
            self._cached = _Arrays(network, which[:, 0], which[:, 1], times.astype(np.float64))
        return self._cached


DIGITS = 9
"""Of a mass, before ranking."""
_CLOSE = 1e-12
_STEPS = 200

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Network:
    """A graph of *nodes* nodes, each edge in both directions."""

    nodes: int
    sources: Places
    targets: Places
    shares: Doubles
    """Of the source's weight: those of one source add up to 1."""

    @classmethod
    def of(cls, nodes: int, ends: Places, weights: Doubles) -> Network:
        """From undirected edges; several between the same nodes add up, and a loop is left out.

        Args:
            nodes: How many there are.
            ends: Shape (edges, 2).
            weights: Above 0, shape (edges,).
        """
        apart = ends[:, 0] != ends[:, 1]
        ends, weights = np.sort(ends[apart], axis=1), weights[apart]
        pairs, which = np.unique(ends[:, 0] * nodes + ends[:, 1], return_inverse=True)
        summed = np.bincount(which.reshape(-1), weights=weights, minlength=len(pairs))
        low, high = pairs // max(nodes, 1), pairs % max(nodes, 1)
        sources, targets = np.concatenate([low, high]), np.concatenate([high, low])
        both = np.concatenate([summed, summed])
        leaving = np.bincount(sources, weights=both, minlength=nodes)
        return cls(nodes, sources, targets, both / leaving[sources])


def pagerank(network: Network, seeds: Doubles, *, damping: float) -> Doubles:
    """The stationary distribution of a random walk with restarts, shape (nodes,).

    A step follows an edge with probability *damping*, else it jumps to a seed; at a node without edges it always
    jumps. By power iteration, until a step moves less than 1e-12 in sum.

    Args:
        network: The graph.
        seeds: Weights of the nodes that it jumps to, shape (nodes,), none below 0, some above.
        damping: In [0, 1).

    Raises:
        ValueError: No seed is above 0, or *damping* is out of range.

    Source:
        Page et al. 1999; personalised as in Haveliwala 2002.
    """
    if not 0 <= damping < 1:
        raise ValueError(f"damping lies in [0, 1), got {damping}")
    if not seeds.sum() > 0:
        raise ValueError("there is no seed to jump to")
    start = seeds / seeds.sum()
    mass = start
    for _ in range(_STEPS):
        flow = np.bincount(network.targets, weights=mass[network.sources] * network.shares, minlength=network.nodes)
        after = damping * flow
        after += (1 - after.sum()) * start
        moved, mass = np.abs(after - mass).sum(), after
        if moved < _CLOSE:
            break
    rounded: Doubles = mass.round(DIGITS)
    return rounded
