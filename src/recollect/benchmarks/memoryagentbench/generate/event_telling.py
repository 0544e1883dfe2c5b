"""A plot as a story of chapters: events in the order in which they happened, with daily life between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.generate.event_plots import Happening
from recollect.benchmarks.memoryagentbench.generate.spec import half_of
from recollect.worlds.dealing import Bag
from recollect.worlds.names import draw_names
from recollect.worlds.patterns import capital

PER_CHAPTER = 9
"""Events of a chapter, about."""
FILLED = 0.6
"""Chance of a paragraph without an event before one with an event."""
LED, CLOSED = 0.35, 0.45
"""Chance of a sentence before an event, and after it."""
TRIES = 30
_PRONOUNS = {
    "women": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "men": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
}
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


class Person(NamedTuple):
    """Somebody of the story."""

    name: str
    sex: str
    trade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The meanings of a plot's numbers."""

    people: tuple[Person, ...]
    things: tuple[str, ...]
    places: tuple[int, ...]
    """Numbers in the words' list."""


class Told(NamedTuple):
    """A story and where its events are."""

    passages: tuple[str, ...]
    """Paragraphs, each with a blank line after it."""
    places: tuple[int, ...]
    """Event -> number of its passage."""


def draw_cast(words: StoryWords, *, people: int, things: int, places: int, rng: Random) -> Cast:
    """People with names and trades, things and places, none twice."""
    women = people // 2
    names = draw_names(words.people, {"women": women, "men": people - women}, rng)
    trades = rng.sample(words.trades, people)
    both = [(name, sex) for sex in ("women", "men") for name in names[sex]]
    rng.shuffle(both)
    return Cast(
        people=tuple(Person(name, sex, trade) for (name, sex), trade in zip(both, trades, strict=True)),
        things=tuple(rng.sample(words.things, things)),
        places=tuple(rng.sample(range(len(words.places)), places)),
    )


def tell(words: StoryWords, cast: Cast, story: Sequence[Happening], rng: Random) -> Told:
    """The events as paragraphs, in order, with chapter headings and filling."""
    teller = _Teller(words, cast, rng)
    passages: list[str] = []
    places: list[int] = []
    for number, event in enumerate(story):
        if number % PER_CHAPTER == 0:
            passages.extend(teller.opening(number // PER_CHAPTER + 1))
        elif rng.random() < FILLED:
            passages.append(teller.filling())
        places.append(len(passages))
        passages.append(teller.event(event))
    return Told(tuple(f"{text}\n\n" for text in passages), tuple(places))


def summary(words: StoryWords, cast: Cast, event: Happening) -> str:
    """The event in one plain sentence, as questions name it."""
    return _filled(words.tales[event.kind].summary, _slots(words, cast, event))


def _slots(words: StoryWords, cast: Cast, event: Happening) -> dict[str, str]:
    """Values of all slots; a slot with a capital begins a sentence."""
    actor, other = cast.people[event.actor], cast.people[event.other]
    place = words.places[cast.places[event.place]]
    slots = {
        "a": actor.name,
        "b": other.name,
        "o": cast.things[event.thing],
        "p": place.name,
        "at": f"{place.preposition} {place.name}",
        "nook": place.nook,
        "trade": actor.trade,
        **_PRONOUNS[actor.sex],
        **{f"b{word}": value for word, value in _PRONOUNS[other.sex].items()},
    }
    return slots | {word.capitalize(): capital(value) for word, value in slots.items() if word not in {"a", "b"}}


def _filled(pattern: str, slots: dict[str, str]) -> str:
    return _ARTICLE.sub(r"\1n ", capital(pattern.format_map(slots)))


class _Teller:
    """Words the paragraphs of one story."""

    def __init__(self, words: StoryWords, cast: Cast, rng: Random) -> None:
        self._words, self._cast, self._rng = words, cast, rng
        self._told = {kind: Bag(tale.told, rng) for kind, tale in words.tales.items()}
        self._fillings = {kind: Bag(items, rng) for kind, items in words.fillings.items()}
        self._kinds = Bag(sorted(words.fillings), rng)
        self._titles, self._openings = Bag(words.titles, rng), Bag(words.openings, rng)
        self._leads, self._codas = Bag(words.leads, rng), Bag(words.codas, rng)
        self._reasons: dict[tuple[int, int], str] = {}
        self._reason = Bag(words.reasons, rng)
        self._said: set[str] = set()

    def opening(self, number: int) -> Iterator[str]:
        """A heading, and the weather."""
        yield f"CHAPTER {number}. {self._titles.draw()}"
        yield f"{self._openings.draw()} {self._sentence('scenery')}"

    def event(self, event: Happening) -> str:
        """One event in one of its wordings, perhaps with a sentence before and after it."""
        slots = _slots(self._words, self._cast, event)
        sentences = [self._told[event.kind].draw()]
        if self._rng.random() < LED:
            sentences.insert(0, self._leads.draw())
        if self._rng.random() < CLOSED:
            sentences.append(self._codas.draw())
        return " ".join(_filled(sentence, slots) for sentence in sentences)

    def filling(self) -> str:
        """A paragraph in which nothing happens; none comes twice while there are others."""
        text = ""
        for _ in range(TRIES):
            text = self._sentence(self._kinds.draw())
            if text not in self._said:
                break
        self._said.add(text)
        return text

    def _sentence(self, kind: str) -> str:
        rng = self._rng
        actor, other = rng.sample(range(len(self._cast.people)), 2)
        thing, place = rng.randrange(len(self._cast.things)), rng.randrange(len(self._cast.places))
        slots = _slots(self._words, self._cast, Happening("", actor, other, thing, place))
        why = self._reasons.setdefault((actor, thing), self._reason.draw())
        return _filled(self._fillings[kind].draw(), {**slots, "why": why.format_map(slots)})


class Place(NamedTuple):
    """Somewhere that things happen."""

    preposition: str
    name: str
    nook: str


class Tale(NamedTuple):
    """How one kind of event is told."""

    summary: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryWords:
    """All words of one setting."""

    people: Mapping[str, Sequence[Sequence[str]]]
    """`women` and `men` -> parts of their names."""
    trades: tuple[str, ...]
    things: tuple[str, ...]
    places: tuple[Place, ...]
    reasons: tuple[str, ...]
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    leads: tuple[str, ...]
    codas: tuple[str, ...]
    fillings: Mapping[str, tuple[str, ...]]
    tales: Mapping[str, Tale]


@cache
def story_words(*, held_out: bool) -> StoryWords:
    """The usual words, or those that no other size uses."""
    data: Mapping[str, Any] = half_of("events.yaml", held_out=held_out)
    lists = ("trades", "things", "reasons", "titles", "openings", "leads", "codas")
    return StoryWords(
        people={"women": data["women"], "men": data["men"]},
        places=tuple(Place(*place) for place in data["places"]),
        fillings={kind: tuple(data[kind]) for kind in ("scenery", "thoughts", "talk", "life")},
        tales={kind: Tale(tale["summary"], tuple(tale["told"])) for kind, tale in data["tales"].items()},
        **{name: tuple(data[name]) for name in lists},
    )
