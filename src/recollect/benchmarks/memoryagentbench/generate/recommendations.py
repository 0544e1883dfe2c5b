"""Invented films that the same people like, and dialogues in which that comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.blocks import numbered
from recollect.benchmarks.memoryagentbench.families.recommendations import (
    ENTITIES,
    FILMS,
    MADE,
    MADE_FILMS,
    WORD,
    asked,
    with_names,
)
from recollect.benchmarks.memoryagentbench.generate.spec import Order, Size, Spec, read_catalogue
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.catalogues import half
from recollect.worlds.names import draw_names

GROUP = 7
"""Films of one taste: two that a user names, and five that may be recommended."""
WANTED = (1, 2, 3)
DISLIKES = 0.4
"""Share of the dialogues in which the user also names a film that people of this taste do not like."""
YEARS = (1951, 2019)
TRIES = 200

Lines = list[tuple[str, str]]
"""(speaker, words)."""


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
    """Films that go together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A conversation that waits for a recommendation."""

    text: str
    wanted: tuple[int, ...]
    evidence: tuple[int, ...]
    """Places of the dialogues that say so."""
    met: int
    """Dialogues that name one of the wanted films."""


@cache
def talk_words(*, held_out: bool) -> Mapping[str, tuple[str, ...]]:
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
    """Words dialogues."""

    def __init__(self, words: Mapping[str, Sequence[str]], groups: Sequence[Sequence[Film]], rng: Random) -> None:
        self._words, self._groups, self._rng = words, groups, rng
        self._said: set[str] = set()

    def talks(self, count: int) -> list[Talk]:
        """Dialogues, about as many of each taste, in random order."""
        made = [self._talk(group) for group in islice(cycle(self._groups), count)]
        self._rng.shuffle(made)
        return made

    def requests(self, talks: Sequence[Talk], count: int) -> list[Request]:
        """Conversations, at most one of each taste before a second; each has dialogues that tell its answer."""
        turns = cycle(self._rng.sample(self._groups, len(self._groups)))
        made: dict[str, Request] = {}
        for group in islice(turns, TRIES * count):
            found = self._request(group, talks)
            if found is not None:
                made.setdefault(found.text, found)
            if len(made) == count:
                break
        return list(made.values())

    def _talk(self, group: Sequence[Film]) -> Talk:
        first, second, *recommended = self._rng.sample(group, self._rng.choice((3, 4)))
        lines = self._opening(first, second, self._other(group))
        for place, film in enumerate(recommended):
            asked = [("User", self._say("asks_on"))] if place else []
            suggested = self._say("recommends", a=self._rng.choice((first, second)), c=film)
            lines += [*asked, ("System", suggested), ("User", self._say("agrees"))]
        lines += [("User", self._say("closings")), ("System", self._say("farewells"))]
        liked = frozenset(film.number for film in (first, second, *recommended))
        return Talk(text=_text(lines), liked=liked)

    def _request(self, group: Sequence[Film], talks: Sequence[Talk]) -> Request | None:
        first, second, *rest = self._rng.sample(group, len(group))
        named = {first.number, second.number}
        told = [film for film in rest if any(film.number in talk.liked and named & talk.liked for talk in talks)]
        if not told:
            return None
        drawn = self._rng.sample(told, min(len(told), self._rng.choice(WANTED)))
        wanted = tuple(film.number for film in drawn)
        naming = [place for place, talk in enumerate(talks) if not talk.liked.isdisjoint(wanted)]
        evidence = tuple(place for place in naming if named & talks[place].liked)
        text = _text(self._opening(first, second, self._other(group)))
        return Request(text=text, wanted=wanted, evidence=evidence, met=len(naming))

    def _other(self, group: Sequence[Film]) -> Film | None:
        if self._rng.random() >= DISLIKES:
            return None
        return self._rng.choice([film for other in self._groups if other is not group for film in other])

    def _opening(self, first: Film, second: Film, disliked: Film | None) -> Lines:
        self._said.clear()
        lines: Lines = [("System", self._say("greetings"))] if self._rng.random() < 1 / 2 else []
        lines.append(("User", self._say("likes", a=first, b=second)))
        if disliked is not None:
            lines.append(("User", self._say("dislikes", x=disliked)))
        return lines

    def _say(self, role: str, **films: Film) -> str:
        """A wording that this dialogue has not had yet."""
        wording = self._rng.choice([one for one in self._words[role] if one not in self._said])
        self._said.add(wording)
        return wording.format(**films)


def _text(lines: Lines) -> str:
    """One line for each turn; what one says in a row is one turn."""
    return "\n".join(f"{speaker}: {words}" for speaker, words in _turns(lines))


def _turns(lines: Lines) -> Iterator[tuple[str, str]]:
    held: tuple[str, str] | None = None
    for speaker, words in lines:
        if held is not None and held[0] == speaker:
            held = (speaker, f"{held[1]} {words}")
            continue
        if held is not None:
            yield held
        held = (speaker, words)
    if held is not None:
        yield held


def _shared(films: list[Film]) -> dict[str, Any]:
    names = {str(film.number): film.name for film in sorted(films, key=lambda film: film.number)}
    return {ENTITIES: names, FILMS: list(names)}


def _asked(request: Request) -> Asked:
    one = asked(request.text, [str(number) for number in request.wanted])
    return replace(one, evidence=request.evidence, labels={**one.labels, "met": str(request.met)})


class _Common(NamedTuple):
    """What all histories have in common."""

    words: Mapping[str, tuple[str, ...]]
    films: list[Film]


def _begin(order: Order) -> _Common:
    return _Common(talk_words(held_out=order.held_out), draw_films(MADE_FILMS, order.rng("films", 0)))


def _rows(common: _Common, made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    talker = Talker(common.words, tastes(common.films, rng), rng)
    talks = talker.talks(made.length)
    texts = numbered([talk.text for talk in talks], WORD)
    questions = [_asked(one) for one in talker.requests(talks, made.questions)]
    yield with_names(keyed(SOURCES[MADE], number, texts, questions), _shared(common.films), search=False)


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
        shared=lambda order: {MADE: _shared(_begin(order).films)},
    ),
)
