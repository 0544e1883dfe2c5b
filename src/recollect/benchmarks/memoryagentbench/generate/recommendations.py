"""Invented films that the same people like, and dialogues that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, groupby, islice
from operator import itemgetter
from random import Random
from typing import Any

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families import recommendations as family
from recollect.benchmarks.memoryagentbench.families.blocks import numbered
from recollect.benchmarks.memoryagentbench.generate.spec import Order, Size, Spec, read_catalogue
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.catalogues import half
from recollect.worlds.names import draw_names

GROUP = 7
"""Films per taste: two that a user names, and five that may be recommended."""
WANTED = (1, 2, 3)
DISLIKES = 0.4
"""Share of the dialogues in which the user also names a film that people of this taste do not like."""
YEARS = (1951, 2019)
TRIES = 200

Words = Mapping[str, tuple[str, ...]]
Lines = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """An entity."""

    number: int
    name: str
    year: int

    def __str__(self) -> str:
        return f"{self.name} ({self.year})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A dialogue, or the start of one."""

    text: str
    liked: frozenset[int]
    """Films of one taste."""


@cache
def talk_words(*, held_out: bool) -> Words:
    """The wordings that are shown or those that are held out."""
    given = read_catalogue("recommendations.yaml")
    return {role: half(wordings, held_out=held_out) for role, wordings in given.items() if role != "titles"}


def draw_films(count: int, rng: Random) -> list[Film]:
    """Invented films; numbers say nothing."""
    parts = read_catalogue("recommendations.yaml")["titles"]
    names = draw_names({"film": parts}, {"film": count}, rng)["film"]
    numbers = rng.sample(range(1, 10 * count), count)
    return [
        Film(number=number, name=f"The {name}" if rng.random() < 1 / 2 else name, year=rng.randint(*YEARS))
        for number, name in zip(numbers, names, strict=True)
    ]


def tastes(films: Sequence[Film], rng: Random) -> list[list[Film]]:
    """Films in groups, each liked by the same people; drawn anew for each history."""
    mixed = rng.sample(films, len(films))
    return [mixed[start : start + GROUP] for start in range(0, len(mixed) - GROUP + 1, GROUP)]


class Talker:
    """Writes dialogues."""

    def __init__(self, words: Words, groups: Sequence[Sequence[Film]], rng: Random) -> None:
        self._words, self._groups, self._rng = words, groups, rng
        self._used: set[str] = set()

    def talks(self, count: int) -> list[Talk]:
        """Dialogues in random order, about as many of each taste."""
        made = [self._talk(group) for group in islice(cycle(self._groups), count)]
        self._rng.shuffle(made)
        return made

    def requests(self, talks: Sequence[Talk], count: int) -> list[Asked]:
        """Conversations, at most one of each taste before a second; each has dialogues that tell its answer."""
        turns = cycle(self._rng.sample(self._groups, len(self._groups)))
        made: dict[str, Asked] = {}
        for group in islice(turns, TRIES * count):
            found = self._request(group, talks)
            if found is not None:
                made.setdefault(found.text, found)
            if len(made) == count:
                break
        return list(made.values())

    def _talk(self, group: Sequence[Film]) -> Talk:
        first, second, *recommended = self._rng.sample(group, self._rng.choice((3, 4)))
        lines = self._opening(first, second, group)
        for place, film in enumerate(recommended):
            if place:
                lines.append(("User", self._say("asks_on")))
            suggested = self._say("recommends", a=self._rng.choice((first, second)), c=film)
            lines += [("System", suggested), ("User", self._say("agrees"))]
        lines += [("User", self._say("closings")), ("System", self._say("farewells"))]
        liked = frozenset(film.number for film in (first, second, *recommended))
        return Talk(text=_text(lines), liked=liked)

    def _request(self, group: Sequence[Film], talks: Sequence[Talk]) -> Asked | None:
        """With the dialogues as evidence that name a wanted film and one of the two that the user likes."""
        first, second, *rest = self._rng.sample(group, len(group))
        named = {first.number, second.number}
        known = [film for film in rest if any(film.number in talk.liked and named & talk.liked for talk in talks)]
        if not known:
            return None
        drawn = self._rng.sample(known, min(len(known), self._rng.choice(WANTED)))
        wanted = [film.number for film in drawn]
        naming = [place for place, talk in enumerate(talks) if not talk.liked.isdisjoint(wanted)]
        evidence = tuple(place for place in naming if named & talks[place].liked)
        one = family.asked(_text(self._opening(first, second, group)), [str(number) for number in wanted])
        return replace(one, evidence=evidence, labels={**one.labels, "met": str(len(naming))})

    def _opening(self, first: Film, second: Film, group: Sequence[Film]) -> Lines:
        disliked = None
        if self._rng.random() < DISLIKES:
            disliked = self._rng.choice([film for other in self._groups if other is not group for film in other])
        self._used.clear()
        lines: Lines = [("System", self._say("greetings"))] if self._rng.random() < 1 / 2 else []
        lines.append(("User", self._say("likes", a=first, b=second)))
        if disliked is not None:
            lines.append(("User", self._say("dislikes", x=disliked)))
        return lines

    def _say(self, role: str, **films: Film) -> str:
        wording = self._rng.choice([one for one in self._words[role] if one not in self._used])
        self._used.add(wording)
        return wording.format(**films)


def _text(lines: Lines) -> str:
    """One line per turn; successive lines of one speaker are one turn."""
    turns = groupby(lines, key=itemgetter(0))
    return "\n".join(f"{speaker}: {' '.join(words for _, words in turn)}" for speaker, turn in turns)


def _shared(films: list[Film]) -> dict[str, Any]:
    names = {str(film.number): film.name for film in sorted(films, key=lambda film: film.number)}
    return {family.ENTITIES: names, family.FILMS: list(names)}


def _begin(order: Order) -> tuple[Words, list[Film]]:
    return talk_words(held_out=order.held_out), draw_films(family.MADE_FILMS, order.rng("films", 0))


def _rows(common: tuple[Words, list[Film]], made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    words, films = common
    talker = Talker(words, tastes(films, rng), rng)
    talks = talker.talks(made.length)
    texts = numbered([talk.text for talk in talks], family.WORD)
    questions = talker.requests(talks, made.questions)
    yield family.with_names(keyed(SOURCES[family.MADE], number, texts, questions), _shared(films), search=False)


SIZES = {
    "small": Size(histories=2, length=44, questions=12),
    "medium": Size(histories=5, length=600, questions=40),
    "large": Size(histories=5, length=4_000, questions=200),
}
SPECS = (
    Spec(
        name="recommendations",
        sizes=SIZES,
        begin=_begin,
        rows=_rows,
        shared=lambda order: {family.MADE: _shared(_begin(order)[1])},
    ),
)
