"""The facts of a pool as relations between entities.

Rule: each fact leads from its first argument to its second and back. Of several facts about an entity with the same
frame and side the newest is kept; where the pool words most facts differently and there is an embedder, also of
those whose frames lie near and lead to the same things. The kind of a thing is learned from the pool: the relation
words of the facts that it is the second argument of, the noun that it is said to be, and whether a preposition of
place stands before it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.facts.pool import FactPool
from recollect.offline.reading.facts.relations import Frame, Lows
from recollect.offline.reading.vectors import Lru, Vectors
from recollect.offline.reading.words import alike, bare

_FAR, _SOFT = 0.4, 0.9
_ALONE, _SHARED_ENDS, _SAME = 0.5, 0.2, 0.45
SOMEWHERE = "in"
"""The kind of what stands behind a preposition of place."""


class Edge(NamedTuple):
    """The newest fact of one frame about one entity."""

    frame: Frame
    forward: bool
    """The entity is the first argument."""
    end: Lows
    text: str
    place: int

    @property
    def relation(self) -> Relation:
        """What the fact says of the entity, whoever it is."""
        return (self.frame, self.forward)


Relation = tuple[Frame, bool]


class FactGraph:
    """Entities, the facts that join them, and what question words may mean among these facts."""

    def __init__(self, pool: FactPool, vectors: Vectors | None = None) -> None:
        self._vectors, self._close = vectors, Lru[str, Mapping[str, float]](4096)
        self.edges: dict[Lows, dict[Relation, Edge]] = defaultdict(dict)
        kinds: dict[Lows, Counter[str]] = defaultdict(Counter)
        wordings: Counter[object] = Counter()
        for place, (fact, cut) in enumerate(zip(pool.facts, pool.cuts, strict=True)):
            if cut is None:
                continue
            lows = tuple(word.low for word in fact.words)
            first, second = bare(lows[cut.subject : cut.infix]), bare(lows[cut.object : cut.end])
            there = Edge(cut.frame, True, second, fact.piece(cut.object, cut.end), place)
            back = Edge(cut.frame, False, first, fact.piece(cut.subject, cut.infix), place)
            self.edges[first][there.relation] = there
            self.edges[second][back.relation] = back
            placed = [SOMEWHERE] if any(low in lexicon.LOCATIVE for low in cut.frame[1]) else []
            kinds[second].update({"": 1, **dict.fromkeys([*relation_words(cut.frame), *placed], 1)})
            if classed := _classed(cut.frame[1]):
                kinds[first].update({"": 1, **dict.fromkeys(classed, 1)})
            wordings[cut.frame, lows[cut.subject : cut.infix]] += 1
        self._kinds = {thing: {k: n / found[""] for k, n in found.items() if k} for thing, found in kinds.items()}
        # where most facts stand alone in their wording, newer ones may say the same in other words
        self._reworded = sum(n == 1 for n in wordings.values()) > _ALONE * wordings.total()
        self._ends: dict[Relation, set[Lows]] = defaultdict(set)
        for edge in (edge for found in self.edges.values() for edge in found.values()):
            self._ends[edge.relation].add(edge.end)
        self._same: dict[tuple[Relation, Relation], bool] = {}
        self._read({frame for frame, _ in self._ends})

    def _read(self, frames: set[Frame]) -> None:
        """The content words of each frame, their weights, and the role of either argument beside each of them."""
        self.words: dict[Relation, tuple[str, ...]] = {}
        self.roles: dict[Relation, Mapping[str, Role]] = {}
        for frame in frames:
            before, between, behind = frame
            for forward, left_out in ((True, _classed(between)), (False, _apposed(between))):
                self.words[frame, forward] = tuple(w for w in relation_words(frame) if w not in left_out)
                lows = [*before, "", *between, "", *behind]
                place = len(before) if forward else len(before) + 1 + len(between)
                content = [(i, low) for i, low in enumerate(lows) if low and low not in lexicon.FUNCTION]
                self.roles[frame, forward] = {low: role(lows, (place, place + 1), i) for i, low in content}
        df = Counter(w for frame in frames for w in set(relation_words(frame)))
        self.weights = {w: 1 / (1 + n) ** 0.5 for w, n in df.items()}

    def newer(self, node: Lows, edge: Edge) -> Edge:
        """The newest fact about the same entity that says the same relation, in whatever words."""
        newest = edge
        for other in self.edges[node].values() if self._vectors is not None and self._reworded else ():
            if other.place > newest.place and self._says_same(edge.relation, other.relation):
                newest = other
        return newest

    def _says_same(self, one: Relation, other: Relation) -> bool:
        """Whether the two lead to the same things, and their frames lie near."""
        if self._vectors is None:
            return False
        if (one, other) not in self._same:
            ends = self._ends[one], self._ends[other]
            same = len(ends[0] & ends[1]) >= _SHARED_ENDS * min(map(len, ends))
            phrases = [" ".join(low for part in frame for low in part) for frame, _ in (one, other)]
            self._same[one, other] = same and self._vectors.cosines(phrases[0], phrases[1:])[0] >= _SAME
        return self._same[one, other]

    def kind(self, thing: Lows) -> Mapping[str, float]:
        """Relation word -> share of the facts with this second argument that have it."""
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


def relation_words(frame: Frame) -> tuple[str, ...]:
    """The content words of a frame, in order."""
    return tuple(low for part in frame for low in part if low not in lexicon.FUNCTION)


def _apposed(infix: Lows) -> Lows:
    """The noun that only says what the second argument is: `in the city of`."""
    if len(infix) < 4 or infix[-1] != lexicon.OF or infix[-3] not in lexicon.ARTICLES:
        return ()
    return infix[-2:-1] if infix[-4] in lexicon.PREPOSITIONS else ()


def _classed(infix: Lows) -> Lows:
    """The noun that only says what the first argument is: `is a town in`; before `of` it is a relation."""
    if len(infix) < 4 or infix[1] not in lexicon.ARTICLES or infix[0] not in lexicon.AUXILIARIES:
        return ()
    return infix[2:3] if infix[3] in lexicon.PREPOSITIONS - {lexicon.OF} else ()


class Role(Enum):
    """The part that an entity plays."""

    HAS = "has"
    DOES = "does"


def role(lows: Sequence[str], entity: tuple[int, int], word: int) -> Role:
    """The role of the words [start, end) beside one relation word."""
    start, end = entity
    if word < start:
        between = lows[word + 1 : start]
        return Role.DOES if lexicon.AGENT in between else Role.HAS
    between = lows[end:word]
    behind = lows[word + 1 : word + 2]
    if between and between[0] in lexicon.POSSESSIVE:
        return Role.HAS
    if lexicon.AGENT in behind or (between and between[0] in lexicon.HOLDS and lexicon.AS in between):
        return Role.HAS
    return Role.DOES
