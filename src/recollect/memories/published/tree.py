"""A tree of summaries over messages: groups of similar ones are summarised, and groups of summaries again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.models import Embedder
from recollect.domain.errors import DataError
from recollect.domain.messages import Message
from recollect.index.dense import DIGITS, DenseIndex
from recollect.memories.published.notes import FIX
from recollect.memories.published.summaries import Note, Summariser, note_of
from recollect.records.digests import digest
from recollect.text.tokens import count

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a tree grows."""

    groups: int
    """Groups of a level, or half as many as there are nodes, whichever is less; more where the text asks for it."""
    levels: int
    read_tokens: int
    """Text that one summary is made of, at most; a larger group is divided, but two members stay together."""
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One summary."""

    text: str
    level: int
    """From 1, above the messages."""
    leaves: tuple[int, ...]
    """Places of all messages below it, in order."""
    made_of: str
    """Digest of what was summarised; an equal group is not summarised again."""


class _Member(NamedTuple):
    """A node or message while it waits to be grouped."""

    note: Note
    vector: Floats
    leaves: tuple[int, ...]
    tokens: int


ROUNDS = 25
"""Steps at most."""

Doubles = NDArray[np.float64]
Labels = NDArray[np.intp]


def group(vectors: NDArray[np.float32], groups: int, seed: int) -> Labels:
    """The group of each vector, shape (rows,), as numbers from 0 in the order of each group's first member.

    There may be fewer groups than asked for, where vectors are equal.

    Args:
        vectors: Unit vectors, shape (rows, dimensions).
        groups: How many at most, from 1 on.
        seed: The only source of randomness.

    Source:
        k-means++ (Arthur and Vassilvitskii 2007) on cosines (Dhillon and Modha 2001).
    """
    wide = vectors.astype(np.float64)
    groups = min(groups, len(wide))
    if groups < 2:
        return np.zeros(len(wide), np.intp)
    centres = wide[_starts(wide, groups, np.random.default_rng(seed))]
    labels = _nearest(wide, centres)
    for _ in range(ROUNDS):
        centres = _centres(wide, labels, centres)
        moved = _nearest(wide, centres)
        if np.array_equal(moved, labels):
            break
        labels = moved
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.intp)
    order[np.argsort(first, kind="stable")] = np.arange(len(first))
    return order[inverse.reshape(-1)]


def _starts(wide: Doubles, groups: int, rng: np.random.Generator) -> list[int]:
    """Rows far from each other: each drawn by the square of its distance to those before."""
    chosen = [int(rng.integers(len(wide)))]
    far = _distance(wide, chosen[0])
    while len(chosen) < groups and far.sum() > 0:
        drawn = int(np.searchsorted(np.cumsum(far), rng.random() * far.sum(), side="right"))
        chosen.append(min(drawn, len(wide) - 1))
        far = np.minimum(far, _distance(wide, chosen[-1]))
    return chosen


def _distance(wide: Doubles, row: int) -> Doubles:
    """Of all rows to one, as 1 - cosine, which is half the square of the distance."""
    distance: Doubles = np.clip(1 - (wide @ wide[row]).round(DIGITS), 0, None)
    distance[row] = 0
    return distance


def _nearest(wide: Doubles, centres: Doubles) -> Labels:
    nearest: Labels = np.argmax((wide @ centres.T).round(DIGITS), axis=1)
    return nearest


def _centres(wide: Doubles, labels: Labels, before: Doubles) -> Doubles:
    """Mean directions; a group that lost all its members keeps its centre."""
    order = np.argsort(labels, kind="stable")
    groups, first = np.unique(labels[order], return_index=True)
    sums = np.add.reduceat(wide[order], first, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    centres = before.copy()
    centres[groups] = sums / np.where(lengths > 0, lengths, 1)
    return centres


FILE, FOLDER = "tree.json", "tree"


class LogTree:
    """The summaries over the first `covers` messages of a log."""

    def __init__(self, embedder: Embedder, shape: Shape, summariser: Summariser) -> None:
        self._embedder, self._shape, self._summariser = embedder, shape, summariser
        self.clear()

    def clear(self) -> None:
        self.covers = 0
        self._set((), np.empty((0, self._embedder.dimensions), np.float32))

    def grow(self, messages: Sequence[Message], centres: Floats) -> None:
        """Build the tree over *messages*; what is the same as before is neither summarised nor embedded again."""
        members = []
        for place, (message, vector) in enumerate(zip(messages, centres, strict=True)):
            note = note_of(message)
            if note:
                members.append(_Member(note, vector, (place,), _tokens(note)))
        nodes, found = list[Node](), [np.empty((0, centres.shape[1]), np.float32)]
        for level in range(1, self._shape.levels + 1):
            parts = self._parts(members) if len(members) > 1 else []
            several = [part for part in parts if len(part) > 1]
            if not several:
                break
            made, vectors = self._summaries(several, level)
            nodes += made
            found.append(vectors)
            summaries = iter(zip(made, vectors, strict=True))
            members = []
            for part in parts:
                if len(part) == 1:  # a member that was alone needs no summary
                    members.append(part[0])
                else:
                    node, vector = next(summaries)
                    note = tuple(node.text.splitlines())
                    members.append(_Member(note, vector, node.leaves, _tokens(note)))
        self._set(tuple(nodes), np.concatenate(found))
        self.covers = len(messages)

    def near(self, vector: Floats, limit: int) -> list[tuple[int, float]]:
        """Numbers and cosines of the nearest summaries, at most *limit*."""
        return self._index.search(vector, limit) if self._index.count else []

    def save(self, folder: Path) -> None:
        lines = json.dumps([asdict(node) for node in self.nodes])
        (folder / FILE).write_text(lines, encoding="ascii", newline="\n")
        self._index.save(folder / FOLDER)

    def load(self, folder: Path, covers: int) -> None:
        try:
            rows = json.loads((folder / FILE).read_text(encoding="ascii"))
            nodes = tuple(Node(**{**row, "leaves": tuple(row["leaves"])}) for row in rows)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise DataError(f"not a tree: {error}", folder / FILE, fix=FIX) from None
        index = DenseIndex.load(folder / FOLDER)
        if index.count != len(nodes):
            raise DataError(f"{len(nodes)} summaries but {index.count} vectors", folder / FILE, fix=FIX)
        self._set(nodes, index.vectors(range(index.count)))
        self.covers = covers

    def _set(self, nodes: tuple[Node, ...], vectors: Floats) -> None:
        self.nodes = nodes
        """All summaries, lower levels first."""
        self._vectors = vectors
        self._index = DenseIndex(self._embedder.dimensions)
        self._index.add(range(len(nodes)), vectors)

    def _parts(self, members: Sequence[_Member]) -> list[list[_Member]]:
        """The groups of a level, in the order of their first members."""
        wanted = ceil(sum(member.tokens for member in members) / self._shape.read_tokens)
        groups = max(min(self._shape.groups, len(members) // 2), min(wanted, len(members) // 2), 1)
        parts = [part for whole in self._grouped(members, groups) for part in self._divided(whole)]
        return sorted(parts, key=lambda part: part[0].leaves)

    def _divided(self, members: list[_Member]) -> list[list[_Member]]:
        """A group in halves until each can be read at once; two members stay together, however long."""
        if len(members) <= 2 or sum(member.tokens for member in members) <= self._shape.read_tokens:
            return [members]
        halves = self._grouped(members, 2)
        if len(halves) < 2:  # all alike: by their order
            middle = len(members) // 2
            halves = [members[:middle], members[middle:]]
        return [part for half in halves for part in self._divided(half)]

    def _grouped(self, members: Sequence[_Member], groups: int) -> list[list[_Member]]:
        labels = group(np.stack([member.vector for member in members]), groups, self._shape.seed)
        parts: list[list[_Member]] = [[] for _ in range(int(labels.max()) + 1)]
        for member, label in zip(members, labels.tolist(), strict=True):
            parts[label].append(member)
        return parts

    def _summaries(self, parts: Sequence[Sequence[_Member]], level: int) -> tuple[list[Node], Floats]:
        """A node and a vector for each group; only groups that are new are summarised and embedded."""
        known = {node.made_of: (node.text, vector) for node, vector in zip(self.nodes, self._vectors, strict=True)}
        marks = [digest([member.note for member in part]) for part in parts]
        new = {mark: [m.note for m in part] for mark, part in zip(marks, parts, strict=True) if mark not in known}
        if new:
            texts = self._summariser(list(new.values()))
            known |= dict(zip(new, zip(texts, self._embedder.embed(texts), strict=True), strict=True))
        nodes = []
        for mark, part in zip(marks, parts, strict=True):
            leaves = tuple(sorted(place for member in part for place in member.leaves))
            nodes.append(Node(text=known[mark][0], level=level, leaves=leaves, made_of=mark))
        return nodes, np.stack([known[mark][1] for mark in marks])


def _tokens(note: Note) -> int:
    return sum(count(line) for line in note)
