"""What showings must be like, as far as a program can tell: one for each thread, whole, and naming no value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from recollect.benchmarks.subtlememory.generate.catalogue import Topic, Trait, ValueWords
from recollect.benchmarks.subtlememory.generate.catalogue_words import content
from recollect.benchmarks.subtlememory.generate.checks import STATED, says
from recollect.benchmarks.subtlememory.generate.placing import unplaced
from recollect.benchmarks.subtlememory.generate.showings import Showing
from recollect.benchmarks.subtlememory.generate.thread_rules import blemishes, length, repeats
from recollect.benchmarks.subtlememory.generate.threads import SAID
from recollect.text.sentences import split

COUNTS = {"showings": 3, "held_out": 2}
"""Of a value; together one for each thread."""
LENGTHS = {
    "usual": (1, 7), "before": (0, 36), "shown": (12, 58), "more": (7, 32), "after": (5, 38), "assistant": (45, 105),
}  # fmt: skip
"""Fewest and most words."""
SHARED = 2
"""Content words that a sentence and a resource of the same value may both have."""
LEAST = 4
"""Letters of a stem that a detail may not share with what follows it."""
_opens = re.compile(r"(?:^|[.?!:][\"']? |^[A-Z][^.?!]{0,30}, )" + re.escape(f"{SAID},"))


def showing_problems(topic: Topic) -> Iterator[str]:
    """Every rule that the showings of a topic break, with place and sentence."""
    types = sorted(one.conversation_type for one in topic.threads)
    for trait, value in _values(topic):
        where = f"{trait.name}.{value.value}"
        for name, count in COUNTS.items():
            if len(given := getattr(value, name)) != count:
                yield f"{where}: {len(given)} {name}, not {count}"
        everywhere = (*value.showings, *value.held_out)
        if sorted(one.thread for one in everywhere) != types:
            yield f"{where}: shows in {', '.join(one.thread for one in everywhere)}, not once in each thread"
        for one in everywhere:
            opening = next((each.opening for each in topic.threads if each.conversation_type == one.thread), None)
            known = f"{opening.user} {opening.assistant}" if opening else ""
            problems = (*_showing(one, value, topic), *_leans(one, known), *unplaced(one))
            yield from (f"{where} in {one.thread}: {problem}" for problem in problems)
    yield from repeats(text for _, value in _values(topic) for one in _all(value) for text in _said(one))


def _values(topic: Topic) -> Iterator[tuple[Trait, ValueWords]]:
    return ((trait, value) for trait in topic.traits for value in trait.values)


def _all(value: ValueWords) -> Sequence[Showing]:
    return (*value.showings, *value.held_out)


def _said(one: Showing) -> tuple[str, ...]:
    return tuple(text for text in (one.before, one.shown, one.more, one.after, one.assistant) if text)


def _showing(one: Showing, value: ValueWords, topic: Topic) -> Iterator[str]:
    for name, (least, most) in LENGTHS.items():
        text = getattr(one, name)
        if not least <= length(text) <= most:
            yield f"{name}: {length(text)} words, not {least} to {most}: {text[:50]}"
        yield from (f"{name}: {problem}" for problem in blemishes(text))
        yield from (f"{name}: {problem}" for problem in _ends(name, text))
    yield from _slot(one)
    sentences = [sentence for text in _said(one) for sentence in split(text.replace(SAID, one.usual))]
    yield from _names(sentences, topic)
    yield from _states(sentences, value)
    yield from _gives_away([each for text in (one.shown, one.more) for each in split(text)], value)


def _leans(one: Showing, known: str) -> Iterator[str]:
    """What may be left out must not be what the question or the answer speaks of."""
    for name, text, before in (("after", one.after, ""), ("assistant", one.assistant, one.after)):
        new = content(one.more) - content(" ".join((known, one.before, one.shown, before)))
        if found := sorted(word for word in new & content(text) if len(word) >= LEAST):
            yield f"{name}: speaks of {', '.join(found)}, which only `more` has: {one.more}"


def _ends(name: str, text: str) -> Iterator[str]:
    last = text.rstrip("\"'”’")[-1:]
    if name == "usual" and last in tuple(".,;:?!"):
        yield f"ends with a mark: {text}"
    if name != "usual" and text and last not in tuple(".?!"):
        yield f"does not end a sentence: {text[-50:]}"


def _slot(one: Showing) -> Iterator[str]:
    """The situation stands once, at the beginning of a sentence or behind a word or two of it."""
    if one.shown.count(SAID) != 1 or not _opens.search(one.shown):
        yield f"shown: `{SAID},` does not begin a sentence, or not one alone: {one.shown[:60]}"
    for name, text in (("before", one.before), ("more", one.more), ("after", one.after), ("assistant", one.assistant)):
        if "{" in text:
            yield f"{name}: has a slot: {text[:60]}"


def _names(sentences: Sequence[str], topic: Topic) -> Iterator[str]:
    """A name of a value in any order and form of its words; word for word where most of it are small words."""
    names = [name for _, value in _values(topic) for name in (value.value, *value.accepted)]
    for sentence, name in product(sentences, names):
        whole = len(content(name)) == len(name.split())
        if content(name) <= content(sentence) if whole else says(sentence, name):
            yield f"names `{name}`: {sentence}"


def _states(sentences: Sequence[str], value: ValueWords) -> Iterator[str]:
    for sentence, fact in product(sentences, value.facts):
        words = content(fact)
        if words and len(words & content(sentence)) >= STATED * len(words):
            yield f"says outright `{fact}`: {sentence}"


def _gives_away(sentences: Sequence[str], value: ValueWords) -> Iterator[str]:
    """The words of what suits a value must not be found where it shows, or looking for words would be enough."""
    for sentence, resource in product(sentences, value.resources):
        if len(shared := content(resource) & content(sentence)) > SHARED:
            yield f"shares {', '.join(sorted(shared))} with a resource: {sentence} | {resource}"
