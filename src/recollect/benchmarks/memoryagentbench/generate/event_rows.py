"""A row of EventQA from a chain of events and their wrong options, however they were made."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import events as novels
from recollect.benchmarks.memoryagentbench.families.family import Source
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happens in a book."""

    text: str
    """On one line, as a question shows it."""
    places: tuple[int, ...]
    """Positions of the passages that tell it, from 0; at least one."""
    character: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distractor:
    """A wrong option."""

    text: str
    altered: bool
    """Whether it happens nowhere in the book; else it happens at another time."""


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

    Evidence of a question is the passages of its last previous event and of the next one: order needs both. The right
    option is equally often at each position. The *passages* are those of `families.events.texts_of`, the *chain* is in
    the order of the book, and each event but the first has five different *distractors*, and may have more *labels*.

    Raises:
        ValueError: With every problem: too few events, wrong options that are too few, equal or an event of the
            question, and positions that are no passage's.
    """
    problems = list(_problems(passages, chain, distractors))
    if problems:
        raise ValueError("; ".join(problems))
    places = balanced_places(len(distractors), novels.CHOICES, rng)
    more = labels or [{}] * len(distractors)
    questions = []
    for number, (wrong, place, extra) in enumerate(zip(distractors, places, more, strict=True), start=1):
        event, last = chain[number], chain[number - 1]
        others = [one.text for one in rng.sample(wrong, len(wrong))]
        options = [*others[:place], event.text, *others[place:]]
        before = [one.text for one in chain[max(0, number - novels.SHOWN_BEFORE) : number]]
        text = novels.question_text(before, options)
        asked = novels.asked_of(text=text, previous=novels.numbered(before), options=options, answers=(event.text,))
        known = {
            **({"character": event.character} if event.character else {}),
            "distance": str(max(0, event.places[0] - last.places[-1])),
            "altered": str(sum(one.altered for one in wrong)),
        }
        evidence = tuple(sorted({*last.places, *event.places}))
        questions.append(replace(asked, evidence=evidence, labels={**known, **extra}))
    return keyed(source, row, passages, questions)


def spread(size: int, wanted: int, rng: Random) -> list[int]:
    """Positions in a list of *size*, one from each of *wanted* equal parts, in order."""
    borders = [size * part // wanted for part in range(wanted + 1)]
    return [rng.randrange(borders[part], borders[part + 1]) for part in range(wanted)]


def balanced_places(size: int, choices: int, rng: Random) -> list[int]:
    """Positions of the right option: each once per round, in a new order each time."""
    rounds = -(-size // choices)
    return [place for _ in range(rounds) for place in rng.sample(range(choices), choices)][:size]


def _problems(
    passages: Sequence[str], chain: Sequence[Event], distractors: Sequence[Sequence[Distractor]]
) -> Iterator[str]:
    if novels.texts_of(novels.context_of(passages)) != list(passages):
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
        texts = [normalise(one.text) for one in wrong]
        if len(texts) != novels.CHOICES - 1:
            yield f"question {number}: {novels.CHOICES - 1} wrong options are wanted, got {len(texts)}"
        if len(set(texts)) < len(texts) or not all(texts):
            yield f"question {number}: two wrong options are the same, or one is empty"
        events = {normalise(event.text) for event in chain[max(0, number - novels.SHOWN_BEFORE) : number + 1]}
        repeated = sorted(events & set(texts))
        yield from (f"question {number}: a wrong option is one of its events: {text!r}" for text in repeated)


DISCOUNT = 0.5
"""Weight of a name, per event in between."""
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w+")


class Candidate(NamedTuple):
    """A question as it might be asked, the right option first."""

    previous: tuple[str, ...]
    options: tuple[str, ...]

    def scores(self, place: int) -> dict[str, float]:
        """Scores of one option by name; each blind reader, who lacks the book, takes the highest or the lowest."""
        option, last = self.options[place], self.previous[-1]
        others = [text for other, text in enumerate(self.options) if other != place]
        names, names_before = _names(option), [_names(event) for event in reversed(self.previous)]
        words_before = [_words(event) for event in self.previous]
        return {
            "length": len(option),
            # altered options share words with what was there first
            "like_the_others": round(sum(alike(option, text) for text in others), 9),
            "like_the_last": round(alike(option, last), 9),
            "like_all_before": round(alike(option, " ".join(self.previous)), 9),
            # names count less for each event in between
            "names_before": round(sum(DISCOUNT**age * len(names & met) for age, met in enumerate(names_before)), 9),
            "names_of_the_last": len(names & names_before[0]),
            "often_before": sum(word in event for word in _words(option) for event in words_before),
        }


@lru_cache(maxsize=20_000)
def _names(text: str) -> frozenset[str]:
    """Words with a capital; the first word too, since it may be a name."""
    return frozenset(_NAME.findall(text))


def alike(one: str, other: str) -> float:
    """Cosine of two texts as sets of normalised words."""
    a, b = _words(one), _words(other)
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(normalise(text).split())


def solved(question: Candidate) -> dict[str, float]:
    """How often each blind reader is right, by the highest score and by the lowest; equal options share."""
    scores = [question.scores(place) for place in range(len(question.options))]
    found = {}
    for name, first in scores[0].items():
        values = [score[name] for score in scores]
        for side, best in (("most", max(values)), ("least", min(values))):
            found[f"{name}:{side}"] = (first == best) / values.count(best)
    return found


class Balance:
    """Chooses question by question, so that no blind reader is right more often than by chance."""

    def __init__(self) -> None:
        self._asked = 0
        self._right: defaultdict[str, float] = defaultdict(float)

    def choose(self, candidates: Sequence[Candidate]) -> Candidate:
        """The candidate after which the blind readers are nearest to chance; of equals the first.

        Raises:
            ValueError: There is no candidate.
        """
        if not candidates:
            raise ValueError("there is no candidate to choose from")
        wanted = (self._asked + 1) / novels.CHOICES
        solutions = [solved(one) for one in candidates]
        off = [
            round(sum((self._right[name] + right - wanted) ** 2 for name, right in solution.items()), 9)
            for solution in solutions
        ]
        chosen = off.index(min(off))
        for name, right in solutions[chosen].items():
            self._right[name] += right
        self._asked += 1
        return candidates[chosen]

    def pick(self, previous: Sequence[str], right: str, drawn: Iterable[list[Distractor]]) -> list[Distractor]:
        """Of several sets of wrong options the one that gives least away."""
        by_text = {tuple(one.text for one in wrong): wrong for wrong in drawn}
        chosen = self.choose([Candidate(tuple(previous), (right, *texts)) for texts in by_text])
        return by_text[chosen.options[1:]]
