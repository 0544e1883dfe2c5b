"""An invented reference work: an entry for each person, town, company and novel, and questions about one or two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.memoryagentbench.families.documents import Need
from recollect.benchmarks.memoryagentbench.generate.library import Comparison, LibraryWords
from recollect.benchmarks.memoryagentbench.generate.names import draw_names
from recollect.metrics.text_match import word_match

PARTS = {"person": 8, "town": 5, "company": 5, "book": 4}
"""Entries of each kind, in parts of their sum."""
NAMESAKES = 2
"""People that share a first name, or a surname, on average."""
ASIDES = 2
"""Sentences of an entry that tell nothing that is asked."""
CHAINED = ("bridge", "bridge", "comparison")
TRIES = 400
_TOWN_FOUNDED, _COMPANY_FOUNDED = (1480, 1720), (1760, 1890)
_BORN, _FOUNDER_AGE, _AUTHOR_AGE, _APPRENTICE = (1760, 1900), (22, 50), (24, 60), 20
_INHABITANTS, _STAFF = (1_100, 98_000), (24, 4_800)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One document and what it says."""

    kind: str
    name: str
    values: Mapping[str, str]
    """Relation -> value."""
    text: str


def make_entries(words: LibraryWords, count: int, rng: Random) -> list[Entry]:
    """*count* entries about entities that know each other."""
    world = _World(words, _names(words, count, rng), rng)
    return [_entry(words, kind, name, world.values[name], rng) for kind in PARTS for name in world.names[kind]]


def single(words: LibraryWords, entries: Sequence[Entry], questions: int, rng: Random) -> list[Need]:
    """Questions that one entry answers, each about another entry as long as there are any."""
    asked = islice(cycle(rng.sample(entries, len(entries))), TRIES * questions)
    made: dict[str, Need] = {}
    for entry in asked:
        relation = rng.choice(sorted(entry.values))
        text = rng.choice(words.kinds[entry.kind].asks[relation]).format(s=entry.name)
        if not _gives_away(entry.values[relation], text):
            made.setdefault(text, (text, (entry.values[relation],), (entry.text,), "single"))
        if len(made) == questions:
            break
    return list(made.values())


def chained(words: LibraryWords, entries: Sequence[Entry], questions: int, rng: Random) -> list[Need]:
    """Questions that take two entries."""
    asker = _Asker(words, entries, rng)
    return [need for kind in islice(cycle(CHAINED), questions) for need in asker.ask(kind)]


def _names(words: LibraryWords, count: int, rng: Random) -> dict[str, list[str]]:
    whole = sum(PARTS.values())
    wanted = {kind: max(3, round(count * part / whole)) for kind, part in PARTS.items()}
    parts = words.names
    person = parts["person"]
    cut = next(place for place, part in enumerate(person) if list(part) == [" "])
    drawn = draw_names(
        {**parts, "first": person[:cut], "surname": person[cut + 1 :]},
        {
            "first": max(4, round(wanted["person"] / NAMESAKES)),
            "surname": max(4, round(wanted["person"] / NAMESAKES)),
            **{kind: wanted[kind] for kind in ("town", "company", "book")},
            "province": 4,
            "river": wanted["town"],
        },
        rng,
    )
    firsts, surnames = drawn.pop("first"), drawn.pop("surname")
    full = [f"{first} {surname}" for first in firsts for surname in surnames]
    people = rng.sample(full, wanted["person"])
    return {**drawn, "person": people}


class _World:
    """What is true: people are born before they found, write or work, and towns stand before anybody is born."""

    def __init__(self, words: LibraryWords, names: Mapping[str, Sequence[str]], rng: Random) -> None:
        self._words, self.names, self._rng = words, names, rng
        self.values: dict[str, dict[str, str]] = {}
        for town, river in zip(names["town"], names["river"], strict=True):
            self.values[town] = self._town(river)
        founders = rng.sample(names["person"], len(names["company"]))
        for company, founder in zip(names["company"], founders, strict=True):
            self.values[company] = self._company(founder)
        born = {
            founder: self._year(company, "founded", _FOUNDER_AGE)
            for company, founder in zip(names["company"], founders, strict=True)
        }
        for person in names["person"]:
            self.values[person] = self._person(born.get(person) or rng.randint(*_BORN))
        writers = [person for person in names["person"] if person not in born]
        for book in names["book"]:
            self.values[book] = self._book(rng.choice(writers))

    def _town(self, river: str) -> dict[str, str]:
        return {
            "province": self._rng.choice(self.names["province"]),
            "founded": str(self._rng.randint(*_TOWN_FOUNDED)),
            "river": river,
            "population": f"{self._rng.randint(*_INHABITANTS):,}",
            "known_for": self._word("known_for"),
        }

    def _company(self, founder: str) -> dict[str, str]:
        return {
            "product": self._word("product"),
            "seat": self._rng.choice(self.names["town"]),
            "founder": founder,
            "founded": str(self._rng.randint(*_COMPANY_FOUNDED)),
            "staff": f"{self._rng.randint(*_STAFF):,}",
        }

    def _person(self, born: int) -> dict[str, str]:
        return {
            "profession": self._word("profession"),
            "birthplace": self._rng.choice(self.names["town"]),
            "birth_year": str(born),
            "employer": self._employer(born + _APPRENTICE),
            "pastime": self._word("pastime"),
        }

    def _employer(self, year: int) -> str:
        """One that is there by then; the oldest of all where none is."""
        oldest_first = sorted(self.names["company"], key=lambda company: int(self.values[company]["founded"]))
        there = [company for company in oldest_first if int(self.values[company]["founded"]) <= year]
        return self._rng.choice(there or oldest_first[:1])

    def _book(self, author: str) -> dict[str, str]:
        return {
            "author": author,
            "published": str(int(self.values[author]["birth_year"]) + self._rng.randint(*_AUTHOR_AGE)),
            "setting": self._rng.choice(self.names["town"]),
            "plot": self._word("plot"),
        }

    def _year(self, name: str, relation: str, before: tuple[int, int]) -> int:
        return int(self.values[name][relation]) - self._rng.randint(*before)

    def _word(self, relation: str) -> str:
        return self._rng.choice(self._words.values[relation])


def _entry(words: LibraryWords, kind: str, name: str, values: Mapping[str, str], rng: Random) -> Entry:
    said = words.kinds[kind]
    they, their = rng.choice(said.pronouns)
    told = [rng.choice(wordings).replace("{o}", values[relation]) for relation, wordings in said.tells.items()]
    rest = rng.sample([*told, *rng.sample(said.asides, ASIDES)], len(told) + ASIDES)
    lead = rng.choice(said.leads).format(name=name, **values)
    sentences = [lead, *(_capital(one.format(they=they, their=their)) for one in rest)]
    text = _ARTICLE.sub(r"\1n ", " ".join(sentences))
    return Entry(kind=kind, name=name, values=values, text=f"{name}\n{text}")


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


class _Asker:
    """Asks for what two entries say together."""

    def __init__(self, words: LibraryWords, entries: Sequence[Entry], rng: Random) -> None:
        self._words, self._entries, self._rng = words, entries, rng
        self._by_name = {entry.name: entry for entry in entries}
        self._asked: set[str] = set()

    def ask(self, kind: str) -> Iterator[Need]:
        """One question of that kind, or none where there is no other any more."""
        for _ in range(TRIES):
            need = self._bridge() if kind == "bridge" else self._comparison()
            if need is not None and need[0] not in self._asked:
                self._asked.add(need[0])
                yield need
                return

    def _bridge(self) -> Need | None:
        first = self._rng.choice(self._entries)
        links = self._words.kinds[first.kind].leads_to
        if not links:
            return None
        link = self._rng.choice(sorted(links))
        last = self._by_name[first.values[link]]
        return self._need(self._rng.choice(links[link]).format(s=first.name), first, last, "bridge")

    def _comparison(self) -> Need | None:
        first = self._rng.choice(self._entries)
        other = self._rng.choice([entry for entry in self._entries if entry.kind == first.kind and entry != first])
        compared = self._rng.choice(self._words.kinds[first.kind].comparisons)
        winner, loser = _ranked(compared, first, other)
        if _figure(winner, compared) == _figure(loser, compared):
            return None
        said = self._rng.choice(compared.said).format(a=first.name, b=other.name)
        return self._need(said, loser, winner, "comparison", without=compared.by)

    def _need(self, said: str, first: Entry, last: Entry, kind: str, *, without: str = "") -> Need | None:
        """The question for a value of *last*, which *said* leads to; `None` where one entry alone tells it."""
        relation = self._rng.choice([name for name in sorted(last.values) if name != without])
        gold = last.values[relation]
        text = self._rng.choice(self._words.kinds[last.kind].asks[relation]).format(s=said)
        if _gives_away(gold, text) or word_match(first.text, gold):
            return None
        return text, (gold,), (first.text, last.text), kind


def _ranked(compared: Comparison, one: Entry, other: Entry) -> tuple[Entry, Entry]:
    """The one that is meant, then the other."""
    low, high = sorted((one, other), key=lambda entry: (_figure(entry, compared), entry.name))
    return (low, high) if compared.least else (high, low)


def _figure(entry: Entry, compared: Comparison) -> int:
    return int(entry.values[compared.by].replace(",", ""))


def _gives_away(gold: str, text: str) -> bool:
    return word_match(text, gold)
