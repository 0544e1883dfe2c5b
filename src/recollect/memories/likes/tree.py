"""A tree of summaries over messages: groups of like ones are summarised, and groups of summaries again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from recollect.memories.likes.clustering import group
from recollect.memories.likes.summary import Note, Summariser
from recollect.records.digests import digest
from recollect.text.tokens import count

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
