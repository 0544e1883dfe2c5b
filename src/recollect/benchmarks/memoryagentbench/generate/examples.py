"""Things that people ask for in invented places, as labelled examples with questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.examples import MADE, MADE_LABELS, example, labelled
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec, in_half, read_catalogue
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed

NEW_PATTERNS = 2
"""Patterns of each intent that no example has; a question may."""
TRIES = 2_000
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU])")


class Intent(NamedTuple):
    """Something that people want, in several wordings."""

    name: str
    patterns: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]


class IntentWords(NamedTuple):
    """The words of examples."""

    domains: tuple[tuple[Intent, ...], ...]
    openings: tuple[str, ...]
    endings: tuple[str, ...]


@cache
def intent_words(*, held_out: bool) -> IntentWords:
    """The domains that are shown or those that are held out, with openings and endings of their own."""
    data = read_catalogue("intents.yaml")
    which = "held_out" if held_out else "shown"
    domains = []
    for domain, given in data["domains"].items():
        if given["held_out"] is held_out:
            slots = {slot: tuple(values) for slot, values in given["slots"].items()}
            intents = given["intents"].items()
            domains.append(tuple(Intent(f"{domain}: {name}", tuple(patterns), slots) for name, patterns in intents))
    return IntentWords(tuple(domains), tuple(data["openings"][which]), tuple(data["endings"][which]))


class Utterance(NamedTuple):
    """A text, its number, and whether its pattern is among the examples'."""

    text: str
    number: int
    wording: str


class Lesson(NamedTuple):
    """Examples and questions over one set of labels."""

    texts: tuple[str, ...]
    asked: tuple[Utterance, ...]


def make_lesson(words: IntentWords, *, labels: int, examples: int, questions: int, rng: Random) -> Lesson:
    """Balanced examples of *labels* intents under shuffled numbers, and balanced questions; no text comes twice.

    The intents are those of whole domains, so that each has similar ones.
    """
    domains = rng.sample(words.domains, len(words.domains))
    intents = [intent for domain in domains for intent in domain][:labels]
    if len(intents) < labels:
        raise ValueError(f"the catalogue has {len(intents)} intents, {labels} are wanted")
    numbers = rng.sample(range(labels), labels)
    speakers = [_Speaker(words, intent, number, rng) for intent, number in zip(intents, numbers, strict=True)]
    used: set[str] = set()
    shown = _rounds(speakers, examples, used, rng, new=False)
    asked = _rounds(speakers, questions, used, rng, new=True)
    return Lesson(tuple(example(one.text, one.number) for one in shown), tuple(asked))


def _rounds(speakers: Sequence[_Speaker], size: int, used: set[str], rng: Random, *, new: bool) -> list[Utterance]:
    """Every label once per round, in a new order; cut at *size*."""
    drawn: list[Utterance] = []
    while len(drawn) < size:
        drawn.extend(speaker.speak(used, new=new) for speaker in rng.sample(speakers, len(speakers)))
    return drawn[:size]


class _Speaker:
    def __init__(self, words: IntentWords, intent: Intent, number: int, rng: Random) -> None:
        self._words, self._intent, self._number, self._rng = words, intent, number, rng
        self._patterns = rng.sample(intent.patterns, len(intent.patterns))

    def speak(self, used: set[str], *, new: bool) -> Utterance:
        """A text that is not *used* yet; *new* allows the patterns that no example has."""
        shown = self._patterns[NEW_PATTERNS:]
        for _ in range(TRIES):
            pattern = self._rng.choice(self._patterns if new else shown)
            text = self._text(pattern)
            if text not in used:
                used.add(text)
                return Utterance(text, self._number, "shown" if pattern in shown else "new")
        raise ValueError(f"the catalogue has too few wordings of {self._intent.name!r}")

    def _text(self, pattern: str) -> str:
        opening, ending = self._rng.choice(self._words.openings), self._rng.choice(self._words.endings)
        used: set[str] = set()
        for slot in _SLOT.findall(pattern):
            value = self._rng.choice([value for value in self._intent.slots[slot] if value not in used])
            used.add(value)
            pattern = pattern.replace(f"{{{slot}}}", value, 1)
        filled = _ARTICLE.sub(r"\1n ", pattern)
        first = filled[0].upper() if not opening or re.match(r"I\b", filled) else filled[0].lower()
        return f"{opening}{first}{filled[1:]}{ending}"


def _rows(words: IntentWords, made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    lesson = make_lesson(words, labels=MADE_LABELS, examples=made.length, questions=made.questions, rng=rng)
    asked = labelled(lesson.texts, [(one.text, one.number) for one in lesson.asked])
    worded = [replace(a, labels={**a.labels, "wording": b.wording}) for a, b in zip(asked, lesson.asked, strict=True)]
    yield keyed(SOURCES[MADE], number, lesson.texts, worded)


SIZES = {
    "small": Size(histories=2, length=300, questions=20),
    "medium": Size(histories=5, length=1_000, questions=60),
    "large": Size(histories=5, length=5_000, questions=100),
}
SPECS = (Spec(name="examples", sizes=SIZES, begin=in_half(intent_words), rows=_rows),)
