"""Operator: follow numbered facts from entity to entity; at every hop the newest fact of a relation holds.

Rule: start at a subject of the pool that the question names. Each fact about an entity leads to its object, which
may be the subject of further facts, up to four hops. A path is scored by the question words that its relations
explain (equal, of one root, or near by embedding), less what its relations say that the question does not, less a
little for each hop; more if its last relation or the kind of thing it ends at meets the first content words of the
question. The kind of a thing is learned from the pool: the relation words of the facts that it is the object of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.facts import FactPool
from recollect.models.offline.reading.frames import Cut, Frame, Lows
from recollect.models.offline.reading.lru import Lru
from recollect.models.offline.reading.vectors import Vectors
from recollect.models.offline.reading.words import Word, alike, bare

_MOST_HOPS, _LONGEST_NAME, _MOST_PATHS = 4, 14, 20_000
_UNEXPLAINED, _PER_HOP, _FIRST, _SECOND, _KIND, _PLACE = 0.3, 0.1, 0.5, 0.3, 0.5, 0.4
_FAR, _SOFT, _NO_WORDS = 0.4, 0.9, 0.3
_SOMEWHERE = "in"


class Edge(NamedTuple):
    """The newest fact of one relation about one subject."""

    frame: Frame
    object: Lows
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class Chain:
    """A path through the facts and where it ends."""

    text: str
    score: float
    edges: tuple[Edge, ...]


class FactWeb:
    """The facts of a pool as relations between entities."""

    def __init__(self, pool: FactPool, vectors: Vectors | None = None) -> None:
        self._vectors, self._close = vectors, Lru[str, Mapping[str, float]](4096)
        self.edges: dict[Lows, dict[Frame, Edge]] = defaultdict(dict)
        kinds: dict[Lows, Counter[str]] = defaultdict(Counter)
        seen: Counter[Lows] = Counter()
        for place, (fact, cut) in enumerate(zip(pool.facts, pool.cuts, strict=True)):
            if cut is not None:
                edge = Edge(cut.frame, _lows(fact.words, cut.object), fact.tail(cut.object), place)
                self.edges[_lows(fact.words, cut.subject, cut.infix)][cut.frame] = edge
                seen[edge.object] += 1
                kinds[edge.object].update(set(_kind_words(cut)))
        self._kinds = {thing: {k: n / seen[thing] for k, n in found.items()} for thing, found in kinds.items()}
        frames = {edge.frame for found in self.edges.values() for edge in found.values()}
        self.relations = {frame: _relation_words(frame) for frame in frames}
        df = Counter(w for found in self.relations.values() for w in set(found))
        self.weights = {w: 1 / (1 + n) ** 0.5 for w, n in df.items()}

    def kind(self, thing: Lows) -> Mapping[str, float]:
        """Relation word -> share of the facts with this object that have it."""
        return self._kinds.get(thing, {})

    def close(self, low: str) -> Mapping[str, float]:
        """Relation words that a question word may mean, with how surely."""
        return self._close.get(low, lambda: self._compare(low))

    def _compare(self, low: str) -> Mapping[str, float]:
        known = sorted(self.weights)
        near = {word: sure for word in known if (sure := alike(low, word)) > 0}
        if self._vectors is not None and known:
            for word, cosine in zip(known, self._vectors.cosines(low, known), strict=True):
                sure = _SOFT * (cosine - _FAR) / (1 - _FAR)
                if sure > near.get(word, 0.0):
                    near[word] = round(sure, 6)
        return near


def _lows(found: Sequence[Word], start: int, end: int | None = None) -> Lows:
    return bare(tuple(w.low for w in found[start:end]))


def _relation_words(frame: Frame) -> tuple[str, ...]:
    return tuple(low for part in frame for low in part if low not in lexicon.FUNCTION)


def _kind_words(cut: Cut) -> tuple[str, ...]:
    placed = (_SOMEWHERE,) if any(low in lexicon.LOCATIVE for low in cut.frame[1]) else ()
    return (*_relation_words(cut.frame), *placed)


class _Asking:
    """What one question says apart from the entity that it starts from."""

    def __init__(self, web: FactWeb, rest: Sequence[str], where: bool) -> None:
        self._web, self._where = web, where
        self._means = [web.close(low) for low in rest if low not in lexicon.FUNCTION]
        self._support: dict[Frame, float] = {}

    def score(self, edges: Sequence[Edge]) -> float:
        """How well a path of facts answers."""
        explained = {word for edge in edges for word in self._web.relations[edge.frame]}
        covered = sum(self._best(means, explained, weighted=True) for means in self._means)
        unasked = sum(1 - self._asked(edge.frame) for edge in edges)
        return round(covered - _UNEXPLAINED * unasked - _PER_HOP * len(edges) + self._end(edges[-1]), 6)

    def _best(self, means: Mapping[str, float], words: set[str], *, weighted: bool) -> float:
        weights = self._web.weights
        return max(((weights[w] if weighted else 1.0) * sure for w, sure in means.items() if w in words), default=0.0)

    def _asked(self, frame: Frame) -> float:
        """Share of the relation's words that the question says."""
        if frame not in self._support:
            words, weights = self._web.relations[frame], self._web.weights
            said = sum(weights[w] * max((m.get(w, 0.0) for m in self._means), default=0.0) for w in words)
            self._support[frame] = said / sum(weights[w] for w in words) if words else _NO_WORDS
        return self._support[frame]

    def _end(self, edge: Edge) -> float:
        said, kind = set(self._web.relations[edge.frame]), self._web.kind(edge.object)
        heads = [self._best(means, said, weighted=False) for means in self._means[:2]]
        bonus = max((part * head for part, head in zip((_FIRST, _SECOND), heads, strict=False)), default=0.0)
        if self._means:
            bonus += _KIND * max((sure * kind.get(w, 0.0) for w, sure in self._means[0].items()), default=0.0)
        return bonus + (_PLACE * (2 * kind.get(_SOMEWHERE, 0.0) - 1) if self._where else 0.0)


def follow(web: FactWeb, question: Sequence[Word]) -> Chain | None:
    """The path that explains *question* best; `None` where it names no subject of the pool."""
    lows = [w.low for w in question]
    best: Chain | None = None
    for start, end in _named(web, lows):
        asking = _Asking(web, [*lows[:start], *lows[end:]], "where" in lows)
        for edges in _paths(web, bare(tuple(lows[start:end]))):
            score = asking.score(edges)
            if best is None or score > best.score:
                best = Chain(edges[-1].text, score, edges)
    return best


def _named(web: FactWeb, lows: Sequence[str]) -> list[tuple[int, int]]:
    """Places of subjects in the question, the longest first, none inside another."""
    found: list[tuple[int, int]] = []
    for size in range(min(_LONGEST_NAME, len(lows)), 0, -1):
        for start in range(len(lows) - size + 1):
            free = not any(a < start + size and start < b for a, b in found)
            if free and tuple(lows[start : start + size]) in web.edges:
                found.append((start, start + size))
    return found


def _paths(web: FactWeb, start: Lows) -> Iterator[tuple[Edge, ...]]:
    """All paths from an entity, shortest first, never twice through one; at most a fixed number."""
    waiting: list[tuple[tuple[Edge, ...], frozenset[Lows]]] = [((), frozenset({start}))]
    made = 0
    for edges, passed in waiting:
        node = edges[-1].object if edges else start
        for edge in web.edges.get(node, {}).values():
            if edge.object in passed or made >= _MOST_PATHS:
                continue
            made += 1
            longer = (*edges, edge)
            yield longer
            if len(longer) < _MOST_HOPS:
                waiting.append((longer, passed | {edge.object}))
