"""Invented detective stories, each with questions about its one case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.detective import CHOICES, MADE, asked_of, question_text
from recollect.benchmarks.memoryagentbench.generate.detective_cases import (
    ASKS,
    CREDITOR,
    GRID,
    REASONING,
    SPOTS,
    Case,
    Clue,
    Query,
    draw_case,
    draw_queries,
)
from recollect.benchmarks.memoryagentbench.generate.event_rows import balanced_places
from recollect.benchmarks.memoryagentbench.generate.event_telling import story_words
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, half_of, in_half
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.dealing import Bag
from recollect.worlds.names import draw_names

PER_CHAPTER = 24
"""Paragraphs, about."""
TRIES = 200
MANY = 3
"""So many clues and more have one label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSize(Size):
    """How much is made; of elimination there are three questions and of tools one, whatever the size."""

    guests: int


def _rows(words: CaseWords, made: CaseSize, number: int, rng: Random) -> Iterator[Keyed]:
    case, queries = _solvable(made, rng)
    teller = CaseTeller(words, made.guests, rng)
    book = _told(case, teller, made.length, rng)
    places = balanced_places(len(queries), CHOICES, rng)
    asked = [_asked(query, teller, book, place, rng) for query, place in zip(queries, places, strict=True)]
    yield keyed(SOURCES[MADE], number, book.passages, asked)


def _solvable(made: CaseSize, rng: Random) -> tuple[Case, list[Query]]:
    """The first case drawn that gives all questions."""
    found = ""
    for _ in range(TRIES):
        case = draw_case(made.guests, rng)
        try:
            return case, draw_queries(case, made.questions, rng)
        except ValueError as error:
            found = str(error)
    raise ValueError(f"none of {TRIES} cases gives all questions; of the last, {found}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Book:
    """A story and where its clues are."""

    passages: tuple[str, ...]
    places: dict[Clue, int]


def _told(case: Case, teller: CaseTeller, fillings: int, rng: Random) -> _Book:
    """What is known before the evening, then the evening, then the inquiry, with daily life between."""
    introductions = [teller.introduction(guest) for guest in rng.sample(range(case.guests), case.guests)]
    items: list[Clue | str] = [teller.scene("setting"), *introductions]
    parts = _parts(case, teller, rng)
    total = sum(map(len, parts))
    for number, part in enumerate(parts):
        gaps = [teller.filling(after=number > 1) for _ in range(fillings * len(part) // total)]
        items.extend(rng.sample([*part, *gaps], len(part) + len(gaps)))
        items.extend([teller.scene("discovery")] if number == 1 else [])
    items.append(teller.scene("closing"))
    passages: list[str] = []
    places: dict[Clue, int] = {}
    for number, item in enumerate(items):
        if number % PER_CHAPTER == 0:
            passages.append(teller.heading(number // PER_CHAPTER + 1))
        if isinstance(item, Clue):
            places[item] = len(passages)
        passages.append(teller.clue(item) if isinstance(item, Clue) else item)
    return _Book(passages=tuple(f"{text}\n\n" for text in passages), places=places)


def _parts(case: Case, teller: CaseTeller, rng: Random) -> list[list[Clue | str]]:
    def of(*kinds: str) -> list[Clue | str]:
        return [clue for clue in sorted(case.told) if clue.kind.partition(" ")[0] in kinds]

    def false(*kinds: str) -> list[str]:
        return [teller.clue(clue, decoy=True) for clue in case.decoys if clue.kind in kinds]

    searched = [clue.subject for clue in case.told if clue.kind == "searched"]
    looked = [teller.clue(Clue("searched", spot), decoy=True) for spot in (case.hidden, rng.choice(sorted(searched)))]
    return [
        [*of("thing", CREDITOR, "trait"), *false("thing", "hour")],
        of("place", "hour", "seen"),
        [*of("gone", "mark", "tool", "searched"), *false("place"), *looked],
    ]


def _asked(query: Query, teller: CaseTeller, book: _Book, place: int, rng: Random) -> Asked:
    kind = query.path[-1] if query.path else query.kind
    right, *wrong = (teller.value(kind, value) for value in query.options)
    options: Sequence[str] = rng.sample(wrong, len(wrong))
    options = [*options[:place], right, *options[place:]]
    asked = asked_of(question_text(teller.ask(query), options), [f"{'ABCD'[place]}. {right}"])
    labels = {
        "clues": str(len(query.needs)) if len(query.needs) < MANY else f"{MANY}+",
        "reasoning": REASONING[query.kind],
        "asks": ASKS.get(kind, {"spot": "where"}.get(kind, kind)),
    }
    evidence = tuple(sorted(book.places[clue] for clue in query.needs))
    return replace(asked, evidence=evidence, labels={**asked.labels, **labels})


CaseWords = Mapping[str, Any]
REPEATS = 30
LATE = 0.1
"""Share of the fillings behind the theft that speak of it."""
PRONOUNS = {
    "women": {"he": "she", "him": "her", "his": "her"},
    "men": {"he": "he", "him": "him", "his": "his"},
}


@cache
def case_words(*, held_out: bool) -> CaseWords:
    """The usual words, or those that no other size uses."""
    data: CaseWords = half_of("detective.yaml", held_out=held_out)
    story = story_words(held_out=held_out)
    return {**data, "names": story.people, "titles": story.titles}


class CaseTeller:
    """Puts the clues of one case into words; no wording comes again before all of its kind were there."""

    def __init__(self, words: CaseWords, guests: int, rng: Random) -> None:
        self._words, self._rng = words, rng
        self._bags: dict[str, Bag[str]] = {}
        self._used: set[str] = set()
        women = guests // 2
        names = draw_names(words["names"], {"women": women, "men": guests - women}, rng)
        both = [(name, sex) for sex in ("women", "men") for name in names[sex]]
        self._guests = rng.sample(both, guests)
        self._trades = rng.sample(words["trades"], guests)
        self._values = {
            "place": [" ".join(place) for place in rng.sample(words["places"], guests)],
            "thing": rng.sample(words["things"], guests),
            "hour": rng.sample(words["hours"], guests),
        }
        self._spots = [" ".join(spot) for spot in rng.sample(words["spots"], SPOTS)]
        self._loot = rng.choice(words["loot"])

    @property
    def guests(self) -> int:
        """How many there are."""
        return len(self._guests)

    def value(self, kind: str, value: int) -> str:
        """What an option says; `who`, `spot`, `when` or a kind of the grid."""
        if kind == "who":
            return self._guests[value][0]
        if kind == "spot":
            return self._spots[value]
        if kind == "when":
            times: Sequence[str] = self._words["times"]
            return f"between {times[value]} and {times[value + 1]}"
        found: str = self._values[kind][value]
        return found

    def clue(self, clue: Clue, *, decoy: bool = False) -> str:
        """The clue as the story tells it; a decoy is told of another time."""
        if clue.kind == "mark":
            return self._filled(self._words["traits"][clue.subject]["mark"][clue.value])
        if clue.kind.startswith("trait"):
            place = int(clue.kind.partition(" ")[2])
            side = "had" if clue.value else "lacked"
            return self._filled(self._draw(f"{clue.kind} {side}", self._words["traits"][place][side]), clue.subject)
        name = f"{clue.kind}_decoy" if decoy else clue.kind
        return self._filled(self._draw(name, self._words[name]), *self._slots(clue))

    def _slots(self, clue: Clue) -> tuple[int | None, int | None, dict[str, str]]:
        if clue.kind == "searched":
            return None, None, {"spot": self._spots[clue.subject]}
        if clue.kind in {"seen", "gone"}:
            times = self._words["times"]
            return None, None, {"time": times[clue.subject + (clue.kind == "gone")]}
        if clue.kind == CREDITOR:
            return clue.subject, clue.value, {}
        return clue.subject, None, self._named(clue.kind, clue.value) if clue.kind in GRID else {}

    def _named(self, kind: str, value: int) -> dict[str, str]:
        return {{"place": "at", "thing": "t", "hour": "h"}[kind]: self._values[kind][value]}

    def ask(self, query: Query) -> str:
        """The question in words."""
        pattern = self._words["ask"]["-".join(query.path) if query.kind in {"cell", "chain"} else query.kind]
        if query.kind == "cell":
            return self._filled(pattern, query.subject)
        named = self._named(query.path[0], query.subject) if query.kind == "chain" else {}
        return self._filled(pattern, None, None, named)

    def scene(self, name: str) -> str:
        """`setting`, `discovery` or `closing`."""
        return self._filled(self._draw(name, self._words[name]))

    def introduction(self, guest: int) -> str:
        """Who a guest is."""
        return self._filled(self._draw("intro", self._words["intro"]), guest)

    def filling(self, *, after: bool) -> str:
        """A paragraph in which nothing is to be learned, new while there are any; some are for *after* the theft."""
        for _ in range(REPEATS):
            text = self._filling(after=after)
            if text not in self._used:
                break
        self._used.add(text)
        return text

    def _filling(self, *, after: bool) -> str:
        late = after and self._rng.random() < LATE
        name = "filler_after" if late else "filler"
        pattern = self._draw(name, self._words[name])
        one, other = self._rng.sample(range(self.guests), 2)
        lists = {
            name: self._draw(name, items) for name, items in self._words["lists"].items() if f"{{{name}}}" in pattern
        }
        return self._filled(pattern, one, other, lists)

    def heading(self, number: int) -> str:
        """Of a chapter."""
        return f"CHAPTER {number}. {self._draw('titles', self._words['titles'])}"

    def _draw(self, name: str, items: Sequence[str]) -> str:
        if name not in self._bags:
            self._bags[name] = Bag(list(items), self._rng)
        return self._bags[name].draw()

    def _filled(
        self, pattern: str, one: int | None = None, other: int | None = None, more: Mapping[str, str] | None = None
    ) -> str:
        slots = {"loot": self._loot, **(more or {})}
        if one is not None:
            name, sex = self._guests[one]
            slots |= {"a": name, "trade": self._trades[one], **PRONOUNS[sex]}
            slots["He"] = slots["he"].capitalize()
        if other is not None:
            slots["b"] = self._guests[other][0]
        text = pattern.format_map(slots)
        for article in ("a", "A"):
            for vowel in "aeio":
                text = text.replace(f" {article} {vowel}", f" {article}n {vowel}")
        return _sentences(text)


def _sentences(text: str) -> str:
    """With a capital at each start, where a slot may have brought a small one."""
    parts = text.split(". ")
    return ". ".join(part[:1].upper() + part[1:] for part in parts)


SIZES = {
    "small": CaseSize(histories=2, guests=6, length=180, questions=1),
    "medium": CaseSize(histories=6, guests=8, length=500, questions=2),
    "large": CaseSize(histories=10, guests=10, length=2_000, questions=2),
}
SPECS = (Spec(name="cases", sizes=SIZES, begin=in_half(case_words), rows=_rows),)
