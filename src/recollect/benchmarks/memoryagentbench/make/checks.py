"""Rules for replies about events. Each gives every problem, in words for the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from recollect.making.steps import Check, Given

EVENT_WORDS = (8, 32)
"""Words of an event's sentence; the prompt asks for a slightly narrower range."""
QUOTE_WORDS = 4
ALIKE = 0.7
"""Share of common content words from which two sentences tell the same."""
WIDTH = (0.6, 1.6)
"""Words of a wrong option, as a share of those of the right one."""
FEWEST = 5

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PRONOUN = re.compile(r"(?:he|she|they|it|this|that|these|those|his|her|their)\b", re.IGNORECASE)
_SMALL_WORDS = (
    "a an the and or but of to in on at by for from with into onto over under as is was were be been had has have did "
    "do does that this these those it its he she they him her them his their who whom whose which while when after "
    "before then so not no up down out off about back again"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_TITLES = frozenset(
    {*("mr", "mrs", "ms", "miss", "dr", "sir", "lord", "lady", "madam", "madame", "monsieur", "mademoiselle")}
    | {*("st", "de", "of", "the", "old", "young", "little")}
)
_EVEN = {"’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-", "_": ""}


def words(text: str) -> list[str]:
    """The words of *text*, folded."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def content(text: str) -> frozenset[str]:
    """The content words of *text*."""
    return frozenset(words(text)) - _SMALL


def alikeness(one: str, other: str) -> float:
    """Jaccard similarity of the content words, a ratio; 0 where there is none."""
    first, second = content(one), content(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def flat(text: str) -> str:
    """*text* with plain quotes, dashes and white space, for looking up quotes."""
    even = text.translate({ord(sign): plain for sign, plain in _EVEN.items()})
    return " ".join(even.replace("--", "-").split()).casefold()


def _sentences(reply: Any, _: Given) -> Iterator[str]:
    for number, event in enumerate(reply["events"], start=1):
        text = event["text"]
        if "\n" in text or not text.endswith((".", "!", "?", '"', "”", "'", "’")):
            yield f"event {number}: `text` is not one sentence on one line with a full stop"
        if _PRONOUN.match(text):
            yield f"event {number}: `text` begins with `{text.split()[0]}`; begin with a name"


def _event_length(reply: Any, _: Given) -> Iterator[str]:
    least, most = EVENT_WORDS
    for number, event in enumerate(reply["events"], start=1):
        size = len(words(event["text"]))
        if not least <= size <= most:
            yield f"event {number}: `text` has {size} words, {least} to {most} are asked for"


def _named(reply: Any, _: Given) -> Iterator[str]:
    for number, event in enumerate(reply["events"], start=1):
        missing = [name for name in event["characters"] if flat(name) not in flat(event["text"])]
        if missing:
            yield f"event {number}: {', '.join(missing)} of `characters` is not in its `text`"


def _known(reply: Any, given: Given) -> Iterator[str]:
    passage = set(words(given["passage"]))
    for number, event in enumerate(reply["events"], start=1):
        strange = [name for name in event["characters"] if not set(words(name)) <= passage or not words(name)]
        if strange:
            yield f"event {number}: {', '.join(strange)} of `characters` is not named so in the passage"


def _quoted(reply: Any, given: Given) -> Iterator[str]:
    passage = flat(given["passage"])
    for number, event in enumerate(reply["events"], start=1):
        if len(words(event["quote"])) < QUOTE_WORDS:
            yield f"event {number}: `quote` has fewer than {QUOTE_WORDS} words"
        elif flat(event["quote"]) not in passage:
            yield f"event {number}: `quote` does not stand in the passage to the letter"


EVENT_CHECKS = (
    Check("sentence", _sentences),
    Check("length", _event_length),
    Check("characters_in_text", _named),
    Check("characters_in_passage", _known),
    Check("quote", _quoted),
    Check("distinct", lambda reply, _: _twins("event", [event["text"] for event in reply["events"]])),
)


def _points_back(reply: Any, given: Given) -> Iterator[str]:
    known = set(given["numbers"])
    for pair in reply["same"]:
        event, same_as = pair["event"], pair["same_as"]
        if not {event, same_as} <= known:
            yield f"{event} or {same_as} is no number of the list"
        elif same_as >= event:
            yield f"`same_as` {same_as} does not stand before `event` {event}"


DUPLICATE_CHECKS = (Check("points_back", _points_back),)


def _option_length(reply: Any, given: Given) -> Iterator[str]:
    least, most = span_of(given["event"])
    for number, option in enumerate(reply["distractors"], start=1):
        size = len(words(option))
        if not least <= size <= most:
            yield f"option {number} has {size} words, {least} to {most} are asked for"
        if "\n" in option:
            yield f"option {number} is not on one line"


def _same_people(reply: Any, given: Given) -> Iterator[str]:
    """Names count by any part that is not a title."""
    parts = {word for name in given["people"] for word in words(name)} - _TITLES
    for number, option in enumerate(reply["distractors"], start=1):
        if parts.isdisjoint(words(option)):
            yield f"option {number} names none of {', '.join(given['people'])}"


def _no_event(reply: Any, given: Given) -> Iterator[str]:
    for number, option in enumerate(reply["distractors"], start=1):
        same = next((event for event in given["known"] if alikeness(option, event) >= ALIKE), None)
        if same is not None:
            yield f"option {number} is an event of the book: {same}"


def _stands_out(reply: Any, given: Given) -> Iterator[str]:
    right = len(given["event"])
    sizes = [len(option) for option in (*given["stay"], *reply["distractors"])]
    if sizes and all(size < right for size in sizes):
        yield "all options are shorter than the right answer; at least one must be as long or longer"
    if sizes and all(size > right for size in sizes):
        yield "all options are longer than the right answer; at least one must be as short or shorter"


OPTION_CHECKS = (
    Check("distinct", lambda reply, given: _twins("option", [*given["stay"], *reply["distractors"]])),
    Check("length", _option_length),
    Check("same_people", _same_people),
    Check("not_an_event", _no_event),
    Check("stands_out", _stands_out),
)


def _each_once(reply: Any, given: Given) -> Iterator[str]:
    wanted = list(range(1, len(given["draft"]) + 1))
    said = sorted(verdict["option"] for verdict in reply["verdicts"])
    if said != wanted:
        yield f"the verdicts are on options {said}, one each is asked for on {wanted}"


VERDICT_CHECKS = (Check("each_once", _each_once),)


def span_of(event: str) -> tuple[int, int]:
    """Fewest and most words of a wrong option beside *event*."""
    size = len(words(event))
    return max(FEWEST, int(size * WIDTH[0])), max(FEWEST + 3, round(size * WIDTH[1]))


def _twins(what: str, texts: Sequence[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        same = next((place for place in range(number) if alikeness(text, texts[place]) >= ALIKE), None)
        if same is not None:
            yield f"{what} {number + 1} tells the same as {what} {same + 1}"
