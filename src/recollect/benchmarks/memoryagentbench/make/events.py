"""EventQA by a model: events of each passage, one chain of them, wrong options, and a check that these are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.benchmarks.memoryagentbench.families.events import CHOICES, numbered
from recollect.benchmarks.memoryagentbench.make import event_rules as rules
from recollect.benchmarks.memoryagentbench.make.checks import (
    DUPLICATE_CHECKS,
    EVENT_CHECKS,
    OPTION_CHECKS,
    VERDICT_CHECKS,
    span_of,
)
from recollect.benchmarks.memoryagentbench.make.event_rules import CHAIN, COLLECTED, Book
from recollect.benchmarks.memoryagentbench.make.prompts import prompt
from recollect.making.schema import Schema, array, flag, record, text, whole_number
from recollect.making.steps import Check, Given, Item, Loop, Pipeline, Rule, Sight, Step

WINDOW, OVERLAP = 30, 10
"""Events that are looked at together for duplicates, and how many of them again with the next ones."""
ROUNDS = 2
"""How often options that happen in the book are replaced."""
NONE = "(none)"
PARAGRAPH = 400
"""Most characters of a sentence or a reason."""
Seen = Callable[[Sight, str], Given]
Shape = Callable[[Given], Schema]
Parts = Callable[[Sight], Sequence[str]]
_CREATIVE = 1.0
_WRONG = CHOICES - 1


def _chunks(sight: Sight) -> Sequence[str]:
    book: Book = sight.item.data
    return [str(number) for number in range(len(book.chunks))]


def _of_passage(sight: Sight, part: str) -> Given:
    book: Book = sight.item.data
    return {"passage": book.text(int(part)), "most": str(book.per_chunk)}


def _event_shape(given: Given) -> Schema:
    event = record(text=text(1, PARAGRAPH), quote=text(1, PARAGRAPH), characters=array(text(1, 60), 1, 8))
    return record(events=array(event, 0, int(given["most"])))


def _stretches(sight: Sight) -> Sequence[str]:
    found = rules.windows(len(sight.of(COLLECTED)), WINDOW, OVERLAP)
    return [f"{stretch.start}-{stretch.stop}" for stretch in found]


def _of_stretch(sight: Sight, part: str) -> Given:
    first, last = map(int, part.split("-"))
    numbers = range(first + 1, last + 1)
    events = sight.of(COLLECTED)
    lines = [f"{number}. {events[number - 1]['text']}" for number in numbers]
    return {"events": "\n".join(lines), "numbers": list(numbers)}


def _pair_shape(given: Given) -> Schema:
    number = whole_number(given["numbers"][0], given["numbers"][-1])
    return record(same=array(record(event=number, same_as=number), 0, len(given["numbers"])))


def _asked(sight: Sight) -> Sequence[str]:
    return [event["name"] for event in sight.of(CHAIN)[1:]]


def _of_event(sight: Sight, part: str) -> Given:
    """What the writer of wrong options sees of an event; a round of a loop has its number behind the event's name."""
    book: Book = sight.item.data
    events = sight.of(CHAIN)
    place = next(number for number, event in enumerate(events) if event["name"] == part.partition("#")[0])
    event = events[place]
    fewest, most = span_of(event["text"])
    return {
        "passage": book.text(event["chunk"]),
        "previous": numbered(rules.before(events, place)),
        "event": event["text"],
        "characters": ", ".join(event["characters"]),
        "fewest": str(fewest),
        "most": str(most),
        "people": event["characters"],
        "known": [one["text"] for one in sight.of(COLLECTED)],
        "stay": [],
    }


def _of_draft(sight: Sight, part: str) -> Given:
    seen = _of_event(sight, part)
    return {
        "passage": seen["passage"],
        "events": numbered(seen["known"]),
        "options": numbered(sight.draft),
        "draft": list(sight.draft),
    }


def _verdict_shape(given: Given) -> Schema:
    size = len(given["draft"])
    verdict = record(option=whole_number(1, size), reason=text(1, PARAGRAPH), happens=flag())
    return record(verdicts=array(verdict, size, size))


def _happening(verdict: Any) -> Mapping[int, str]:
    """Place of an option that happens in the book -> why."""
    return {one["option"] - 1: one["reason"] for one in verdict["verdicts"] if one["happens"]}


def _faults(verdict: Any, draft: Any) -> Sequence[str]:
    return [f"`{draft[place]}` happens in the book: {why}" for place, why in sorted(_happening(verdict).items())]


def _of_refused(sight: Sight, part: str) -> Given:
    happening = _happening(sight.verdict)
    stay = [option for place, option in enumerate(sight.draft) if place not in happening]
    return {
        **_of_event(sight, part),
        "stay": stay,
        "kept": "\n".join(stay) or NONE,
        "refused": "\n".join(_faults(sight.verdict, sight.draft)),
        "count": str(len(happening)),
    }


def _options_shape(given: Given) -> Schema:
    size = int(given.get("count", _WRONG))
    return record(distractors=array(text(1, PARAGRAPH), size, size))


def _replaced(draft: Any, verdict: Any, reply: Any) -> list[str]:
    new, happening = iter(reply["distractors"]), _happening(verdict)
    return [next(new) if place in happening else option for place, option in enumerate(draft)]


def _most_chunks(item: Item) -> int:
    return len(item.data.chunks)


def _most_stretches(item: Item) -> int:
    book: Book = item.data
    return len(list(rules.windows(len(book.chunks) * book.per_chunk, WINDOW, OVERLAP)))


def _most_questions(item: Item) -> int:
    book: Book = item.data
    return min(len(book.chunks) * book.per_chunk, round(book.wanted * rules.SPARE)) - 1


def _step(name: str, version: int, *, given: Seen, shape: Shape, checks: tuple[Check, ...]) -> Step:
    """A call whose prompt bears its name, for the one right reply."""
    return Step(
        name=name, version=version, prompt=prompt(name), given=given, shape=shape, checks=checks, temperature=0.0
    )


def _written(name: str, version: int, *, given: Seen) -> Step:
    """A call that writes wrong options, of which there may be many."""
    step = _step(name, version, given=given, shape=_options_shape, checks=OPTION_CHECKS)
    return replace(step, temperature=_CREATIVE)


def _each(step: Step, parts: Parts, *, bound: Callable[[Item], int]) -> Step:
    """The step for every part by itself; a part that fails is left out."""
    return replace(step, parts=parts, needed=False, bound=bound)


_EVENTS = _step(rules.EVENTS, 1, given=_of_passage, shape=_event_shape, checks=EVENT_CHECKS)
_DUPLICATES = _step(rules.DUPLICATES, 1, given=_of_stretch, shape=_pair_shape, checks=DUPLICATE_CHECKS)
_DISTRACTORS = _written(rules.DISTRACTORS, 1, given=_of_event)
PIPELINE = Pipeline(
    name="memoryagentbench/eventqa",
    stages=(
        _each(_EVENTS, _chunks, bound=_most_chunks),
        Rule(name=COLLECTED, make=rules.collected),
        _each(_DUPLICATES, _stretches, bound=_most_stretches),
        Rule(name=CHAIN, make=rules.chain),
        _each(_DISTRACTORS, _asked, bound=_most_questions),
        Loop(
            name=rules.VERIFIED,
            start=lambda sight, part: list(sight.of(rules.DISTRACTORS, part)["distractors"]),
            check=_step("verify", 1, given=_of_draft, shape=_verdict_shape, checks=VERDICT_CHECKS),
            faults=_faults,
            mend=_written("replace", 1, given=_of_refused),
            mended=_replaced,
            rounds=ROUNDS,
            parts=lambda sight: list(sight.parts(rules.DISTRACTORS)),
            needed=False,
            bound=_most_questions,
        ),
        Rule(name=rules.QUESTIONS, make=rules.questions),
    ),
)
"""Chunk by chunk, then event by event; a chunk or event that fails is left out, and the log says so."""
