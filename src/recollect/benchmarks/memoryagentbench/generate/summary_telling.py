"""A story told so that it can be summed up what becomes of each thing: a plot's ledger in text and in summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.generate.catalogue import read_catalogue
from recollect.benchmarks.memoryagentbench.generate.event_plots import Happening
from recollect.benchmarks.memoryagentbench.generate.event_telling import Cast, Told, summary, tell
from recollect.benchmarks.memoryagentbench.generate.event_words import StoryWords, Tale, story_words

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
    half = "held_out" if held_out else "usual"
    data: Mapping[str, Any] = read_catalogue("summaries.yaml")[half]
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
