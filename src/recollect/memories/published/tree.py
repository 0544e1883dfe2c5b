"""A tree of summaries over messages: groups of like ones are summarised, and groups of summaries again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.memory import Room
from recollect.contracts.models import Embedder
from recollect.domain.errors import DataError
from recollect.domain.messages import Message
from recollect.index.dense import DIGITS, DenseIndex
from recollect.memories.published.chat import ModelCaller
from recollect.memories.published.summaries import ModelSummariser, Note, RuleSummariser, Summariser, note_of
from recollect.records.digests import digest
from recollect.text.tokens import count

if TYPE_CHECKING:
    from recollect.memories.published.raptor import RaptorLikeConfig

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]


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
    """Digest of what was summarised: equal groups need no second summary."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All summaries, lower levels first, with their vectors."""

    nodes: tuple[Node, ...]
    vectors: Floats
    """Shape (nodes, dimensions)."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A node or message while it waits to be grouped."""

    note: Note
    vector: Floats
    leaves: tuple[int, ...]
    tokens: int


@dataclass
class Grower:
    """Makes a tree, taking from an older one what is the same."""

    shape: Shape
    summariser: Summariser
    embed: Embed
    old: Mapping[str, tuple[str, Floats]]
    """Digest of a group to its summary and that one's vector."""

    def grow(self, notes: Sequence[Note], vectors: Floats) -> Tree:
        """The tree over messages, given as notes and vectors by their places."""
        rows = zip(notes, vectors, strict=True)
        members = [_Member(note, vector, (place,), _tokens(note)) for place, (note, vector) in enumerate(rows) if note]
        nodes, found = list[Node](), [np.empty((0, vectors.shape[1]), np.float32)]
        for level in range(1, self.shape.levels + 1):
            if len(members) < 2:
                break
            parts = self._parts(members)
            several = [part for part in parts if len(part) > 1]
            if not several:
                break
            made, rows_of = self._summaries(several, level)
            nodes += made
            found.append(rows_of)
            members = _next(parts, made, rows_of)
        return Tree(tuple(nodes), np.concatenate(found))

    def _parts(self, members: Sequence[_Member]) -> list[list[_Member]]:
        """The groups of a level, in the order of their first members."""
        wanted = ceil(sum(member.tokens for member in members) / self.shape.read_tokens)
        groups = max(min(self.shape.groups, len(members) // 2), min(wanted, len(members) // 2), 1)
        parts = [part for whole in self._grouped(members, groups) for part in self._divided(whole)]
        return sorted(parts, key=lambda part: part[0].leaves)

    def _divided(self, members: list[_Member]) -> list[list[_Member]]:
        """A group in halves until each can be read at once; two members stay together, however long."""
        if len(members) <= 2 or sum(member.tokens for member in members) <= self.shape.read_tokens:
            return [members]
        halves = self._grouped(members, 2)
        if len(halves) < 2:  # all alike: by their order
            middle = len(members) // 2
            halves = [members[:middle], members[middle:]]
        return [part for half in halves for part in self._divided(half)]

    def _grouped(self, members: Sequence[_Member], groups: int) -> list[list[_Member]]:
        labels = group(np.stack([member.vector for member in members]), groups, self.shape.seed)
        parts: list[list[_Member]] = [[] for _ in range(int(labels.max()) + 1)]
        for member, label in zip(members, labels.tolist(), strict=True):
            parts[label].append(member)
        return parts

    def _summaries(self, parts: Sequence[Sequence[_Member]], level: int) -> tuple[list[Node], Floats]:
        """A node and a vector for each group; only groups that were not there before are summarised and embedded."""
        marks = [digest([member.note for member in part]) for part in parts]
        new = {mark: [m.note for m in part] for mark, part in zip(marks, parts, strict=True) if mark not in self.old}
        texts = dict(zip(new, self.summariser.summarise(list(new.values())), strict=True))
        made = dict(zip(new, self.embed(list(texts.values())), strict=True)) if new else {}
        both = {mark: self.old[mark] if mark in self.old else (texts[mark], made[mark]) for mark in marks}
        nodes = [
            Node(text=both[mark][0], level=level, leaves=_leaves(part), made_of=mark)
            for mark, part in zip(marks, parts, strict=True)
        ]
        return nodes, np.stack([both[mark][1] for mark in marks])


def _next(parts: Sequence[Sequence[_Member]], made: Sequence[Node], vectors: Floats) -> list[_Member]:
    """What the next level groups: the new summaries, and members that were alone and so needed none."""
    summaries = iter(zip(made, vectors, strict=True))
    members = []
    for part in parts:
        if len(part) == 1:
            members.append(part[0])
            continue
        node, vector = next(summaries)
        note = tuple(node.text.splitlines())
        members.append(_Member(note, vector, node.leaves, _tokens(note)))
    return members


def _leaves(part: Sequence[_Member]) -> tuple[int, ...]:
    return tuple(sorted(place for member in part for place in member.leaves))


def _tokens(note: Note) -> int:
    return sum(count(line) for line in note)


ROUNDS = 25
"""Steps at most; groups that change no more end them earlier."""

Doubles = NDArray[np.float64]
Labels = NDArray[np.intp]


def group(vectors: NDArray[np.float32], groups: int, seed: int) -> Labels:
    """The group of each vector, shape (rows,), as numbers from 0 in the order of each group's first member.

    There may be fewer groups than asked for, where vectors are equal.

    Args:
        vectors: Unit vectors, shape (rows, dimensions).
        groups: How many at most, from 1 on.
        seed: The only source of chance.

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
    return _renumbered(labels)


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
    held, first = np.unique(labels[order], return_index=True)
    sums = np.add.reduceat(wide[order], first, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    centres = before.copy()
    centres[held] = sums / np.where(lengths > 0, lengths, 1)
    return centres


def _renumbered(labels: Labels) -> Labels:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.intp)
    order[np.argsort(first, kind="stable")] = np.arange(len(first))
    return order[inverse.reshape(-1)]


FILE, FOLDER = "tree.json", "tree"


class LogTree:
    """The summaries over the first `covers` messages of a log."""

    def __init__(self, embedder: Embedder, shape: Shape, summariser: Summariser) -> None:
        self._embedder, self._shape, self._summariser = embedder, shape, summariser
        self.clear()

    @classmethod
    def open(cls, config: RaptorLikeConfig, room: Room) -> LogTree:
        """An empty one with the room's models.

        Raises:
            NotAvailableError: The config wants a chat model and the room has none.
        """
        if room.embedder is None:
            raise ValueError("a tree needs an embedder")
        shape = Shape(groups=config.groups, levels=config.levels, read_tokens=config.read_tokens, seed=room.seed)
        summariser: Summariser = RuleSummariser(config.summary_tokens)
        if config.by == "model":
            summariser = ModelSummariser(ModelCaller.of(room, "raptor-like", config.at_once), config.summary_tokens)
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
