"""Invented detective stories, each with questions about its one case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.detective import CHOICES, MADE, asked_of, question_text
from recollect.benchmarks.memoryagentbench.generate import detective_cases as cases
from recollect.benchmarks.memoryagentbench.generate.event_rows import balanced_places
from recollect.benchmarks.memoryagentbench.generate.event_telling import story_words
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, half_of, in_half
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.dealing import Bag
from recollect.worlds.names import draw_names
from recollect.worlds.patterns import capital

_ARTICLE = re.compile(r" ([Aa]) (?=[aeio])")
PER_CHAPTER = 24
"""Paragraphs, about."""
TRIES = 200
MANY = 3
"""Numbers of clues from here on share one label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSize(Size):
    """How much is made; every size has three questions by elimination and one about a tool."""

    guests: int


def _rows(words: CaseWords, made: CaseSize, number: int, rng: Random) -> Iterator[Keyed]:
    case, queries = solvable_case(made, rng)
    teller = CaseTeller(words, made.guests, rng)
    passages: list[str] = []
    places: dict[cases.Clue, int] = {}
    for position, item in enumerate(_story(case, teller, made.length, rng)):
        if position % PER_CHAPTER == 0:
            passages.append(teller.heading(position // PER_CHAPTER + 1))
        if isinstance(item, cases.Clue):
            places[item] = len(passages)
        passages.append(teller.clue(item) if isinstance(item, cases.Clue) else item)
    letters = balanced_places(len(queries), CHOICES, rng)
    asked = [_asked(query, teller, places, place, rng) for query, place in zip(queries, letters, strict=True)]
    yield keyed(SOURCES[MADE], number, [f"{passage}\n\n" for passage in passages], asked)


def solvable_case(made: CaseSize, rng: Random) -> tuple[cases.Case, list[cases.Query]]:
    """The first case drawn that gives all questions.

    Raises:
        ValueError: None does.
    """
    problem = ""
    for _ in range(TRIES):
        case = cases.draw_case(made.guests, rng)
        try:
            return case, cases.draw_queries(case, made.questions, rng)
        except ValueError as error:
            problem = str(error)
    raise ValueError(f"none of {TRIES} cases gives all questions; of the last, {problem}")


def _story(case: cases.Case, teller: CaseTeller, fillings: int, rng: Random) -> list[cases.Clue | str]:
    """What is known before the evening, then the evening, then the inquiry, with daily life between."""

    def clues(*kinds: str) -> list[cases.Clue | str]:
        return [clue for clue in sorted(case.told) if clue.kind.partition(" ")[0] in kinds]

    def decoys(*kinds: str) -> list[str]:
        return [teller.clue(clue, decoy=True) for clue in case.decoys if clue.kind in kinds]

    introductions = [teller.introduction(guest) for guest in rng.sample(range(case.guests), case.guests)]
    story: list[cases.Clue | str] = [teller.scene("setting"), *introductions]
    searched = [clue.subject for clue in case.told if clue.kind == "searched"]
    looked = [
        teller.clue(cases.Clue("searched", spot), decoy=True) for spot in (case.hidden, rng.choice(sorted(searched)))
    ]
    parts = [
        [*clues("thing", cases.CREDITOR, "trait"), *decoys("thing", "hour")],
        clues("place", "hour", "seen"),
        [*clues("gone", "mark", "tool", "searched"), *decoys("place"), *looked],
    ]
    total = sum(map(len, parts))
    for number, part in enumerate(parts):
        gaps = [teller.filling(after=number > 1) for _ in range(fillings * len(part) // total)]
        story.extend(rng.sample([*part, *gaps], len(part) + len(gaps)))
        if number == 1:
            story.append(teller.scene("discovery"))
    return [*story, teller.scene("closing")]


def _asked(query: cases.Query, teller: CaseTeller, places: Mapping[cases.Clue, int], place: int, rng: Random) -> Asked:
    kind = query.path[-1] if query.path else query.kind
    right, *wrong = (teller.value(kind, value) for value in query.options)
    options: Sequence[str] = rng.sample(wrong, len(wrong))
    options = [*options[:place], right, *options[place:]]
    asked = asked_of(question_text(teller.ask(query), options), [f"{'ABCD'[place]}. {right}"])
    labels = {
        "clues": str(len(query.needs)) if len(query.needs) < MANY else f"{MANY}+",
        "reasoning": cases.REASONING[query.kind],
        "asks": cases.ASKS.get(kind, kind),
    }
    evidence = tuple(sorted(places[clue] for clue in query.needs))
    return replace(asked, evidence=evidence, labels={**asked.labels, **labels})


CaseWords = Mapping[str, Any]
REPEATS = 30
LATE = 0.1
"""Share of the fillings after the theft that mention it."""
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
    """Puts the clues of one case into words; no wording recurs before all of its kind were used."""

    def __init__(self, words: CaseWords, guests: int, rng: Random) -> None:
        self._words, self._rng = words, rng
        self._bags: dict[str, Bag[str]] = {}
        self._used: set[str] = set()
        women = guests // 2
        names = draw_names(words["names"], {"women": women, "men": guests - women}, rng)
        both = [(name, sex) for sex in ("women", "men") for name in names[sex]]
        self._guests = rng.sample(both, guests)
        self._trades = rng.sample(words["trades"], guests)
        self._values: dict[str, list[str]] = {
            "place": [" ".join(place) for place in rng.sample(words["places"], guests)],
            "thing": rng.sample(words["things"], guests),
            "hour": rng.sample(words["hours"], guests),
            "spot": [" ".join(spot) for spot in rng.sample(words["spots"], cases.SPOTS)],
            "who": [name for name, _ in self._guests],
            "when": [f"between {start} and {end}" for start, end in pairwise(words["times"])],
        }
        self._loot = rng.choice(words["loot"])

    def value(self, kind: str, value: int) -> str:
        """The text of an option, of kind `who`, `spot`, `when` or one of the grid."""
        return self._values[kind][value]

    def clue(self, clue: cases.Clue, *, decoy: bool = False) -> str:
        """The clue as the story tells it; a decoy is told of another time."""
        if clue.kind == "mark":
            return self._filled(self._words["traits"][clue.subject]["mark"][clue.value])
        if clue.kind.startswith("trait"):
            place = int(clue.kind.partition(" ")[2])
            side = "had" if clue.value else "lacked"
            return self._filled(self._draw(f"{clue.kind} {side}", self._words["traits"][place][side]), clue.subject)
        name = f"{clue.kind}_decoy" if decoy else clue.kind
        pattern = self._draw(name, self._words[name])
        if clue.kind == "searched":
            return self._filled(pattern, more={"spot": self._values["spot"][clue.subject]})
        if clue.kind in {"seen", "gone"}:
            return self._filled(pattern, more={"time": self._words["times"][clue.subject + (clue.kind == "gone")]})
        if clue.kind == cases.CREDITOR:
            return self._filled(pattern, clue.subject, clue.value)
        return self._filled(
            pattern, clue.subject, more=self._named(clue.kind, clue.value) if clue.kind in cases.GRID else {}
        )

    def _named(self, kind: str, value: int) -> dict[str, str]:
        return {{"place": "at", "thing": "t", "hour": "h"}[kind]: self._values[kind][value]}

    def ask(self, query: cases.Query) -> str:
        """The question in words."""
        pattern = self._words["ask"]["-".join(query.path) if query.kind in {"cell", "chain"} else query.kind]
        if query.kind == "cell":
            return self._filled(pattern, query.subject)
        return self._filled(pattern, more=self._named(query.path[0], query.subject) if query.kind == "chain" else {})

    def scene(self, name: str) -> str:
        """`setting`, `discovery` or `closing`."""
        return self._filled(self._draw(name, self._words[name]))

    def introduction(self, guest: int) -> str:
        """Who a guest is."""
        return self._filled(self._draw("intro", self._words["intro"]), guest)

    def filling(self, *, after: bool) -> str:
        """A paragraph without clues, new while there are any; some are for *after* the theft."""
        for _ in range(REPEATS):
            name = "filler_after" if after and self._rng.random() < LATE else "filler"
            pattern = self._draw(name, self._words[name])
            one, other = self._rng.sample(range(len(self._guests)), 2)
            lists = self._words["lists"].items()
            drawn = {slot: self._draw(slot, items) for slot, items in lists if f"{{{slot}}}" in pattern}
            text = self._filled(pattern, one, other, drawn)
            if text not in self._used:
                break
        self._used.add(text)
        return text

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
        text = _ARTICLE.sub(r" \1n ", pattern.format_map(slots))
        return ". ".join(map(capital, text.split(". ")))


SIZES = {
    "small": CaseSize(histories=2, guests=6, length=180, questions=1),
    "medium": CaseSize(histories=6, guests=8, length=500, questions=2),
    "large": CaseSize(histories=10, guests=10, length=2_000, questions=2),
}
SPECS = (Spec(name="cases", sizes=SIZES, begin=in_half(case_words), rows=_rows),)
