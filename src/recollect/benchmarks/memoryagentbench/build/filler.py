"""Invented facts over MQuAKE's relations: what fills a context where the source ends.

Who the facts are about is invented, what they say of them is not: values come from the source's own facts of the same
relation. So an invented fact looks like any other, and is in nobody's way: no question asks about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from recollect.benchmarks.memoryagentbench.build.mquake import Case, Hop
from recollect.benchmarks.memoryagentbench.generate.facts import fact_words

LEAST_VALUES = 5
"""A relation with fewer values in the source says nothing new."""
SUBJECTS = {
    "person": (
        "[X] was born in the city of",
        "[X] died in the city of",
        "[X] is married to",
        "[X]'s child is",
        "The univeristy where [X] was educated is",
        "[X] works in the field of",
        "[X] is a citizen of",
        "[X] speaks the language of",
        "[X] worked in the city of",
        "[X] is affiliated with the religion of",
        "[X] is employed by",
        "[X] is associated with the sport of",
        "[X] plays the position of",
        "[X] is famous for",
    ),
    "company": (
        "[X] was founded by",
        "The headquarters of [X] is located in the city of",
        "[X] was founded in the city of",
        "The chief executive officer of [X] is",
        "The chairperson of [X] is",
    ),
    "work": (
        "The author of [X] is",
        "[X] was created by",
        "[X] was performed by",
        "[X] was written in the language of",
        "[X] was created in the country of",
        "The original language of [X] is",
        "The origianl broadcaster of [X] is",
    ),
    "team": ("The head coach of [X] is",),
    "town": ("[X] is located in the country of", "[X] is located in the continent of"),
}
"""Kind of subject -> templates of the source, in its own spelling, that can be said of it."""
COUNTS = {"person": 600, "company": 200, "work": 300, "town": 100, "team": 60}


def invented(cases: Sequence[Case], rng: Random) -> Iterator[Hop]:
    """Facts about nobody in random order, each with what it said before; as many as there are names for."""
    values = _values(cases)
    known = {hop.subject for case in cases for hop in case.hops}
    about = [
        (template, name)
        for kind, templates in SUBJECTS.items()
        for name in _names(kind, rng)
        if name not in known
        for template in templates
        if len(values.get(template, ())) >= LEAST_VALUES
    ]
    rng.shuffle(about)
    for template, name in about:
        old, new = rng.sample(values[template], 2)
        yield Hop(template=template, subject=name, value=new, aliases=(), question="", old=old)


def _values(cases: Sequence[Case]) -> Mapping[str, Sequence[str]]:
    """All that the source says in each relation, before and after the edits."""
    found: dict[str, set[str]] = {}
    for case in cases:
        for hop in case.hops:
            found.setdefault(hop.template, set()).update(value for value in (hop.value, hop.old) if value)
    return {template: sorted(values) for template, values in found.items()}


def _names(kind: str, rng: Random) -> list[str]:
    """Different names of a kind, in random order."""
    parts = _parts(kind)
    drawn: dict[str, None] = {}
    while len(drawn) < COUNTS[kind]:
        drawn["".join(rng.choice(part) for part in parts)] = None
    return list(drawn)


def _parts(kind: str) -> Sequence[Sequence[str]]:
    names = fact_words(held_out=False).names
    return (names["book"][0], (" ",), *names["town"]) if kind == "work" else names[kind]
