"""What the topics of a person's life must be like, and the showings of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from statistics import mean

from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    SAID,
    Condition,
    Showing,
    Topic,
    Trait,
    ValueWords,
)
from recollect.benchmarks.subtlememory.generate.rules.threads import (
    DOMAINS,
    blemishes,
    length,
    repeats,
    shaped,
    thread_problems,
)
from recollect.benchmarks.subtlememory.generate.sessions.writer import unplaced
from recollect.text.sentences import split
from recollect.worlds.checks import STATED, says
from recollect.worlds.sentences import Form, content, counted, different, repeated, too_alike, without

SPREAD = 3.0
"""Most words by which the mean lengths of the resources of two values may differ."""
STRETCHES = 5
"""Stretches of life that may change a trait."""
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
_NAME = frozenset({"name"})
LABEL = Form(words=(1, 4), marks="")
VALUE = Form(words=(1, 4), start="any", marks="")
ACCEPTED = Form(words=(1, 6), start="any", marks="")
FACT = Form(words=(3, 24), slots=_NAME)
RESOURCE = Form(words=(6, 12), start="small", marks="")
WANTED = Form(words=(2, 12), start="small", marks="")
TOLD = Form(words=(2, 14), start="small", marks="", choices=(0, 3))
SAID_FACT = Form(words=(2, 14), start="small", marks="", optional=_NAME)
REASON = Form(words=(7, 22))
ASKED_FOR = Form(words=(2, 14), start="small", marks="")
_BARE = frozenset(("while", "weeks", "which"))


def topic_problems(topic: Topic) -> Iterator[str]:
    """Every rule that one part of a person's life breaks, with place and sentence."""
    if topic.domain not in DOMAINS:
        yield f"domain `{topic.domain}` is none of the ten"
    yield from shaped("topic", [topic.topic], LABEL)
    yield from counted("topic", {"traits": topic.traits}, {"traits": 3})
    for what in ("name", "field", "wanted"):
        yield from different(f"{what} of the traits", [str(getattr(trait, what)) for trait in topic.traits])
    for trait in topic.traits:
        yield from _trait(trait)
    named = frozenset(word for trait in topic.traits for value in trait.values for word in content(value.value))
    yield from thread_problems(topic.threads, named, world=False)
    yield from showing_problems(topic)
    yield from repeated(_said_about_user(topic))


def _said_about_user(topic: Topic) -> Iterator[str]:
    for trait in topic.traits:
        for value in trait.values:
            yield from (*value.facts, *value.resources)
        yield from (one.reason for one in (*trait.conditions, *trait.stretches))


def _trait(trait: Trait) -> Iterator[str]:
    where = trait.name
    lists = {"values": trait.values, "conditions": trait.conditions, "stretches": trait.stretches}
    yield from counted(where, lists, {"values": 4, "conditions": 3, "stretches": STRETCHES})
    yield from different(where, [name for value in trait.values for name in (value.value, *value.accepted)])
    yield from shaped(f"{where}.field", [trait.field], LABEL)
    yield from shaped(f"{where}.wanted", [trait.wanted], WANTED)
    for value in trait.values:
        yield from _value(f"{where}.{value.value}", value)
    for value, other in permutations(trait.values, 2):
        yield from _names_other(f"{where}.{value.value}", value, other)
    for first, second in combinations(trait.values, 2):
        yield from too_alike(f"{where}: {first.value} and {second.value}", first.resources, second.resources)
    yield from _lengths(trait)
    yield from _neutral(trait)
    yield from _together(trait)
    yield from _recognised(trait)


def _recognised(trait: Trait) -> Iterator[str]:
    """Behind its reason a stretch is not named again, so the reason tells it, and not in the words of the question."""
    for one in trait.stretches:
        where = f"{trait.name}.stretches"
        if not content(one.reason) & (content(one.fact) | content(one.said)):
            yield f"{where}: does not tell of `{one.said}`: {one.reason}"
        if shared := sorted((content(one.reason) - content(one.said)) & content(one.asked)):
            yield f"{where}: told with {', '.join(shared)} of what is asked: {one.reason} | {one.asked}"


def _together(trait: Trait) -> Iterator[str]:
    """Pairs are of two values that there are, and none stands twice."""
    names = {one.value for one in trait.values}
    seen: set[frozenset[str]] = set()
    for pair in trait.together:
        if len(set(pair) & names) != len(pair):
            yield f"{trait.name}.together: {' and '.join(pair)} are not two of its values"
        if frozenset(pair) in seen:
            yield f"{trait.name}.together: {' and '.join(pair)} stand twice"
        seen.add(frozenset(pair))


def _value(where: str, value: ValueWords) -> Iterator[str]:
    lists = {"accepted": value.accepted, "facts": value.facts, "resources": value.resources}
    yield from counted(where, lists, {"accepted": 2, "facts": 3, "resources": 4})
    yield from shaped(where, [value.value], VALUE)
    yield from shaped(f"{where}.accepted", value.accepted, ACCEPTED)
    yield from shaped(f"{where}.facts", value.facts, FACT)
    yield from shaped(f"{where}.resources", value.resources, RESOURCE)
    own = frozenset(word for name in (value.value, *value.accepted) for word in content(name))
    yield from without(f"{where}.resources", value.resources, own, "of the value's name")


def _names_other(where: str, value: ValueWords, other: ValueWords) -> Iterator[str]:
    """A sentence with all content words of another value's name names that value."""
    for name, sentence in product((other.value, *other.accepted), value.resources):
        if content(name) and content(name) <= content(sentence):
            yield f"{where}: names `{name}`, another value: {sentence}"


def _lengths(trait: Trait) -> Iterator[str]:
    means = {one.value: mean(len(text.split()) for text in one.resources) for one in trait.values if one.resources}
    if means and max(means.values()) - min(means.values()) > SPREAD:
        long, short = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        yield f"{trait.name}: resources of {long} are longer by {means[long] - means[short]:.1f} words than of {short}"


def _neutral(trait: Trait) -> Iterator[str]:
    """What stands beside all values tells none; a word that all names have does not tell any."""
    names = [content(value.value) for value in trait.values]
    named = frozenset[str]().union(*names) - (names[0].intersection(*names) if names else frozenset())
    yield from without(f"{trait.name}.field", [trait.field], named, "of a value's name")
    yield from without(f"{trait.name}.wanted", [trait.wanted], named, "of a value's name")
    yield from _situations(f"{trait.name}.conditions", trait.conditions, named)
    yield from _situations(f"{trait.name}.stretches", trait.stretches, named)
    for one in trait.stretches:
        if shared := sorted(_long(one.said) & _long(one.asked)):
            yield f"{trait.name}.stretches: asked for with the word {', '.join(shared)}: {one.said} | {one.asked}"


def _situations(where: str, given: Sequence[Condition], named: frozenset[str]) -> Iterator[str]:
    for one in given:
        for text, form in ((one.said, TOLD), (one.fact, SAID_FACT), (one.asked, ASKED_FOR), (one.reason, REASON)):
            yield from shaped(where, [text], form)
            yield from without(where, [text], named, "of a value's name")
    for first, second in combinations(given, 2):
        both = [content(one.said) | content(one.asked) for one in (first, second)]
        if len(shared := both[0] & both[1]) > 1:
            yield f"{where}: share {', '.join(sorted(shared))}: {first.said} | {second.said}"


def _long(text: str) -> frozenset[str]:
    """Words of five letters and more."""
    return frozenset(re.findall(r"\w{5,}", text.lower())) - _BARE


def showing_problems(topic: Topic) -> Iterator[str]:
    """Every rule that the showings of a topic break, with place and sentence."""
    types = sorted(one.conversation_type for one in topic.threads)
    for trait, value in _values(topic):
        where = f"{trait.name}.{value.value}"
        everywhere = (*value.showings, *value.held_out)
        yield from counted(where, {name: getattr(value, name) for name in COUNTS}, COUNTS)
        if sorted(one.thread for one in everywhere) != types:
            yield f"{where}: shows in {', '.join(one.thread for one in everywhere)}, not once in each thread"
        for one in everywhere:
            opening = next((each.opening for each in topic.threads if each.conversation_type == one.thread), None)
            known = f"{opening.user} {opening.assistant}" if opening else ""
            problems = (*_showing(one, value, topic), *_leans(one, known), *unplaced(one))
            yield from (f"{where} in {one.thread}: {problem}" for problem in problems)
    showings = (one for _, value in _values(topic) for one in (*value.showings, *value.held_out))
    yield from repeats(text for one in showings for text in _said(one))


def _values(topic: Topic) -> Iterator[tuple[Trait, ValueWords]]:
    return ((trait, value) for trait in topic.traits for value in trait.values)


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
