"""EventQA by a model: events of each passage, one chain of them, wrong options, and a check that these are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.benchmarks.memoryagentbench.families.events import CHOICES, numbered
from recollect.benchmarks.memoryagentbench.make import checks
from recollect.benchmarks.memoryagentbench.make import event_rules as rules
from recollect.benchmarks.memoryagentbench.make.event_rules import CHAIN, COLLECTED, Book
from recollect.benchmarks.memoryagentbench.make.prompts import prompt
from recollect.making.schema import Schema, array, flag, record, text, whole_number
from recollect.making.steps import Check, Given, Item, Loop, Pipeline, Rule, Sight, Step

WINDOW, OVERLAP = 30, 10
"""Events that are searched together for duplicates, and how many of them again with the next ones."""
ROUNDS = 2
NONE = "(none)"
PARAGRAPH = 400
"""Most characters of a sentence or a reason."""
_CREATIVE = 1.0
"""Temperature of calls with many good replies."""
_WRONG = CHOICES - 1


def _of_passage(sight: Sight, part: str) -> Given:
    book: Book = sight.item.data
    return {"passage": book.text(int(part)), "most": str(book.per_chunk)}


def _event_shape(given: Given) -> Schema:
    event = record(text=text(1, PARAGRAPH), quote=text(1, PARAGRAPH), characters=array(text(1, 60), 1, 8))
    return record(events=array(event, 0, int(given["most"])))


def _windows(events: int) -> list[range]:
    return list(rules.windows(events, WINDOW, OVERLAP))


def _of_stretch(sight: Sight, part: str) -> Given:
    first, last = map(int, part.split("-"))
    numbers = range(first + 1, last + 1)
    events = sight.of(COLLECTED)
    lines = [f"{number}. {events[number - 1]['text']}" for number in numbers]
    return {"events": "\n".join(lines), "numbers": list(numbers)}


def _pair_shape(given: Given) -> Schema:
    number = whole_number(given["numbers"][0], given["numbers"][-1])
    return record(same=array(record(event=number, same_as=number), 0, len(given["numbers"])))


def _of_event(sight: Sight, part: str) -> Given:
    """What the writer of wrong options sees; in a loop, *part* is the event's name and the number of the round."""
    book: Book = sight.item.data
    events = sight.of(CHAIN)
    place = next(number for number, event in enumerate(events) if event["name"] == part.partition("#")[0])
    event = events[place]
    fewest, most = checks.span_of(event["text"])
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


def _most_questions(item: Item) -> int:
    book: Book = item.data
    return min(len(book.chunks) * book.per_chunk, round(book.wanted * rules.SPARE)) - 1


def _step(
    name: str,
    version: int,
    given: Callable[[Sight, str], Given],
    shape: Callable[[Given], Schema],
    checks: tuple[Check, ...],
) -> Step:
    return Step(
        name=name, version=version, prompt=prompt(name), given=given, shape=shape, checks=checks, temperature=0.0
    )


_DISTRACTORS = _step(rules.DISTRACTORS, 1, _of_event, _options_shape, checks.OPTION_CHECKS)
_REPLACE = _step("replace", 1, _of_refused, _options_shape, checks.OPTION_CHECKS)


PIPELINE = Pipeline(
    name="memoryagentbench/eventqa",
    stages=(
        replace(
            _step(rules.EVENTS, 1, _of_passage, _event_shape, checks.EVENT_CHECKS),
            parts=lambda sight: [str(number) for number in range(len(sight.item.data.chunks))],
            needed=False,
            bound=lambda item: len(item.data.chunks),
        ),
        Rule(name=COLLECTED, make=rules.collected),
        replace(
            _step(rules.DUPLICATES, 1, _of_stretch, _pair_shape, checks.DUPLICATE_CHECKS),
            parts=lambda sight: [f"{window.start}-{window.stop}" for window in _windows(len(sight.of(COLLECTED)))],
            needed=False,
            bound=lambda item: len(_windows(len(item.data.chunks) * item.data.per_chunk)),
        ),
        Rule(name=CHAIN, make=rules.chain),
        replace(
            _DISTRACTORS,
            temperature=_CREATIVE,
            parts=lambda sight: [event["name"] for event in sight.of(CHAIN)[1:]],
            needed=False,
            bound=_most_questions,
        ),
        Loop(
            name=rules.VERIFIED,
            start=lambda sight, part: list(sight.of(rules.DISTRACTORS, part)["distractors"]),
            check=_step("verify", 1, _of_draft, _verdict_shape, checks.VERDICT_CHECKS),
            faults=_faults,
            mend=replace(_REPLACE, temperature=_CREATIVE),
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
