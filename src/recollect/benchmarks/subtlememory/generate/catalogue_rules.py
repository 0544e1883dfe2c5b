"""What the topics and kinds of the catalogue must and must not do, as far as a program can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import mean

from recollect.benchmarks.subtlememory.generate.catalogue import Condition, Kind, Property, Topic, Trait, ValueWords
from recollect.benchmarks.subtlememory.generate.catalogue_words import (
    DOMAINS,
    Form,
    content,
    counted,
    different,
    repeated,
    shaped,
    too_alike,
    ungrammatical,
    without,
)
from recollect.benchmarks.subtlememory.generate.showing_rules import showing_problems
from recollect.benchmarks.subtlememory.generate.thread_rules import (
    occasion_problems,
    thread_problems,
    told_problems,
)
from recollect.benchmarks.subtlememory.generate.world_words import Link
from recollect.worlds.patterns import filled, wordings

SPREAD = 3.0
"""Most words by which the mean lengths of the resources of two values may differ."""
STRETCHES = 5
"""Stretches of life that may change a trait."""
LINKED = 5
"""Reports, and lookups, of a link, which may stand in talk of any kind."""
_NAME = frozenset({"name"})
LABEL = Form(words=(1, 4), marks="")
VALUE = Form(words=(1, 4), start="any", marks="")
ACCEPTED = Form(words=(1, 6), start="any", marks="")
FACT = Form(words=(3, 24), slots=_NAME)
RESOURCE = Form(words=(6, 12), start="small", marks="")
WANTED = Form(words=(2, 12), start="small", marks="")
SAID = Form(words=(2, 14), start="small", marks="", choices=(0, 3))
SAID_FACT = Form(words=(2, 14), start="small", marks="", optional=_NAME)
REASON = Form(words=(7, 22))
ASKED_FOR = Form(words=(2, 14), start="small", marks="")
ENTITY_NAME = Form(words=(2, 6), start="small", marks="", slots=frozenset({"word"}))
TOLD = Form(words=(8, 20), choices=(1, 2), slots=frozenset({"entity", "value"}))
ASKED = Form(words=(3, 24), marks="?", choices=(0, 3), slots=frozenset({"entity"}))
ASKED_OF_ALL = Form(words=(3, 24), marks="?", choices=(0, 3), slots=frozenset({"entities"}))
EDITION = Form(words=(2, 10), marks="")
EDITION_ASKED = Form(words=(2, 10), start="small", marks="")
_BARE = frozenset(("while", "weeks", "which"))
_article_before_value = re.compile(r"\ban? \{value\}")


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
        for other in trait.values:
            if other is not value:
                yield from _names_other(f"{where}.{value.value}", value, other)
    for first, second in combinations(trait.values, 2):
        pair = f"{where}: {first.value} and {second.value}"
        yield from too_alike(pair, first.resources, second.resources)
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
    lists = {
        "accepted": value.accepted,
        "facts": value.facts,
        "resources": value.resources,
    }
    yield from counted(where, lists, {"accepted": 2, "facts": 3, "resources": 4})
    yield from shaped(where, [value.value], VALUE)
    yield from shaped(f"{where}.accepted", value.accepted, ACCEPTED)
    yield from shaped(f"{where}.facts", value.facts, FACT)
    yield from shaped(f"{where}.resources", value.resources, RESOURCE)
    own = frozenset(word for name in (value.value, *value.accepted) for word in content(name))
    yield from without(f"{where}.resources", value.resources, own, "of the value's name")


def _names_other(where: str, value: ValueWords, other: ValueWords) -> Iterator[str]:
    """A sentence with all content words of another value's name names that value."""
    for name in (other.value, *other.accepted):
        wanted = content(name)
        for sentence in value.resources:
            if wanted and wanted <= content(sentence):
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
    where = trait.name
    yield from without(f"{where}.field", [trait.field], named, "of a value's name")
    yield from without(f"{where}.wanted", [trait.wanted], named, "of a value's name")
    for name, situations in (("conditions", trait.conditions), ("stretches", trait.stretches)):
        yield from _situations(f"{where}.{name}", situations, named)
    for one in trait.stretches:
        if shared := sorted(_long(one.said) & _long(one.asked)):
            yield f"{where}.stretches: asked for with the word {', '.join(shared)}: {one.said} | {one.asked}"


def _situations(where: str, given: Sequence[Condition], named: frozenset[str]) -> Iterator[str]:
    for one in given:
        yield from shaped(where, [one.said], SAID)
        yield from shaped(where, [one.fact], SAID_FACT)
        yield from shaped(where, [one.asked], ASKED_FOR)
        yield from shaped(where, [one.reason], REASON)
        yield from without(where, (one.said, one.fact, one.asked, one.reason), named, "of a value's name")
    for first, second in combinations(given, 2):
        if len(shared := _situation(first) & _situation(second)) > 1:
            yield f"{where}: share {', '.join(sorted(shared))}: {first.said} | {second.said}"


def _long(text: str) -> frozenset[str]:
    """Words of five letters and more."""
    return frozenset(re.findall(r"\w{5,}", text.lower())) - _BARE


def _situation(condition: Condition) -> frozenset[str]:
    return content(condition.said) | content(condition.asked)


def kind_problems(kind: Kind) -> Iterator[str]:
    """Every rule that one kind of entity breaks, with place and sentence."""
    if kind.domain not in DOMAINS:
        yield f"domain `{kind.domain}` is none of the ten"
    yield from shaped("topic", [kind.topic], LABEL)
    yield from shaped("noun", [kind.noun], Form(words=(1, 4), start="small", marks=""))
    yield from counted("kind", {"names": kind.names, "properties": kind.properties}, {"names": 4, "properties": 4})
    yield from shaped("names", kind.names, ENTITY_NAME)
    yield from different("names", kind.names)
    yield from different("properties", [one.name for one in kind.properties])
    yield from _mixture(kind)
    for one in kind.properties:
        yield from _property(one)
    named = frozenset(
        word for one in kind.properties if one.kind == "choice" for v in one.values for word in content(v)
    )
    yield from thread_problems(kind.threads, named, world=True)
    yield from told_problems(kind, named)
    yield from repeated(_said_about_world(kind))


def link_problems(links: Sequence[Link]) -> Iterator[str]:
    """Every rule that the moments of what leads on from a person or a place break."""
    yield from occasion_problems({link.name: link.moments for link in links}, LINKED)


def _said_about_world(kind: Kind) -> Iterator[str]:
    for one in kind.properties:
        yield from (*one.told, *one.held_out, *one.asked, one.asked_of_all)


def _mixture(kind: Kind) -> Iterator[str]:
    """Which sorts of properties there must be."""
    if not any(one.changes and one.kind in ("number", "year") for one in kind.properties):
        yield "properties: no number or year changes"
    if not any(one.editions and one.kind == "choice" and len(one.values) == 8 for one in kind.properties):
        yield "properties: no choice of 8 values has editions"
    if not any(one.kind == "person" for one in kind.properties):
        yield "properties: none is a person"


def _property(one: Property) -> Iterator[str]:
    where = one.name
    yield from counted(
        where, {"told": one.told, "held_out": one.held_out, "asked": one.asked}, {"told": 4, "held_out": 2, "asked": 3}
    )
    told = one.told + one.held_out
    yield from shaped(f"{where}.told", told, TOLD)
    yield from shaped(f"{where}.asked", one.asked, ASKED)
    yield from shaped(f"{where}.asked_of_all", [one.asked_of_all], ASKED_OF_ALL)
    yield from _editions(one)
    yield from _range(one)
    if one.adds_up:
        yield from shaped(f"{where}.adds_up", [one.adds_up], ASKED_OF_ALL)
        if one.kind != "number":
            yield f"{where}.adds_up: only numbers have a sum: {one.adds_up}"
    if one.kind == "choice":
        yield from _choice(one)
        return
    for text in told:
        if _article_before_value.search(text):
            yield f"{where}.told: an article before the value may be wrong: {text}"


def _editions(one: Property) -> Iterator[str]:
    where = f"{one.name}.editions"
    if not one.editions:
        return
    yield from counted(one.name, {"editions": one.editions}, {"editions": 3})
    yield from shaped(where, [edition.told for edition in one.editions], EDITION)
    yield from shaped(where, [edition.asked for edition in one.editions], EDITION_ASKED)
    yield from different(where, [edition.told for edition in one.editions])
    yield from different(where, [edition.asked for edition in one.editions])
    for text in (*one.told, *one.held_out):
        if not text.startswith("{entity}"):
            yield f"{one.name}.told: does not begin with the entity, as it must behind an edition: {text}"


def _range(one: Property) -> Iterator[str]:
    where = f"{one.name}.values"
    if one.kind in ("person", "place") and one.values:
        yield f"{where}: a {one.kind} has none, for a name is invented"
    if one.kind in ("number", "year"):
        if len(one.values) != 2 or not all(value.isdigit() for value in one.values):
            yield f"{where}: {list(one.values)} are not the least and the most"
        elif int(one.values[0]) >= int(one.values[1]):
            yield f"{where}: the least, {one.values[0]}, is not below the most, {one.values[1]}"


def _choice(one: Property) -> Iterator[str]:
    where = f"{one.name}.values"
    if len(one.values) < 6:
        yield f"{where}: {len(one.values)} values, not at least 6"
    yield from shaped(where, one.values, VALUE)
    for first, second in combinations(one.values, 2):
        if content(first) <= content(second) or content(second) <= content(first):
            yield f"{where}: `{first}` and `{second}` do not exclude each other"
    named = frozenset(word for value in one.values for word in content(value))
    asked = (*one.asked, one.asked_of_all, *(text for each in one.editions for text in (each.told, each.asked)))
    yield from without(f"{one.name}.asked", asked, named, "of a value")
    for text in (*one.told, *one.held_out):
        for value in one.values:
            said = (filled(wording, {"entity": "Name", "value": value}) for wording in wordings(text))
            if found := next((fault for each in said if (fault := ungrammatical(each))), None):
                yield f"{one.name}.told: with `{value}`: {found}: {text}"
