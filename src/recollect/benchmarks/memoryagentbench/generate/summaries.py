"""Invented stories, each with summaries that are asked for: what becomes of one thing after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.summary import MADE, asked_of
from recollect.benchmarks.memoryagentbench.generate.event_plots import Happening, Town
from recollect.benchmarks.memoryagentbench.generate.event_telling import (
    Cast,
    StoryWords,
    Tale,
    Told,
    draw_cast,
    story_words,
    summary,
    tell,
)
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, half_of, in_half
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.worlds.dealing import first_fitting

PEOPLE, PLACES = 7, 10
SHORTEST = 4
"""Entries that a ledger must have to be asked for."""
TRIES = 200
WORDS_A_POINT = 14


def _plot(made: StorySize, rng: Random) -> list[Happening]:
    def story(_: int) -> list[Happening] | None:
        lived = Town(people=PEOPLE, things=made.things, places=PLACES, rng=rng).live(made.length)
        return lived if len(_eventful(made, lived)) >= made.questions else None

    failure = f"none of {TRIES} stories of {made.length} events has {made.questions} ledgers of {SHORTEST}"
    return first_fitting(story, TRIES, failure)


def _ledger(story: Sequence[Happening], thing: int) -> list[int]:
    """Numbers of the events by which a thing changes hands or place."""
    return [number for number, event in enumerate(story) if event.thing == thing and event.kind in MAIN]


def _eventful(made: StorySize, story: Sequence[Happening]) -> list[int]:
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


MAIN = ("find", "hide", "lose", "steal", "give", "sell")
"""Kinds of event by which a thing changes hands or place: what its ledger holds."""
_MARK = "\x1f"
"""Between an event and what stands before or behind it, until they are cut."""


class Wordings(NamedTuple):
    """How one kind of entry is told."""

    told: tuple[str, ...]
    point: tuple[str, ...]
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerWords:
    """All that ledgers are told with."""

    story: StoryWords
    """The setting, with the entries of ledgers told in our words."""
    entries: Mapping[str, Wordings]
    asks: tuple[str, ...]


@cache
def ledger_words(*, held_out: bool) -> LedgerWords:
    """The usual words, or those that no other size uses."""
    data: Mapping[str, Any] = half_of("summaries.yaml", held_out=held_out)
    entries = {kind: Wordings(*(tuple(data[kind][part]) for part in Wordings._fields)) for kind in MAIN}
    story = story_words(held_out=held_out)
    tales = {
        kind: Tale(tale.summary, entries[kind].told if kind in entries else tale.told)
        for kind, tale in story.tales.items()
    }
    return LedgerWords(story=replace(story, tales=tales), entries=entries, asks=tuple(data["ask"]))


def told_story(words: LedgerWords, cast: Cast, story: Sequence[Happening], rng: Random) -> Told:
    """The story; what goes before an event or comes after it has a paragraph of its own."""
    marked = replace(
        words.story,
        leads=tuple(f"{lead}{_MARK}" for lead in words.story.leads),
        codas=tuple(f"{_MARK}{coda}" for coda in words.story.codas),
    )
    told = tell(marked, cast, story, rng)
    cut = [_cut(text) for text in told.passages]
    starts = [0, *accumulate(len(one.paragraphs) for one in cut)]
    return Told(
        tuple(f"{text.strip()}\n\n" for one in cut for text in one.paragraphs),
        tuple(starts[place] + cut[place].event for place in told.places),
    )


class _Cut(NamedTuple):
    """A passage, cut where its marks are."""

    paragraphs: tuple[str, ...]
    event: int
    """Which of them tells the event."""


def _cut(text: str) -> _Cut:
    before, led, rest = text.rpartition(f"{_MARK} ")
    event, closed, after = rest.partition(f" {_MARK}")
    return _Cut((*([before] if led else []), event, *([after] if closed else [])), int(bool(led)))


def points(words: LedgerWords, cast: Cast, ledger: Sequence[Happening], rng: Random) -> tuple[str, ...]:
    """Each entry of a ledger as a key point, which can be told from all others."""
    return tuple(_sentence(words, cast, entry, rng.choice(words.entries[entry.kind].point)) for entry in ledger)


def gold_summary(words: LedgerWords, cast: Cast, ledger: Sequence[Happening], rng: Random) -> str:
    """The ledger in other words, a sentence an entry; the thing has its whole name the first time only."""
    later = replace(cast, things=tuple(map(short_name, cast.things)))
    told = (
        _sentence(words, later if number else cast, entry, rng.choice(words.entries[entry.kind].gold))
        for number, entry in enumerate(ledger)
    )
    return " ".join(told)


def short_name(thing: str) -> str:
    """`the ship's ledger` -> `the ledger`, `the deed of sale` -> `the deed`."""
    return f"the {thing.partition(' of ')[0].split()[-1]}"


def _sentence(words: LedgerWords, cast: Cast, entry: Happening, pattern: str) -> str:
    """The entry by *pattern*, with the slots of the story's own telling."""
    tales = {**words.story.tales, entry.kind: Tale(pattern, ())}
    return summary(replace(words.story, tales=tales), cast, entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySize(Size):
    """How much is made."""

    things: int
    """Of a story; some are asked about, each once."""


def _rows(words: LedgerWords, made: StorySize, number: int, rng: Random) -> Iterator[Keyed]:
    story = _plot(made, rng)
    cast = draw_cast(words.story, people=PEOPLE, things=made.things, places=PLACES, rng=rng)
    told = told_story(words, cast, story, rng)
    book = _Book(words=words, cast=cast, story=story, told=told)
    chosen = sorted(rng.sample(_eventful(made, story), made.questions))
    asked = [_asked(book, thing, rng) for thing in chosen]
    yield keyed(SOURCES[MADE], number, told.passages, asked)


SIZES = {
    "small": StorySize(histories=2, length=80, things=8, questions=4),
    "medium": StorySize(histories=5, length=220, things=10, questions=8),
    "large": StorySize(histories=5, length=600, things=10, questions=10),
}
SPECS = (Spec(name="summaries", sizes=SIZES, begin=in_half(ledger_words), rows=_rows),)
