"""An invented reference work: an entry for each person, town, company and novel, and questions about one or two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.documents import MADE, Need, document_set
from recollect.benchmarks.memoryagentbench.generate.facts import fact_words
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, in_half, read_catalogue
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import word_match
from recollect.worlds.catalogues import half as drawn_half
from recollect.worlds.names import Parts, draw_names
from recollect.worlds.patterns import capital

PARTS = {"person": 8, "town": 5, "company": 5, "book": 4}
"""Entries of each kind, as parts of their sum."""
NAMESAKES = 2
"""People that share a first name, or a surname, on average."""
ASIDES = 2
"""Sentences of an entry that no question asks about."""
CHAINED = ("bridge", "bridge", "comparison")
TRIES = 400
_TOWN_FOUNDED, _COMPANY_FOUNDED = (1480, 1720), (1760, 1890)
_BORN, _FOUNDER_AGE, _AUTHOR_AGE, _APPRENTICE = (1760, 1900), (22, 50), (24, 60), 20
_INHABITANTS, _STAFF = (1_100, 98_000), (24, 4_800)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


Names = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One document and its facts."""

    kind: str
    name: str
    values: Mapping[str, str]
    text: str


def make_entries(words: LibraryWords, count: int, rng: Random) -> list[Entry]:
    """*count* entries about entities that know each other."""
    names = _names_of(words, count, rng)
    values = _towns_and_companies(words, names, rng)
    values |= _people_and_books(words, names, values, rng)
    entries = []
    kinds = {name: kind for kind in PARTS for name in names[kind]}
    for name, kind in kinds.items():
        wording = words.kinds[kind]
        they, their = rng.choice(wording.pronouns)
        tells = wording.tells.items()
        facts = [rng.choice(patterns).replace("{o}", values[name][relation]) for relation, patterns in tells]
        rest = rng.sample([*facts, *rng.sample(wording.asides, ASIDES)], len(facts) + ASIDES)
        lead = rng.choice(wording.leads).format(name=name, **values[name])
        sentences = [lead, *(capital(one.format(they=they, their=their)) for one in rest)]
        text = _ARTICLE.sub(r"\1n ", " ".join(sentences))
        entries.append(Entry(kind=kind, name=name, values=values[name], text=f"{name}\n{text}"))
    return entries


def single(words: LibraryWords, entries: Sequence[Entry], questions: int, rng: Random) -> list[Need]:
    """Questions that one entry answers, each about another entry while there are any."""
    made: dict[str, Need] = {}
    for entry in islice(cycle(rng.sample(entries, len(entries))), TRIES * questions):
        relation = rng.choice(sorted(entry.values))
        text = rng.choice(words.kinds[entry.kind].asks[relation]).format(s=entry.name)
        if not word_match(text, entry.values[relation]):
            made.setdefault(text, (text, (entry.values[relation],), (entry.text,), "single"))
        if len(made) == questions:
            break
    return list(made.values())


def chained(words: LibraryWords, entries: Sequence[Entry], questions: int, rng: Random) -> list[Need]:
    """Questions that take two entries."""
    asker = _Asker(words, entries, rng)
    return [need for kind in islice(cycle(CHAINED), questions) for need in asker.ask(kind)]


def _names_of(words: LibraryWords, count: int, rng: Random) -> dict[str, list[str]]:
    whole = sum(PARTS.values())
    wanted = {kind: max(3, round(count * part / whole)) for kind, part in PARTS.items()}
    person = words.names["person"]
    cut = next(place for place, part in enumerate(person) if list(part) == [" "])
    half_names = max(4, round(wanted["person"] / NAMESAKES))
    drawn = draw_names(
        {**words.names, "first": person[:cut], "surname": person[cut + 1 :]},
        {
            "first": half_names,
            "surname": half_names,
            **{kind: wanted[kind] for kind in ("town", "company", "book")},
            "province": 4,
            "river": wanted["town"],
        },
        rng,
    )
    full = [f"{first} {surname}" for first in drawn["first"] for surname in drawn["surname"]]
    return {**drawn, "person": rng.sample(full, wanted["person"])}


def _towns_and_companies(words: LibraryWords, names: Names, rng: Random) -> dict[str, dict[str, str]]:
    """Entity -> relation -> value; towns are older than any person."""
    values: dict[str, dict[str, str]] = {}
    for town, river in zip(names["town"], names["river"], strict=True):
        values[town] = {
            "province": rng.choice(names["province"]),
            "founded": str(rng.randint(*_TOWN_FOUNDED)),
            "river": river,
            "population": f"{rng.randint(*_INHABITANTS):,}",
            "known_for": rng.choice(words.values["known_for"]),
        }
    founders = rng.sample(names["person"], len(names["company"]))
    for company, founder in zip(names["company"], founders, strict=True):
        values[company] = {
            "product": rng.choice(words.values["product"]),
            "seat": rng.choice(names["town"]),
            "founder": founder,
            "founded": str(rng.randint(*_COMPANY_FOUNDED)),
            "staff": f"{rng.randint(*_STAFF):,}",
        }
    return values


def _people_and_books(
    words: LibraryWords, names: Names, values: Mapping[str, Mapping[str, str]], rng: Random
) -> dict[str, dict[str, str]]:
    """People are born before they found, write or work, if possible for a company that exists by then."""
    founded = {company: int(values[company]["founded"]) for company in names["company"]}
    born = {values[company]["founder"]: year - rng.randint(*_FOUNDER_AGE) for company, year in founded.items()}
    oldest_first = sorted(founded, key=lambda company: founded[company])
    writers = [person for person in names["person"] if person not in born]
    made: dict[str, dict[str, str]] = {}
    for person in names["person"]:
        born[person] = born.get(person) or rng.randint(*_BORN)
        working = born[person] + _APPRENTICE
        made[person] = {
            "profession": rng.choice(words.values["profession"]),
            "birthplace": rng.choice(names["town"]),
            "birth_year": str(born[person]),
            "employer": rng.choice([one for one in oldest_first if founded[one] <= working] or oldest_first[:1]),
            "pastime": rng.choice(words.values["pastime"]),
        }
    for book in names["book"]:
        author = rng.choice(writers)
        made[book] = {
            "author": author,
            "published": str(born[author] + rng.randint(*_AUTHOR_AGE)),
            "setting": rng.choice(names["town"]),
            "plot": rng.choice(words.values["plot"]),
        }
    return made


class _Asker:
    def __init__(self, words: LibraryWords, entries: Sequence[Entry], rng: Random) -> None:
        self._kinds, self._entries, self._rng = words.kinds, entries, rng
        self._by_name = {entry.name: entry for entry in entries}
        self._asked: set[str] = set()

    def ask(self, kind: str) -> Iterator[Need]:
        """A new question of that kind, if there is one."""
        for _ in range(TRIES):
            need = self._bridge() if kind == "bridge" else self._comparison()
            if need is not None and need[0] not in self._asked:
                self._asked.add(need[0])
                yield need
                return

    def _bridge(self) -> Need | None:
        first = self._rng.choice(self._entries)
        links = self._kinds[first.kind].leads_to
        if not links:
            return None
        link = self._rng.choice(sorted(links))
        last = self._by_name[first.values[link]]
        return self._need(self._rng.choice(links[link]).format(s=first.name), first, last, "bridge")

    def _comparison(self) -> Need | None:
        first = self._rng.choice(self._entries)
        other = self._rng.choice([entry for entry in self._entries if entry.kind == first.kind and entry != first])
        compared = self._rng.choice(self._kinds[first.kind].comparisons)
        figures = {entry.name: int(entry.values[compared.by].replace(",", "")) for entry in (first, other)}
        if len(set(figures.values())) < 2:
            return None
        winner, loser = sorted((first, other), key=lambda entry: figures[entry.name], reverse=not compared.least)
        phrase = self._rng.choice(compared.said).format(a=first.name, b=other.name)
        return self._need(phrase, loser, winner, "comparison", without=compared.by)

    def _need(self, phrase: str, first: Entry, last: Entry, kind: str, *, without: str = "") -> Need | None:
        """The question for a value of *last*, which *phrase* describes; `None` where one entry alone tells it."""
        relation = self._rng.choice([name for name in sorted(last.values) if name != without])
        gold = last.values[relation]
        text = self._rng.choice(self._kinds[last.kind].asks[relation]).format(s=phrase)
        if word_match(text, gold) or word_match(first.text, gold):
            return None
        return text, (gold,), (first.text, last.text), kind


Wordings = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A choice of one of two entities by a figure."""

    by: str
    least: bool
    """Choose the smaller figure."""
    said: tuple[str, ...]
    """With {a} and {b}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """One kind of entity: how it is written about and asked for."""

    leads: tuple[str, ...]
    tells: Wordings
    asides: tuple[str, ...]
    pronouns: tuple[tuple[str, str], ...]
    asks: Wordings
    leads_to: Wordings
    """Descriptions of a value that is an entity too."""
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryWords:
    """All words of entries."""

    kinds: Mapping[str, KindWords]
    values: Wordings
    names: Parts


@cache
def library_words(*, held_out: bool) -> LibraryWords:
    """The words of one half; names are the same in both."""
    data = read_catalogue("documents.yaml")
    half = partial(drawn_half, held_out=held_out)

    def halves(by_relation: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        return {name: half(wordings) for name, wordings in by_relation.items()}

    kinds = {
        kind: KindWords(
            leads=half(entry["leads"]),
            tells=halves(entry["tells"]),
            asides=half(entry["asides"]),
            pronouns=tuple(map(tuple, data["pronouns"][kind])),
            asks=halves(data["asks"][kind]),
            leads_to=halves(data["leads_to"].get(kind, {})),
            comparisons=tuple(
                Comparison(by=one["by"], least=one["least"], said=half(one["said"]))
                for one in data["comparisons"][kind]
            ),
        )
        for kind, entry in data["kinds"].items()
    }
    names = {**fact_words(held_out=held_out).names, **data["names"]}
    return LibraryWords(kinds=kinds, values=halves(data["values"]), names=names)


def _rows(task: str, words: LibraryWords, made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    entries = make_entries(words, made.length, rng)
    asked = ASKERS[task](words, entries, made.questions, rng)
    found = document_set([entry.text for entry in entries], asked, rng)
    yield keyed(SOURCES[MADE[task]], number, found.texts, found.asked)


ASKERS = {"single": single, "chained": chained}
SIZES = {
    "small": Size(histories=2, length=58, questions=12),
    "medium": Size(histories=5, length=250, questions=50),
    "large": Size(histories=5, length=1_000, questions=100),
}
SPECS = tuple(
    Spec(name=f"documents {task}", sizes=SIZES, begin=in_half(library_words), rows=partial(_rows, task))
    for task in ASKERS
)
