"""The wording of what is asked, answered and added, whatever the topic: files of patterns by what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from recollect.benchmarks.subtlememory.generate.catalogue.texts import CATALOGUE, THREADS, Occasions
from recollect.records.codec import decode
from recollect.worlds.catalogues import catalogue, parsed, read


@dataclass(frozen=True, slots=True, kw_only=True)
class UserWords:
    """What is said and asked about a user."""

    now: tuple[str, ...]
    """Stand for a stretch of life of which the sentence before has told."""
    always: tuple[str, ...]
    """Stand for the situation where another value must not be left one to hold in."""
    choose: tuple[str, ...]
    """Requests to choose among resources, with `{wanted}`."""
    choose_when: tuple[str, ...]
    """The same under a condition, with `{asked}`."""
    choose_then: tuple[str, ...]
    """The same about a stretch that has passed."""
    offers: tuple[str, ...]
    name_one: tuple[str, ...]
    """What an answer to such a request looks like."""
    form: tuple[str, ...]
    """Requests to fill in a form, with `{wanted}`."""
    form_when: tuple[str, ...]
    """Sentences behind such a request, with `{asked}`."""
    form_then: tuple[str, ...]
    """Requests to fill in a form about a stretch that has passed."""
    fields: tuple[str, ...]
    """What the filled form looks like."""
    together: tuple[str, ...]
    """Two wishes in one, with `{first}` and `{second}`."""
    take: tuple[str, ...]
    """Answers in a sentence, with `{name}`."""
    open: tuple[str, ...]
    """Answers that name both sides of a conflict."""
    nothing: tuple[str, ...]
    """Claims that nothing is known."""
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    """Of a resource's name."""


@cache
def user_words() -> UserWords:
    """What the file of this folder says; read once."""
    return read(UserWords, catalogue(CATALOGUE) / "user_words.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Something that can be told of any person or place, and leads on from there."""

    name: str
    of: Literal["person", "place"]
    gives: Literal["person", "place", "word"]
    form: str
    """The name of what it gives, with `{word}` for what is invented."""
    phrase: str
    """What it gives, in a question, with `{of}`: `the mayor of {of}`."""
    told: tuple[str, ...]
    """Statements with `{subject}` and `{value}`."""
    held_out: tuple[str, ...]
    """The same in other words."""
    moments: Occasions
    """Where it is told, whatever the talk is about; of a file of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldWords:
    """What is asked, answered and added about invented entities."""

    leads: tuple[str, ...]
    """Ways to come to a `{question}`."""
    told_as_of: tuple[str, ...]
    """What stands before a statement of a `{date}`, with a capital; or behind it, without."""
    dated: tuple[str, ...]
    """A `{question}` for a `{date}`; `{figure}` is what changes."""
    anchored: tuple[str, ...]
    """The same for the talk about a `{task}`."""
    relative: tuple[str, ...]
    """The same for an `{anchor}`, which is one of the following six."""
    last_before: tuple[str, ...]
    first_after: tuple[str, ...]
    later: tuple[str, ...]
    earlier: tuple[str, ...]
    next: tuple[str, ...]
    previous: tuple[str, ...]
    missing: tuple[str, ...]
    """Questions for the name behind a `{phrase}`."""
    noted: tuple[str, ...]
    """Answers with a `{value}`."""
    each: tuple[str, ...]
    """The `{value}` of one `{entity}` among several."""
    ordered: tuple[str, ...]
    """The `{values}` of several entities in the order in which they are asked for."""
    totals: tuple[str, ...]
    """Answers with a `{total}`."""
    reckoned: tuple[str, ...]
    """Answers that tell the `{parts}` too."""
    unknown: tuple[str, ...]
    """Claims that nothing is known."""
    partly: tuple[str, ...]
    """Claims that one `{value}` is known, and no more."""
    open: tuple[str, ...]
    """Answers that name both sides of a conflict, `{first}` and `{second}`."""
    settled: tuple[str, ...]
    """Answers that take one side."""
    resolved: tuple[str, ...]
    """Answers that take one side for a reason that does not exist."""
    summaries: Mapping[str, str]
    """Form of a case -> what it is about, in a sentence."""
    links: tuple[Link, ...]


@cache
def world_words() -> WorldWords:
    """What the file of this folder says; read once."""
    file = catalogue(CATALOGUE) / "world_words.json"
    given = parsed(file)
    moments = parsed(catalogue(CATALOGUE) / THREADS / "links.json")
    links = [{**link, "moments": moments[link["name"]]} for link in given["links"]]
    return decode(WorldWords, {**given, "links": links}, where=str(file))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseWords:
    """What goes around sessions and answers."""

    summaries: Mapping[str, str]
    """Sub-type of a case about the user -> what it is about, with `{name}` and `{fields}`."""
    filled: tuple[str, ...]
    """Stand before a form that was filled in."""
    as_of: str
    """Before what holds at a `{date}`."""
    grown: str
    """A later figure behind an earlier one, with `{date}` and `{value}`."""
    meant: str
    """Which editions a question means, with `{editions}`."""


@cache
def case_words() -> CaseWords:
    """What the file says; read once."""
    return read(CaseWords, catalogue(CATALOGUE) / "case_words.json")


@cache
def backs() -> tuple[str, ...]:
    """Patterns with which a user comes back to the errand; read once."""
    return tuple(parsed(catalogue(CATALOGUE) / "writer.json")["back"])
