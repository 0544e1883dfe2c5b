"""A row of EventQA from a chain of events and their wrong options; every way of making them ends here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.events import (
    CHOICES,
    SHOWN_BEFORE,
    asked_of,
    context_of,
    numbered,
    question_text,
    texts_of,
)
from recollect.benchmarks.memoryagentbench.families.family import Source
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happens in a book."""

    text: str
    """On one line, as a question shows it."""
    places: tuple[int, ...]
    """Numbers of the passages that tell it, the first is 0; at least one."""
    character: str = ""
    """Who acts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distractor:
    """A wrong option."""

    text: str
    altered: bool
    """It happens nowhere in the book; else at another time."""


def event_row(
    source: Source,
    row: int,
    passages: Sequence[str],
    chain: Sequence[Event],
    distractors: Sequence[Sequence[Distractor]],
    *,
    rng: Random,
    labels: Sequence[Mapping[str, str]] = (),
) -> Keyed:
    """One book with a question for each event but the first: what comes next, after up to five before it.

    Evidence of a question is where its last previous event is told and where the next one is: order needs both. The
    right option stands at each place about equally often.

    Args:
        source: The task.
        row: Number of the row in the task.
        passages: The context in pieces, as `families.events.texts_of` cuts it.
        chain: Events in the order of the book.
        distractors: For each event but the first, the wrong options: five, all different.
        rng: Orders the options.
        labels: More labels of each question, if there are any.

    Raises:
        ValueError: With every problem: too few events, wrong options that are too few, equal or an event of the
            question, and places that are no passage's.
    """
    problems = list(_problems(passages, chain, distractors))
    if problems:
        raise ValueError("; ".join(problems))
    places = balanced_places(len(distractors), CHOICES, rng)
    more = labels or [{}] * len(distractors)
    asked = []
    for number, (wrong, place, extra) in enumerate(zip(distractors, places, more, strict=True), start=1):
        others = [one.text for one in rng.sample(wrong, len(wrong))]
        options = [*others[:place], chain[number].text, *others[place:]]
        altered = {"altered": str(sum(one.altered for one in wrong))}
        before = chain[max(0, number - SHOWN_BEFORE) : number]
        asked.append(_asked(before, chain[number], options, {**altered, **extra}))
    return keyed(source, row, passages, asked)


def spread(size: int, wanted: int, rng: Random) -> list[int]:
    """Places in a list of *size*, one from each of *wanted* equal parts, in order: a chain that spans the whole."""
    borders = [size * part // wanted for part in range(wanted + 1)]
    return [rng.randrange(borders[part], borders[part + 1]) for part in range(wanted)]


def balanced_places(size: int, choices: int, rng: Random) -> list[int]:
    """Places of the right option: every one before any comes again, in a new order each time."""
    rounds = -(-size // choices)
    return [place for _ in range(rounds) for place in rng.sample(range(choices), choices)][:size]


def _asked(shown: Sequence[Event], event: Event, options: Sequence[str], labels: Mapping[str, str]) -> Asked:
    before = [one.text for one in shown]
    asked = asked_of(
        text=question_text(before, options), previous=numbered(before), options=options, answers=(event.text,)
    )
    last = shown[-1]
    told = {"character": event.character} if event.character else {}
    distance = {"distance": str(max(0, event.places[0] - last.places[-1]))}
    return replace(asked, evidence=tuple(sorted({*last.places, *event.places})), labels={**told, **distance, **labels})


def _problems(
    passages: Sequence[str], chain: Sequence[Event], distractors: Sequence[Sequence[Distractor]]
) -> Iterator[str]:
    if texts_of(context_of(passages)) != list(passages):
        yield "the passages are not those that `texts_of` cuts the context into"
    if len(chain) < 2:
        yield f"a chain has at least two events, not {len(chain)}"
    if len(distractors) != len(chain) - 1:
        yield f"{len(chain)} events make {len(chain) - 1} questions, but there are wrong options for {len(distractors)}"
    for number, event in enumerate(chain):
        if not event.text.strip() or "\n" in event.text:
            yield f"event {number}: its text must be one line with words, got {event.text!r}"
        if not event.places or any(not 0 <= place < len(passages) for place in event.places):
            yield f"event {number}: places {event.places} are not all among the {len(passages)} passages"
    for number, wrong in enumerate(distractors[: len(chain) - 1], start=1):
        yield from _wrong_options(number, chain, wrong)


def _wrong_options(number: int, chain: Sequence[Event], wrong: Sequence[Distractor]) -> Iterator[str]:
    texts = [normalise(one.text) for one in wrong]
    if len(texts) != CHOICES - 1:
        yield f"question {number}: {CHOICES - 1} wrong options are wanted, got {len(texts)}"
    if len(set(texts)) < len(texts) or not all(texts):
        yield f"question {number}: two wrong options are the same, or one is empty"
    shown = {normalise(event.text) for event in chain[max(0, number - SHOWN_BEFORE) : number + 1]}
    for text in sorted(shown & set(texts)):
        yield f"question {number}: a wrong option is one of its events: {text!r}"


DISCOUNT = 0.5
"""What a name counts less for each event that lies between."""
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w+")


class Candidate(NamedTuple):
    """A question as it might be asked, the right option first."""

    previous: tuple[str, ...]
    options: tuple[str, ...]


Score = Callable[[Candidate, int], float]
"""What a reader without the book sees in one option; it takes the one with the most, or the least."""


def length(question: Candidate, place: int) -> float:
    """Characters."""
    return len(question.options[place])


def like_the_others(question: Candidate, place: int) -> float:
    """Words shared with the other options: what was altered lies around what was there first."""
    others = (text for other, text in enumerate(question.options) if other != place)
    return round(sum(alike(question.options[place], text) for text in others), 9)


def like_the_last(question: Candidate, place: int) -> float:
    """Words shared with the last previous event."""
    return round(alike(question.options[place], question.previous[-1]), 9)


def like_all_before(question: Candidate, place: int) -> float:
    """Words shared with all previous events."""
    return round(alike(question.options[place], " ".join(question.previous)), 9)


def names_before(question: Candidate, place: int) -> float:
    """Names of the last previous event, and of those before it at a discount."""
    names = _names(question.options[place])
    weights = [DISCOUNT**age for age in range(len(question.previous))]
    return round(sum(w * len(names & _names(e)) for w, e in zip(weights, reversed(question.previous), strict=True)), 9)


def names_of_the_last(question: Candidate, place: int) -> float:
    """Names shared with the last previous event."""
    return len(_names(question.options[place]) & _names(question.previous[-1]))


def often_before(question: Candidate, place: int) -> float:
    """How often its words were said in all previous events."""
    said = [_words(event) for event in question.previous]
    return sum(word in event for word in _words(question.options[place]) for event in said)


BLIND: dict[str, Score] = {
    "length": length,
    "like_the_others": like_the_others,
    "like_the_last": like_the_last,
    "like_all_before": like_all_before,
    "names_before": names_before,
    "names_of_the_last": names_of_the_last,
    "often_before": often_before,
}


@lru_cache(maxsize=20_000)
def _names(text: str) -> frozenset[str]:
    """Words with a capital; the first word too, since a name may stand there."""
    return frozenset(_NAME.findall(text))


def alike(one: str, other: str) -> float:
    """Cosine of two texts as sets of normalised words."""
    a, b = _words(one), _words(other)
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(normalise(text).split())


def solved(question: Candidate) -> dict[str, float]:
    """How often each blind reader is right who takes the most or the least; options that are equal share."""
    found = {}
    for name, score in BLIND.items():
        values = [score(question, place) for place in range(len(question.options))]
        for side, best in (("most", max(values)), ("least", min(values))):
            found[f"{name}:{side}"] = (values[0] == best) / values.count(best)
    return found


class Balance:
    """Chooses question by question, so that no blind reader is right more often than by chance."""

    def __init__(self) -> None:
        self._asked = 0
        self._right: dict[str, float] = {}

    def choose(self, candidates: Sequence[Candidate]) -> Candidate:
        """The candidate after which the blind readers are nearest to chance; of equals the first.

        Raises:
            ValueError: There is no candidate.
        """
        if not candidates:
            raise ValueError("there is no candidate to choose from")
        wanted = (self._asked + 1) / CHOICES
        found = [(self._off(solved(one), wanted), place) for place, one in enumerate(candidates)]
        chosen = candidates[min(found)[1]]
        for name, right in solved(chosen).items():
            self._right[name] = self._right.get(name, 0.0) + right
        self._asked += 1
        return chosen

    def pick(self, previous: Sequence[str], right: str, drawn: Iterable[list[Distractor]]) -> list[Distractor]:
        """Of several sets of wrong options the one that gives least away beside the *right* one."""
        by_text = {tuple(one.text for one in wrong): wrong for wrong in drawn}
        chosen = self.choose([Candidate(tuple(previous), (right, *texts)) for texts in by_text])
        return by_text[chosen.options[1:]]

    def _off(self, right: dict[str, float], wanted: float) -> float:
        return round(sum((self._right.get(name, 0.0) + now - wanted) ** 2 for name, now in right.items()), 9)

    def rates(self) -> Iterator[tuple[str, float]]:
        """How often each blind reader was right so far, a ratio."""
        return ((name, right / self._asked) for name, right in self._right.items())
