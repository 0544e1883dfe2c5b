"""The tree of a memory: grown, searched, saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.memory import Room
from recollect.contracts.models import Embedder
from recollect.domain.errors import DataError
from recollect.domain.messages import Message
from recollect.index.dense import DenseIndex
from recollect.memories.likes.asking import Asker
from recollect.memories.likes.summary import ModelSummariser, RuleSummariser, Summariser, note_of
from recollect.memories.likes.tree import Grower, Node, Shape, Tree

if TYPE_CHECKING:
    from recollect.memories.likes.raptor import RaptorLikeConfig

FILE, FOLDER = "tree.json", "tree"
Floats = NDArray[np.float32]


class TreePart:
    """The summaries over the first `covers` messages of a log."""

    def __init__(self, embedder: Embedder, shape: Shape, summariser: Summariser) -> None:
        self._embedder, self._shape, self._summariser = embedder, shape, summariser
        self.clear()

    @classmethod
    def open(cls, config: RaptorLikeConfig, room: Room) -> TreePart:
        """An empty one with the room's models.

        Raises:
            NotAvailableError: The config wants a chat model and the room has none.
        """
        if room.embedder is None:
            raise ValueError("a tree needs an embedder")
        shape = Shape(groups=config.groups, levels=config.levels, read_tokens=config.read_tokens, seed=room.seed)
        summariser: Summariser = RuleSummariser(config.summary_tokens)
        if config.by == "model":
            summariser = ModelSummariser(Asker.of(room, "raptor-like", config.at_once), config.summary_tokens)
        return cls(room.embedder, shape, summariser)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All summaries, lower levels first."""
        return self._tree.nodes

    def clear(self) -> None:
        """Hold nothing."""
        self.covers = 0
        self._become(Tree((), np.empty((0, self._embedder.dimensions), np.float32)))

    def grow(self, messages: Sequence[Message], centres: Floats) -> None:
        """Become the tree over *messages*; what is the same as before is neither summarised nor embedded again."""
        old = {node.made_of: (node.text, row) for node, row in zip(self.nodes, self._tree.vectors, strict=True)}
        grower = Grower(self._shape, self._summariser, self._embed, old)
        self._become(grower.grow([note_of(message) for message in messages], centres))
        self.covers = len(messages)

    def near(self, vector: Floats, limit: int) -> list[tuple[int, float]]:
        """Numbers and cosines of the nearest summaries, at most *limit*."""
        return self._index.search(vector, limit) if self._index.count else []

    def save(self, folder: Path) -> None:
        """Write nodes and vectors into *folder*."""
        lines = json.dumps([asdict(node) for node in self.nodes])
        (folder / FILE).write_text(lines, encoding="ascii", newline="\n")
        self._index.save(folder / FOLDER)

    def load(self, folder: Path, covers: int) -> None:
        """Become what was saved in *folder* over so many messages.

        Raises:
            DataError: A file is missing or damaged.
        """
        fix = "Delete the snapshot's folder; it is made again when the run is resumed."
        try:
            rows = json.loads((folder / FILE).read_text(encoding="ascii"))
            nodes = tuple(Node(**{**row, "leaves": tuple(row["leaves"])}) for row in rows)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise DataError(f"not a tree: {error}", folder / FILE, fix=fix) from None
        index = DenseIndex.load(folder / FOLDER)
        if index.count != len(nodes):
            raise DataError(f"{len(nodes)} summaries but {index.count} vectors", folder / FILE, fix=fix)
        self._become(Tree(nodes, index.vectors(range(index.count))))
        self.covers = covers

    def _become(self, tree: Tree) -> None:
        self._tree = tree
        self._index = DenseIndex(self._embedder.dimensions)
        self._index.add(range(len(tree.nodes)), tree.vectors)

    def _embed(self, texts: Sequence[str]) -> Floats:
        return self._embedder.embed(texts)
