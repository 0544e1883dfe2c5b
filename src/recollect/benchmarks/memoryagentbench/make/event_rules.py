"""From the events of passages to a chain of events of the book, and from checked options to questions; no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.families.events import SHOWN_BEFORE
from recollect.benchmarks.memoryagentbench.make.checks import ALIKE, alikeness, flat, words
from recollect.making.steps import Drop, DroppedError, Ruled, Sight

EVENTS, COLLECTED, DUPLICATES, CHAIN = "events", "collected", "duplicates", "chain"
DISTRACTORS, VERIFIED, QUESTIONS = "distractors", "verified", "questions"
CHARACTERS = 10
"""Most people of whom events are told."""
NEAR = 6
"""Preceding events that are searched for a duplicate."""
SPARE = 1.15
"""Events of the chain per wanted one, since some get no options."""
LEAST = 2
"""Events of a chain: one to give, one to ask for."""


class Book(NamedTuple):
    """The data of an item of the pipeline."""

    title: str
    passages: tuple[str, ...]
    chunks: tuple[tuple[int, int], ...]
    """Range of the passages that a model reads at once."""
    wanted: int
    per_chunk: int
    """Most events that are asked of one chunk."""

    def text(self, chunk: int) -> str:
        """The text that a model reads at once."""
        first, last = self.chunks[chunk]
        return "".join(self.passages[first:last]).strip()


def collected(sight: Sight) -> Ruled:
    """Events of all chunks in the order of the book, without those that repeat one just before them."""
    book: Book = sight.item.data
    found = [
        placed(book, int(part), number, event)
        for part, reply in sight.parts(EVENTS).items()
        for number, event in enumerate(reply["events"])
    ]
    found.sort(key=lambda event: (event["places"], event["at"], event["name"]))
    kept: list[dict[str, Any]] = []
    drops: list[Drop] = []
    for event in found:
        twin = next((one for one in kept[-NEAR:] if alikeness(one["text"], event["text"]) >= ALIKE), None)
        if twin is None:
            kept.append(event)
        else:
            drops.append(Drop(event["name"], "same", f"tells the same as {twin['name']}: {event['text']}"))
    return Ruled(kept, tuple(drops))


def placed(book: Book, chunk: int, number: int, event: Mapping[str, Any]) -> dict[str, Any]:
    """An event with its name, and the passages that contain its quote."""
    first, last = book.chunks[chunk]
    quote = flat(event["quote"])
    places, at = list(range(first, last)), 0  # where it runs over more passages than anybody would copy
    spans = [range(start, start + width) for width in (1, 2, 3) for start in range(first, last - width + 1)]
    for span in spans:
        found = flat("".join(book.passages[span.start : span.stop])).find(quote)
        if found >= 0:
            places, at = list(span), found
            break
    return {
        "name": f"{chunk}.{number}",
        "chunk": chunk,
        "text": event["text"],
        "characters": list(event["characters"]),
        "places": places,
        "at": at,
    }


def chain(sight: Sight) -> Ruled:
    """The events that questions are made of: no duplicates, of the book's main people, spread over the book."""
    book: Book = sight.item.data
    events: list[dict[str, Any]] = sight.of(COLLECTED)
    pairs = [pair for reply in sight.parts(DUPLICATES).values() for pair in reply["same"]]
    same = {pair["event"] - 1: pair["same_as"] - 1 for pair in pairs}
    drops = [
        Drop(events[number]["name"], "same", f"told to be the same as {events[other]['name']}")
        for number, other in sorted(same.items())
    ]
    known = [event for number, event in enumerate(events) if number not in same]
    people = main_characters(known)
    main = [event for event in known if any(name in people for name in event["characters"])]
    minor = [event for event in known if event not in main]
    drops += [Drop(one["name"], "minor_character", f"of none of the main people: {one['text']}") for one in minor]
    if len(main) < LEAST:
        raise DroppedError("too_few_events", f"{len(main)} events of main people were found, {LEAST} are needed")
    chosen = spread(main, round(book.wanted * SPARE))
    drops += [Drop(one["name"], "surplus", f"more than are wanted: {one['text']}") for one in main if one not in chosen]
    return Ruled(chosen, tuple(drops))


def main_characters(events: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """All names of the people who are in most events; a name that is part of just one other is the same person."""
    names = Counter(name for event in events for name in event["characters"])
    whole = {name: _whole_name(name, list(names)) for name in names}
    people: Counter[str] = Counter()
    for name, count in names.items():
        people[whole[name]] += count
    main = {name for name, _ in sorted(people.items(), key=lambda pair: (-pair[1], pair[0]))[:CHARACTERS]}
    return frozenset(name for name in names if whole[name] in main)


def _whole_name(name: str, names: Sequence[str]) -> str:
    """The one longest name whose words hold those of *name*."""
    holding = [other for other in names if set(words(name)) < set(words(other))]
    longest = [one for one in holding if not any(set(words(one)) < set(words(other)) for other in holding)]
    return longest[0] if len(longest) == 1 else name


def spread(events: Sequence[dict[str, Any]], wanted: int) -> list[dict[str, Any]]:
    """*wanted* of *events*, evenly over them, the first and the last among them."""
    if len(events) <= wanted:
        return list(events)
    last = len(events) - 1
    return [events[round(number * last / (wanted - 1))] for number in range(wanted)]


def questions(sight: Sight) -> Ruled:
    """The chain with the wrong options of each event but the first; events without options are left out."""
    book: Book = sight.item.data
    events: list[dict[str, Any]] = sight.of(CHAIN)
    options = sight.parts(VERIFIED)
    asked = [event for event in events[1:] if event["name"] in options]
    if len(asked) + 1 < LEAST:
        raise DroppedError("too_few_questions", "no event got five wrong options")
    chosen = spread(asked, max(book.wanted - 1, 2))
    made = [{**event, "options": list(options[event["name"]])} for event in chosen]
    return Ruled({"first": events[0], "asked": made})


def before(events: Sequence[Mapping[str, Any]], place: int) -> list[str]:
    """Texts of the events that a question on the one at *place* gives."""
    return [event["text"] for event in events[max(0, place - SHOWN_BEFORE) : place]]


def windows(size: int, width: int, overlap: int) -> Iterator[range]:
    """Overlapping stretches of a list; none for a list of one."""
    start = 0
    while size > 1:
        yield range(start, min(start + width, size))
        if start + width >= size:
            return
        start += width - overlap
