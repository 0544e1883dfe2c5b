"""Invented stories, each with requests for summaries of what becomes of one thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.summary import MADE, asked_of
from recollect.benchmarks.memoryagentbench.generate import event_telling as telling
from recollect.benchmarks.memoryagentbench.generate.event_plots import Happening, Town
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, half_of, in_half
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed
from recollect.worlds.dealing import first_fitting

PEOPLE, PLACES = 7, 10
SHORTEST = 4
"""Least entries of a ledger that is asked for."""
TRIES = 200
WORDS_A_POINT = 14


def _ledger(story: Sequence[Happening], thing: int) -> list[int]:
    """Numbers of the events by which a thing changes hands or place."""
    return [number for number, event in enumerate(story) if event.thing == thing and event.kind in MAIN]


MAIN = ("find", "hide", "lose", "steal", "give", "sell")
"""Kinds of event by which a thing changes hands or place: what its ledger holds."""
_MARK = "\x1f"
"""Separates an event from what precedes and follows it, until they are cut."""


class Wordings(NamedTuple):
    """How one kind of entry is told."""

    told: tuple[str, ...]
    point: tuple[str, ...]
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerWords:
    """All words of ledgers."""

    story: telling.StoryWords
    """The setting, with the entries of ledgers in our words."""
    entries: Mapping[str, Wordings]
    asks: tuple[str, ...]


@cache
def ledger_words(*, held_out: bool) -> LedgerWords:
    """The usual words, or those that no other size uses."""
    data: Mapping[str, Any] = half_of("summaries.yaml", held_out=held_out)
    entries = {kind: Wordings(*(tuple(data[kind][part]) for part in Wordings._fields)) for kind in MAIN}
    story = telling.story_words(held_out=held_out)
    tales = {
        kind: telling.Tale(tale.summary, entries[kind].told if kind in entries else tale.told)
        for kind, tale in story.tales.items()
    }
    return LedgerWords(story=replace(story, tales=tales), entries=entries, asks=tuple(data["ask"]))


def told_story(words: LedgerWords, cast: telling.Cast, story: Sequence[Happening], rng: Random) -> telling.Told:
    """The story; what precedes or follows an event has a paragraph of its own."""
    marked = replace(
        words.story,
        leads=tuple(f"{lead}{_MARK}" for lead in words.story.leads),
        codas=tuple(f"{_MARK}{coda}" for coda in words.story.codas),
    )
    told = telling.tell(marked, cast, story, rng)
    paragraphs: list[str] = []
    places: dict[int, int] = {}
    for number, passage in enumerate(told.passages):
        before, led, rest = passage.rpartition(f"{_MARK} ")
        event, closed, after = rest.partition(f" {_MARK}")
        places[number] = len(paragraphs) + bool(led)
        paragraphs += [*([before] if led else []), event, *([after] if closed else [])]
    return telling.Told(
        tuple(f"{paragraph.strip()}\n\n" for paragraph in paragraphs),
        tuple(places[place] for place in told.places),
    )


def short_name(thing: str) -> str:
    """`the ship's ledger` -> `the ledger`, `the deed of sale` -> `the deed`."""
    return f"the {thing.partition(' of ')[0].split()[-1]}"


def _sentence(words: LedgerWords, cast: telling.Cast, entry: Happening, pattern: str) -> str:
    """The entry by *pattern*, with the slots of the story's own telling."""
    tales = {**words.story.tales, entry.kind: telling.Tale(pattern, ())}
    return telling.summary(replace(words.story, tales=tales), cast, entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySize(Size):
    """How much is made."""

    things: int
    """Per story; some are asked about, each once."""


def _rows(words: LedgerWords, made: StorySize, number: int, rng: Random) -> Iterator[Keyed]:
    def draw(_: int) -> tuple[list[Happening], list[int]] | None:
        story = Town(people=PEOPLE, things=made.things, places=PLACES, rng=rng).live(made.length)
        eventful = [thing for thing in range(made.things) if len(_ledger(story, thing)) >= SHORTEST]
        return (story, eventful) if len(eventful) >= made.questions else None

    failure = f"none of {TRIES} stories of {made.length} events has {made.questions} ledgers of {SHORTEST}"
    story, eventful = first_fitting(draw, TRIES, failure)
    cast = telling.draw_cast(words.story, people=PEOPLE, things=made.things, places=PLACES, rng=rng)
    told = told_story(words, cast, story, rng)
    # in a gold summary, only the first sentence has the whole name of the thing
    later = replace(cast, things=tuple(map(short_name, cast.things)))
    questions = []
    for thing in sorted(rng.sample(eventful, made.questions)):
        numbers, about = _ledger(story, thing), cast.things[thing]
        ledger = [story[event] for event in numbers]
        text = rng.choice(words.asks).format(o=about, words=WORDS_A_POINT * len(ledger))
        summary = [
            _sentence(words, later if place else cast, event, rng.choice(words.entries[event.kind].gold))
            for place, event in enumerate(ledger)
        ]
        points = [_sentence(words, cast, event, rng.choice(words.entries[event.kind].point)) for event in ledger]
        evidence = [told.places[event] for event in numbers]
        gold = (" ".join(summary),)
        questions.append(asked_of(text=text, gold=gold, points=points, about=about, evidence=evidence))
    yield keyed(SOURCES[MADE], number, told.passages, questions)


SIZES = {
    "small": StorySize(histories=2, length=80, things=8, questions=4),
    "medium": StorySize(histories=5, length=220, things=10, questions=8),
    "large": StorySize(histories=5, length=600, things=10, questions=10),
}
SPECS = (Spec(name="summaries", sizes=SIZES, begin=in_half(ledger_words), rows=_rows),)
