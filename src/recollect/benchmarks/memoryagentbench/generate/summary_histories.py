"""Invented stories, each with summaries that are asked for: what becomes of one thing after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.summary import MADE, asked_of
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.event_plots import Happening, Town
from recollect.benchmarks.memoryagentbench.generate.event_telling import Cast, Told, draw_cast
from recollect.benchmarks.memoryagentbench.generate.summary_telling import (
    MAIN,
    LedgerWords,
    gold_summary,
    ledger_words,
    points,
    told_story,
)
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed

PEOPLE, PLACES = 7, 10
SHORTEST = 4
"""Entries that a ledger must have to be asked for."""
TRIES = 200
WORDS_A_POINT = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    events: int
    """That a story tells."""
    things: int
    questions: int
    """Of a story, each about another thing."""


SIZES = {
    "small": Size(histories=2, events=80, things=8, questions=4),
    "medium": Size(histories=5, events=220, things=10, questions=8),
    "large": Size(histories=5, events=600, things=10, questions=10),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row a story.

    Raises:
        ValueError: In no story of many do so many things change hands or place often enough.
    """
    made, words = SIZES[size], ledger_words(held_out=held_out)
    for number in range(made.histories):
        rng = Random(seed_of("summaries", size, seed, number, held_out=held_out))
        story = _plot(made, rng)
        cast = draw_cast(words.story, people=PEOPLE, things=made.things, places=PLACES, rng=rng)
        told = told_story(words, cast, story, rng)
        book = _Book(words=words, cast=cast, story=story, told=told)
        chosen = sorted(rng.sample(_eventful(made, story), made.questions))
        asked = [_asked(book, thing, rng) for thing in chosen]
        yield keyed(SOURCES[MADE], number, told.passages, asked)


def _plot(made: Size, rng: Random) -> list[Happening]:
    for _ in range(TRIES):
        story = Town(people=PEOPLE, things=made.things, places=PLACES, rng=rng).live(made.events)
        if len(_eventful(made, story)) >= made.questions:
            return story
    raise ValueError(f"none of {TRIES} stories of {made.events} events has {made.questions} ledgers of {SHORTEST}")


def _ledger(story: Sequence[Happening], thing: int) -> list[int]:
    """Numbers of the events by which a thing changes hands or place."""
    return [number for number, event in enumerate(story) if event.thing == thing and event.kind in MAIN]


def _eventful(made: Size, story: Sequence[Happening]) -> list[int]:
    return [thing for thing in range(made.things) if len(_ledger(story, thing)) >= SHORTEST]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Book:
    """A story, and how it is told."""

    words: LedgerWords
    cast: Cast
    story: Sequence[Happening]
    told: Told


def _asked(book: _Book, thing: int, rng: Random) -> Asked:
    numbers = _ledger(book.story, thing)
    ledger = [book.story[number] for number in numbers]
    about = book.cast.things[thing]
    return asked_of(
        text=rng.choice(book.words.asks).format(o=about, words=WORDS_A_POINT * len(ledger)),
        gold=(gold_summary(book.words, book.cast, ledger, rng),),
        points=points(book.words, book.cast, ledger, rng),
        about=about,
        evidence=tuple(book.told.places[number] for number in numbers),
    )
