"""What the kinds of invented entities must be like, and the links that lead on from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, Property
from recollect.benchmarks.subtlememory.generate.catalogue.words import Link
from recollect.benchmarks.subtlememory.generate.rules.threads import (
    DOMAINS,
    occasion_problems,
    shaped,
    thread_problems,
    told_problems,
)
from recollect.worlds.patterns import filled, wordings
from recollect.worlds.sentences import Form, content, counted, different, repeated, ungrammatical, without

LINKED = 5
"""Reports, and lookups, of a link, which may stand in talk of any kind."""
LABEL = Form(words=(1, 4), marks="")
VALUE = Form(words=(1, 4), start="any", marks="")
ENTITY_NAME = Form(words=(2, 6), start="small", marks="", slots=frozenset({"word"}))
TOLD = Form(words=(8, 20), choices=(1, 2), slots=frozenset({"entity", "value"}))
ASKED = Form(words=(3, 24), marks="?", choices=(0, 3), slots=frozenset({"entity"}))
ASKED_OF_ALL = Form(words=(3, 24), marks="?", choices=(0, 3), slots=frozenset({"entities"}))
EDITION = Form(words=(2, 10), marks="")
EDITION_ASKED = Form(words=(2, 10), start="small", marks="")
_article_before_value = re.compile(r"\ban? \{value\}")


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
