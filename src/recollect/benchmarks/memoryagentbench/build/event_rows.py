"""A row of EventQA from a chain of events and their wrong options; every way of making them ends here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

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
    places = balanced_places(len(distractors), rng)
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


def balanced_places(size: int, rng: Random) -> list[int]:
    """Places of the right option: every one before any comes again, in a new order each time."""
    rounds = -(-size // CHOICES)
    return [place for _ in range(rounds) for place in rng.sample(range(CHOICES), CHOICES)][:size]


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
