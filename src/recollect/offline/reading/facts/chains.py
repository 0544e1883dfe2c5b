"""Operator: follow numbered facts from entity to entity; at every hop the newest fact holds.

Rule: start at an entity of the pool that the question names, and explain the question's words from there outwards,
each word by one hop. A hop takes the words that its relation may mean (equal, of one root, or near by embedding),
sure ones first, then the nearest; of the facts about an entity that take the same words in the same role, the
newest holds. A path of up to four hops scores the words that it explains, less what its relations say that the
question does not, less a little for each hop, more or less for entities in or out of the role that the question
gives them, and more if its last relation or the kind of thing it ends at meets the first content words of the
question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.offline.reading import lexicon
from recollect.offline.reading.facts.graph import SOMEWHERE, Edge, FactGraph, Relation, role
from recollect.offline.reading.facts.relations import Lows
from recollect.offline.reading.words import Word, bare

_MOST_HOPS, _LONGEST_NAME, _MOST_STEPS = 4, 14, 4_000
_UNEXPLAINED, _PER_HOP, _FIRST, _SECOND, _KIND, _PLACE = 0.4, 0.1, 0.5, 0.3, 0.5, 0.4
_ROLE, _BACK_LEAST, _NO_WORDS, _SHARED = 0.25, 0.8, 0.3, 0.5
_SURE, _LEAST_SURE = 0.9, 0.35


@dataclass(frozen=True, slots=True)
class Chain:
    """A path through the facts and where it ends."""

    text: str
    score: float
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class _Hop:
    """What one relation explains."""

    taken: frozenset[int]
    """Places of the question's words."""
    share: float
    """Of what the relation says that the question says too."""
    in_role: bool
    """The entity plays the role that the question gives it."""
    score: float


def follow(web: FactGraph, question: Sequence[Word]) -> Chain | None:
    """The path that explains *question* best; `None` where it names no entity of the pool."""
    lows = [w.low for w in question]
    named: list[tuple[int, int]] = []  # the longest entities first, none inside another
    for size in range(min(_LONGEST_NAME, len(lows)), 0, -1):
        for start in range(len(lows) - size + 1):
            free = not any(a < start + size and start < b for a, b in named)
            if free and tuple(lows[start : start + size]) in web.edges:
                named.append((start, start + size))
    chains = (chain for entity in named for chain in _Search(web, lows, entity).chains())
    return max(chains, key=lambda chain: chain.score, default=None)


class _Search:
    """The paths from one entity of one question."""

    def __init__(self, web: FactGraph, lows: Sequence[str], entity: tuple[int, int]) -> None:
        self._web, self._lows, self._entity = web, lows, entity
        start, end = entity
        told = [i for i, low in enumerate(lows) if not start <= i < end and low not in lexicon.FUNCTION]
        self._means = {i: web.close(lows[i]) for i in told}
        self._nearest = sorted(told, key=lambda i: (start - i if i < start else i - end + 1, i))
        self._first = [self._means[i] for i in told[:2]]
        self._where = "where" in lows
        self._hops: dict[tuple[Relation, frozenset[int]], _Hop] = {}

    def chains(self) -> Iterator[Chain]:
        """All chains, shortest first, never twice through one entity; at most a fixed number of steps."""
        start = bare(tuple(self._lows[slice(*self._entity)]))
        waiting: list[tuple[tuple[Edge, ...], frozenset[int], float, frozenset[Lows]]] = [
            ((), frozenset(), 0.0, frozenset({start}))
        ]
        made = 0
        for edges, taken, score, passed in waiting:
            for edge, hop in self._newest(edges[-1].end if edges else start, taken):
                if edge.end in passed or made >= _MOST_STEPS:
                    continue
                made += 1
                longer, total = (*edges, edge), score + hop.score
                yield Chain(edge.text, round(total + self._end(edge, hop.share), 6), longer)
                if len(longer) < _MOST_HOPS:
                    waiting.append((longer, taken | hop.taken, total, passed | {edge.end}))

    def _newest(self, node: Lows, taken: frozenset[int]) -> Iterator[tuple[Edge, _Hop]]:
        """Of the facts about an entity that explain the same words, the newest; best explained first."""
        groups: dict[object, tuple[Edge, _Hop]] = {}
        for edge in self._web.edges.get(node, {}).values():
            hop = self._hop(edge.relation, taken)
            if not edge.forward and hop.share < _BACK_LEAST:
                continue
            key = (hop.taken, hop.in_role) if hop.taken else edge.relation
            held = groups.get(key)
            if held is None or (edge.place, hop.score) > (held[0].place, held[1].score):
                groups[key] = (edge, hop)
        for edge, hop in groups.values():
            yield self._web.newer(node, edge), hop

    def _hop(self, relation: Relation, taken: frozenset[int]) -> _Hop:
        """The nearest free words of the question, sure ones first, each explained by one word of the relation."""
        if (relation, taken) in self._hops:
            return self._hops[relation, taken]
        words, weights = tuple(dict.fromkeys(self._web.words[relation])), self._web.weights
        used: dict[str, int] = {}
        roles = said = 0.0
        matches = [
            (sure < _SURE, distance, -sure, place, word)
            for distance, place in enumerate(self._nearest)
            for word, sure in self._means[place].items()
            if word in words and sure >= _LEAST_SURE
        ]
        for _, _, less, place, word in sorted(matches):
            if place in taken or word in used or place in used.values():
                continue
            used[word] = place
            in_role = self._web.roles[relation][word] is role(self._lows, self._entity, place)
            roles += _ROLE if in_role else -_ROLE
            said += weights[word] * -less
        total = sum(weights[w] for w in words)
        share = said / total if total else _NO_WORDS
        score = said + roles - _UNEXPLAINED * (1 - share) - _PER_HOP
        hop = self._hops[relation, taken] = _Hop(frozenset(used.values()), share, roles >= 0, score)
        return hop

    def _end(self, edge: Edge, share: float) -> float:
        said, kind = set(self._web.words[edge.relation]), self._web.kind(edge.end)
        heads = [max((sure for w, sure in means.items() if w in said), default=0.0) for means in self._first]
        bonus = max((part * head for part, head in zip((_FIRST, _SECOND), heads, strict=False)), default=0.0)
        bonus *= share**_SHARED
        if self._first:
            bonus += _KIND * max((sure * kind.get(w, 0.0) for w, sure in self._first[0].items()), default=0.0)
        return float(bonus + (_PLACE * (2 * kind.get(SOMEWHERE, 0.0) - 1) if self._where else 0.0))
