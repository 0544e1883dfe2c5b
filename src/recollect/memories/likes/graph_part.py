"""The graph over a memory's messages: grown, walked, saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recollect.domain.messages import Message
from recollect.memories.likes.asking import Asker
from recollect.memories.likes.concepts import Finder, ModelFinder, RuleFinder
from recollect.memories.likes.notes_file import read_notes, write_notes
from recollect.memories.likes.passage_graph import Edge, PassageGraph, Ties, walk

if TYPE_CHECKING:
    from recollect.memories.likes.graph import GraphLikeConfig

CONCEPTS, EDGES = "concepts.jsonl", "ties.jsonl"
Floats = NDArray[np.float32]


class GraphPart:
    """The first `covers` messages of a log as a graph."""

    def __init__(self, ties: Ties, finder: Finder) -> None:
        self._ties, self._finder = ties, finder
        self._graph = PassageGraph(ties)

    @classmethod
    def open(cls, config: GraphLikeConfig, asker: Asker | None) -> GraphPart:
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
