"""An invented world told in facts that change, with questions of one and of several hops."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, partial
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.fact_lists import FactBook, Track, shuffled, stale_ends, walk
from recollect.benchmarks.memoryagentbench.families.facts import MADE
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, in_half, read_catalogue
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.catalogues import half
from recollect.worlds.names import draw_names

WEIGHTS = {"person": 8, "town": 4, "province": 2, "company": 5, "book": 1, "team": 1, "ship": 1, "band": 1}
"""Entities of each kind, as parts of their sum."""
LEAST = {"person": 7, "town": 6, "province": 4, "company": 6, "book": 1, "team": 1, "ship": 1, "band": 1}
STATEMENTS_AN_ENTITY = 1.2
"""Few enough that nobody holds every post, and enough for chains of four hops."""
PATTERNS = {"unique": 35, "revised": 35, "chain": 12, "reverted": 8, "repeated": 10}
"""How a fact changes, in percent."""
CONFLICTED = 0.74
"""Share of single-hop questions about a fact that changed, as in the published 6K row."""
HOPS = (2, 3, 4)
TRIES = 1_000
_CLAUSE = re.compile(r"\b(?:who|whom|that|which|where|hosting|surrounding|around|with|under)\b")
"""What makes a phrase too long for the middle of another."""
_POSSESSIVE = re.compile(r"(?<=[^s]s)'s\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How one kind of fact is said and asked for."""

    name: str
    subject: str
    value: str
    """Kind of entity."""
    word: str
    """Part of all wordings, in some form, so that a question can find its fact."""
    statements: tuple[str, ...]
    """With {s} and {o}."""
    questions: tuple[str, ...]
    chains: tuple[str, ...]
    """Descriptions of the value, with {s}, on which a question may build."""
    exclusive: bool
    """Whether two subjects should not share a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactWords:
    """The words of facts."""

    names: Mapping[str, tuple[tuple[str, ...], ...]]
    """Kind -> parts of a name, each from one list."""
    relations: tuple[Relation, ...]


@cache
def fact_words(*, held_out: bool) -> FactWords:
    """Names, and the wordings that are shown or those that are held out."""
    data = read_catalogue("facts.yaml")
    relations = tuple(
        Relation(
            name=name,
            subject=relation["subject"],
            value=relation["value"],
            word=relation["word"],
            statements=_half(relation["statements"], held_out=held_out),
            questions=_half(relation["ask"], held_out=held_out),
            chains=_half(relation["chain"], held_out=held_out),
            exclusive=relation.get("exclusive", False),
        )
        for name, relation in data["relations"].items()
    )
    return FactWords(
        names={kind: tuple(map(tuple, parts)) for kind, parts in data["names"].items()}, relations=relations
    )


def _half(wordings: Sequence[str], *, held_out: bool) -> tuple[str, ...]:
    """The half that is held out, or the half that is shown, in the order of the file.

    Wordings that end in the subject, the only ones that can follow a chain, are halved apart from all others.
    """
    nested = [wording for wording in wordings if wording.endswith(("{s}", "{s}?"))]
    others = [wording for wording in wordings if wording not in nested]
    drawn = {*half(nested, held_out=held_out), *half(others, held_out=held_out)}
    return tuple(wording for wording in wordings if wording in drawn)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One context, and its questions."""

    texts: tuple[str, ...]
    single: tuple[Asked, ...]
    chained: tuple[Asked, ...]


def make_world(words: FactWords, statements: int, questions: int, rng: Random) -> World:
    """About *statements* facts, and up to *questions* questions of each kind."""
    maker = _Maker(words, statements, rng)
    texts, places = shuffled(maker.tracks, rng)
    book = FactBook(tracks=maker.tracks, places=places)
    single = tuple(maker.single(book, questions))
    return World(texts=tuple(texts), single=single, chained=tuple(maker.chained(book, questions)))


class _Maker:
    """Draws facts about entities in random order, and asks about them."""

    def __init__(self, words: FactWords, statements: int, rng: Random) -> None:
        self.words, self.rng = words, rng
        self.relations = {relation.name: relation for relation in words.relations}
        self.tracks: dict[str, Track] = {}
        self.patterns: dict[str, str] = {}
        self.subjects: dict[str, str] = {}
        # one wording per relation in all statements of a context, as in the published ones
        wordings = {relation.name: rng.choice(relation.statements) for relation in words.relations}
        entities, whole = statements / STATEMENTS_AN_ENTITY, sum(WEIGHTS.values())
        counts = {kind: max(LEAST[kind], round(entities * part / whole)) for kind, part in WEIGHTS.items()}
        self.names = draw_names(words.names, counts, rng)
        about = [(relation, subject) for relation in words.relations for subject in self.names[relation.subject]]
        rng.shuffle(about)
        made = 0
        for relation, subject in about:
            if made >= statements:
                break
            key = _key(relation, subject)
            self.subjects[key] = subject
            self.patterns[key] = rng.choices(list(PATTERNS), weights=list(PATTERNS.values()))[0]
            values = self._values(relation, subject, self.patterns[key])
            texts = tuple(said(wordings[relation.name], s=subject, o=value) for value in values)
            self.tracks[key] = Track(values=values, statements=texts)
            made += len(values)

    def _values(self, relation: Relation, subject: str, pattern: str) -> tuple[str, ...]:
        """Oldest first; nobody is their own mentor or that of their mentor, and taken values come last."""
        free = []
        for value in self.names[relation.value]:
            track = self.tracks.get(_key(relation, value))
            if value != subject and (track is None or subject not in track.values):
                free.append(value)
        free = self.rng.sample(free, len(free))
        if relation.exclusive:
            taken = {track.value for key, track in self.tracks.items() if key.startswith(f"{relation.name}|")}
            free.sort(key=lambda value: value in taken)
        first, *others = free
        if pattern == "unique" or not others:
            return (first,)
        if pattern == "repeated":
            return (first, first)
        if pattern == "reverted":
            return (first, others[0], first)
        return (*others[: self.rng.randint(2, 3) if pattern == "chain" else 1], first)

    def single(self, book: FactBook, questions: int) -> list[Asked]:
        """Questions of one hop; those whose answer many others have are left out, so that no one answer pays off."""
        met: Counter[str] = Counter()
        keys = []
        for key in self.rng.sample(sorted(self.tracks), len(self.tracks)):
            met[self.tracks[key].value] += 1
            if met[self.tracks[key].value] <= _most(questions):
                keys.append(key)
        changed = [key for key in keys if self.tracks[key].conflicted][: round(questions * CONFLICTED)]
        same = [key for key in keys if not self.tracks[key].conflicted][: questions - len(changed)]
        chosen = self.rng.sample([*changed, *same], len(changed) + len(same))
        return [self._asked(book, self.subjects[key], [self._relation(key)]) for key in chosen]

    def chained(self, book: FactBook, questions: int) -> Iterator[Asked]:
        """Questions of two, three and four hops in turn; of another length where one is used up."""
        met: Counter[str] = Counter()
        seen: set[tuple[str, ...]] = set()
        for hops in islice(cycle(HOPS), questions):
            chains = (keys for length in (hops, *HOPS) for keys in self._chains(length))
            open_to = (keys for keys in chains if keys not in seen)
            keys = next((keys for keys in open_to if met[self.tracks[keys[-1]].value] < _most(questions)), None)
            if keys is not None:
                seen.add(keys)
                met[self.tracks[keys[-1]].value] += 1
                yield self._asked(book, self.subjects[keys[0]], [self._relation(key) for key in keys])

    def _chains(self, hops: int) -> Iterator[tuple[str, ...]]:
        """Random chains of that length with a changed fact; none returns to an entity."""
        starts = sorted(self.tracks)
        for _ in range(TRIES):
            keys = [self.rng.choice(starts)]
            met = {self.subjects[keys[0]]}
            while len(keys) < hops:
                entity = self.tracks[keys[-1]].value
                onward = [key for key in self._onward(keys, entity) if self.tracks[key].value not in {*met, entity}]
                if entity in met or not onward:
                    break
                met.add(entity)
                keys.append(self.rng.choice(onward))
            if len(keys) == hops and any(self.tracks[key].conflicted for key in keys):
                yield tuple(keys)

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
        hops = [partial(_key, relation) for relation in relations]
        found = walk(self.tracks, start, hops)
        if found is None:
            raise ValueError(f"no way from {start!r} over {[relation.name for relation in relations]}")
        phrase, length = start, Length.NAME
        for relation in relations[:-1]:
            wording = self.rng.choice(fitting(relation.chains, length))
            phrase = said(wording, s=phrase)
            length = Length.LONG if length > Length.NAME or _CLAUSE.search(wording) else Length.SHORT
        text = said(self.rng.choice(fitting(relations[-1].questions, length)), s=phrase)
        if len(hops) == 1:  # the newest stale value first
            wrong = tuple(dict.fromkeys(reversed(self.tracks[found.keys[0]].values)))
        else:
            wrong = stale_ends(self.tracks, start, hops)
        asked = book.asked(text, (found.end,), found.keys, wrong)
        return replace(asked, labels={**asked.labels, "pattern": self.patterns[found.keys[-1]]})


class Length(IntEnum):
    """How long a phrase is: a name, `the mentor of` a name, or more."""

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
    return max(2, questions // 6)


def _key(relation: Relation, subject: str) -> str:
    return f"{relation.name}|{subject}"


def _rows(words: FactWords, made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    world = make_world(words, made.length, made.questions, rng)
    yield keyed(SOURCES[MADE["sh"]], number, world.texts, world.single)
    yield keyed(SOURCES[MADE["mh"]], number, world.texts, world.chained)


SIZES = {
    "small": Size(histories=2, length=400, questions=12),
    "medium": Size(histories=5, length=900, questions=50),
    "large": Size(histories=5, length=2_300, questions=100),
}
SPECS = (Spec(name="facts", sizes=SIZES, begin=in_half(fact_words), rows=_rows),)
