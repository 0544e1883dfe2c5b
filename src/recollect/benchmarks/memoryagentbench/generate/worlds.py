"""An invented world told in facts that change, with questions of one and of several hops."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.memoryagentbench.families.fact_lists import FactBook, KeyOf, Track, shuffled, stale_ends, walk
from recollect.benchmarks.memoryagentbench.generate.catalogue import FactWords, Relation
from recollect.benchmarks.memoryagentbench.generate.names import draw_names
from recollect.benchmarks.memoryagentbench.questions import Asked

WEIGHTS = {"person": 8, "town": 4, "province": 2, "company": 5, "book": 1, "team": 1, "ship": 1, "band": 1}
"""Entities of each kind, in parts of their sum."""
LEAST = {"person": 7, "town": 6, "province": 4, "company": 6, "book": 1, "team": 1, "ship": 1, "band": 1}
STATEMENTS_AN_ENTITY = 1.2
"""So few that nobody holds every post, and yet enough for chains of four hops."""
PATTERNS = {"unique": 35, "revised": 35, "chain": 12, "reverted": 8, "repeated": 10}
"""What becomes of a fact, in percent."""
CONFLICTED = 0.74
"""Share of single-hop questions about a fact that changed, as in the published 6K row."""
HOPS = (2, 3, 4)
TRIES = 1_000
_CLAUSE = re.compile(r"\b(?:who|whom|that|which|where|hosting|surrounding|around|with|under)\b")
"""What makes a phrase too long for the middle of another."""
_POSSESSIVE = re.compile(r"(?<=[^s]s)'s\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One context, and its questions."""

    texts: tuple[str, ...]
    single: tuple[Asked, ...]
    chained: tuple[Asked, ...]


def make_world(words: FactWords, statements: int, questions: int, rng: Random) -> World:
    """About *statements* facts, and up to *questions* questions of each kind."""
    return _Maker(words, rng).make(statements, questions)


class _Maker:
    def __init__(self, words: FactWords, rng: Random) -> None:
        self.words, self.rng = words, rng
        self.relations = {relation.name: relation for relation in words.relations}
        self.tracks: dict[str, Track] = {}
        self.patterns: dict[str, str] = {}
        self.subjects: dict[str, str] = {}
        self.said = {relation.name: rng.choice(relation.statements) for relation in words.relations}
        self.names: Mapping[str, Sequence[str]] = {}

    def make(self, statements: int, questions: int) -> World:
        entities = statements / STATEMENTS_AN_ENTITY
        whole = sum(WEIGHTS.values())
        counts = {kind: max(LEAST[kind], round(entities * part / whole)) for kind, part in WEIGHTS.items()}
        self.names = draw_names(self.words.names, counts, self.rng)
        self._tell(statements)
        texts, places = shuffled(self.tracks, self.rng)
        book = FactBook(tracks=self.tracks, places=places)
        return World(
            texts=tuple(texts),
            single=tuple(self._single(book, questions)),
            chained=tuple(self._chained(book, questions)),
        )

    def _tell(self, statements: int) -> None:
        """Facts about entities in random order until there are enough."""
        about = [(r, subject) for r in self.words.relations for subject in self.names[r.subject]]
        self.rng.shuffle(about)
        told = 0
        for relation, subject in about:
            if told >= statements:
                return
            key = _key(relation, subject)
            self.subjects[key] = subject
            self.patterns[key] = self.rng.choices(list(PATTERNS), weights=list(PATTERNS.values()))[0]
            self.tracks[key] = self._track(relation, subject, self.patterns[key])
            told += len(self.tracks[key].values)

    def _track(self, relation: Relation, subject: str, pattern: str) -> Track:
        free = self._free_values(relation, subject)
        values = self._values(pattern, free)
        return Track(values=values, statements=self._statements(relation, subject, values))

    def _free_values(self, relation: Relation, subject: str) -> list[str]:
        """Values in random order: nobody is their own mentor, nor that of their mentor; taken ones last."""
        back = [v for v in self.names[relation.value] if v != subject and not self._points_back(relation, v, subject)]
        taken = {track.value for key, track in self.tracks.items() if key.startswith(f"{relation.name}|")}
        values = self.rng.sample(back, len(back))
        return sorted(values, key=lambda value: value in taken) if relation.exclusive else values

    def _points_back(self, relation: Relation, value: str, subject: str) -> bool:
        track = self.tracks.get(_key(relation, value))
        return track is not None and subject in track.values

    def _values(self, pattern: str, free: Sequence[str]) -> tuple[str, ...]:
        first, *others = free
        if pattern == "unique" or not others:
            return (first,)
        if pattern == "repeated":
            return (first, first)
        if pattern == "reverted":
            return (first, others[0], first)
        return (*others[: self.rng.randint(2, 3) if pattern == "chain" else 1], first)

    def _statements(self, relation: Relation, subject: str, values: Sequence[str]) -> tuple[str, ...]:
        """All of a relation in one wording, as in the published contexts; another context has another."""
        return tuple(said(self.said[relation.name], s=subject, o=value) for value in values)

    def _single(self, book: FactBook, questions: int) -> list[Asked]:
        keys = self._varied(self.rng.sample(sorted(self.tracks), len(self.tracks)), questions)
        changed = [key for key in keys if self.tracks[key].conflicted][: round(questions * CONFLICTED)]
        same = [key for key in keys if not self.tracks[key].conflicted][: questions - len(changed)]
        chosen = self.rng.sample([*changed, *same], len(changed) + len(same))
        return [self._asked(book, self.subjects[key], [self._relation(key)]) for key in chosen]

    def _varied(self, keys: Sequence[str], questions: int) -> list[str]:
        """Without those whose value is the answer to many others: no one answer may pay off."""
        met: Counter[str] = Counter()
        kept = []
        for key in keys:
            met[self.tracks[key].value] += 1
            if met[self.tracks[key].value] <= _most(questions):
                kept.append(key)
        return kept

    def _chained(self, book: FactBook, questions: int) -> Iterator[Asked]:
        """Chains in which something changed, of two, three and four hops in turn; of others where one is used up."""
        met: Counter[str] = Counter()
        seen: set[tuple[str, ...]] = set()
        for hops in islice(cycle(HOPS), questions):
            tried = (keys for length in (hops, *HOPS) for keys in self._tried(length))
            keys = next((keys for keys in tried if keys not in seen and self._may_end(keys, met, questions)), None)
            if keys is not None:
                seen.add(keys)
                met[self.tracks[keys[-1]].value] += 1
                yield self._asked(book, self.subjects[keys[0]], [self._relation(key) for key in keys])

    def _tried(self, hops: int) -> Iterator[tuple[str, ...]]:
        """Random chains of the wanted length with a change in them."""
        starts = sorted(self.tracks)
        for _ in range(TRIES):
            keys = self._wander(self.rng.choice(starts), hops)
            if len(keys) == hops and any(self.tracks[key].conflicted for key in keys):
                yield keys

    def _may_end(self, keys: Sequence[str], met: Counter[str], questions: int) -> bool:
        return met[self.tracks[keys[-1]].value] < _most(questions)

    def _wander(self, key: str, hops: int) -> tuple[str, ...]:
        """A way along the facts that never comes back to an entity; shorter where it ends."""
        keys, met = [key], {self.subjects[key]}
        while len(keys) < hops:
            entity = self.tracks[keys[-1]].value
            onward = [key for key in self._onward(keys, entity) if self.tracks[key].value not in {*met, entity}]
            if entity in met or not onward:
                break
            met.add(entity)
            keys.append(self.rng.choice(onward))
        return tuple(keys)

    def _onward(self, keys: Sequence[str], entity: str) -> Iterator[str]:
        """Facts about *entity* that go on well: no relation twice, no `mentor of the doctor of the landlord of`."""
        used = [self._relation(key) for key in keys]
        for relation in self.words.relations:
            circling = used[-1].subject == used[-1].value == relation.value
            if relation not in used and not circling and (key := _key(relation, entity)) in self.tracks:
                yield key

    def _relation(self, key: str) -> Relation:
        return self.relations[key.partition("|")[0]]

    def _asked(self, book: FactBook, start: str, relations: Sequence[Relation]) -> Asked:
        hops = [_key_of(relation) for relation in relations]
        found = walk(self.tracks, start, hops)
        if found is None:
            raise ValueError(f"no way from {start!r} over {[relation.name for relation in relations]}")
        asked = book.asked(
            self._question(start, relations), (found.end,), found.keys, self._wrong(start, hops, found.keys)
        )
        return replace(asked, labels={**asked.labels, "pattern": self.patterns[found.keys[-1]]})

    def _wrong(self, start: str, hops: Sequence[KeyOf], keys: Sequence[str]) -> list[str]:
        """The newest stale value first where there is one hop, else by how many stale facts it takes."""
        if len(keys) == 1:
            return list(dict.fromkeys(reversed(self.tracks[keys[0]].values)))
        return list(stale_ends(self.tracks, start, hops))

    def _question(self, start: str, relations: Sequence[Relation]) -> str:
        """A question whose subject is put in words hop by hop."""
        phrase, length = start, Length.NAME
        for relation in relations[:-1]:
            wording = self.rng.choice(fitting(relation.chains, length))
            phrase = said(wording, s=phrase)
            length = Length.LONG if length > Length.NAME or _CLAUSE.search(wording) else Length.SHORT
        return said(self.rng.choice(fitting(relations[-1].questions, length)), s=phrase)


class Length(IntEnum):
    """How much a phrase is: a name, `the mentor of` a name, or more."""

    NAME = 0
    SHORT = 1
    LONG = 2


def fitting(wordings: Sequence[str], length: Length) -> list[str]:
    """The wordings that read well about such a phrase.

    A name fits everywhere, a short phrase also into the middle but into no possessive (whose landlord is `the mentor of
    Ann's landlord`?), and a long one only at the end.
    """
    if length is Length.NAME:
        return list(wordings)
    if length is Length.SHORT:
        return [wording for wording in wordings if "{s}'s" not in wording]
    return [wording for wording in wordings if wording.endswith(("{s}", "{s}?"))]


def said(wording: str, **names: str) -> str:
    """The wording with its names; `the Works' owner`, but `Inverness's mayor`."""
    return _POSSESSIVE.sub("'", wording.format(**names))


def _most(questions: int) -> int:
    """How many questions may have one answer."""
    return max(2, questions // 6)


def _key(relation: Relation, subject: str) -> str:
    return f"{relation.name}|{subject}"


def _key_of(relation: Relation) -> KeyOf:
    return lambda subject: _key(relation, subject)
