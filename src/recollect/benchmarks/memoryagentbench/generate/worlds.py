"""An invented world told in facts that change, with questions of one and of several hops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.memoryagentbench.factbook import FactBook, KeyOf, Track, shuffled, stale_ends, walk
from recollect.benchmarks.memoryagentbench.generate.catalogue import FactWords, Relation
from recollect.benchmarks.memoryagentbench.generate.names import draw_names
from recollect.benchmarks.memoryagentbench.histories import Asked

WEIGHTS = {"person": 8, "town": 4, "region": 2, "company": 4, "book": 2, "team": 2, "ship": 2, "band": 2}
"""Entities of each kind, in parts of 26."""
LEAST = {"person": 7, "town": 6, "region": 4, "company": 6, "book": 1, "team": 1, "ship": 1, "band": 1}
STATEMENTS_AN_ENTITY = 3
PATTERNS = {"unique": 35, "revised": 35, "chain": 12, "reverted": 8, "repeated": 10}
"""What becomes of a fact, in percent."""
CONFLICTED = 0.74
"""Share of single-hop questions about a fact that changed, as in the published 6K row."""
HOPS = (2, 3, 4)
TRIES = 400


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
        self.names: Mapping[str, Sequence[str]] = {}

    def make(self, statements: int, questions: int) -> World:
        entities = statements / STATEMENTS_AN_ENTITY
        counts = {kind: max(LEAST[kind], round(entities * part / 26)) for kind, part in WEIGHTS.items()}
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
        return Track(values=values, statements=tuple(self._statements(relation, subject, values)))

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

    def _statements(self, relation: Relation, subject: str, values: Sequence[str]) -> Iterator[str]:
        """One wording each; the same value is not said in the same words twice in a row."""
        wording = ""
        for value in values:
            wording = self.rng.choice([other for other in relation.statements if other != wording])
            yield wording.format(s=subject, o=value)

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
        """Chains in which something changed, of two, three and four hops in turn as far as there are any."""
        met: Counter[str] = Counter()
        seen: set[tuple[str, ...]] = set()
        for hops in islice(cycle(HOPS), questions):
            keys = next(
                (keys for keys in self._tried(hops) if keys not in seen and self._may_end(keys, met, questions)), None
            )
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
            onward = [key for r in self.words.relations if (key := _key(r, entity)) in self.tracks]
            onward = [key for key in onward if self.tracks[key].value not in {*met, entity}]
            if entity in met or not onward:
                break
            met.add(entity)
            keys.append(self.rng.choice(onward))
        return tuple(keys)

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
        """A question whose subject is put in words hop by hop; only the first may stand in the middle of its words."""
        phrase = start
        for relation in relations[:-1]:
            fit = relation.chains if phrase == start else [c for c in relation.chains if c.endswith("{s}")]
            phrase = self.rng.choice(fit).format(s=phrase)
        last = relations[-1]
        fit = last.questions if phrase == start else [q for q in last.questions if q.endswith("{s}?")]
        return self.rng.choice(fit).format(s=phrase).replace("the the ", "the ")


def _most(questions: int) -> int:
    """How many questions may have one answer."""
    return max(2, questions // 6)


def _key(relation: Relation, subject: str) -> str:
    return f"{relation.name}|{subject}"


def _key_of(relation: Relation) -> KeyOf:
    return lambda subject: _key(relation, subject)
