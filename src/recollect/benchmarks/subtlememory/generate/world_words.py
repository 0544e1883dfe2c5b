"""The wording of what is asked, answered and added about invented entities, of whatever kind; one file of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from recollect.benchmarks.subtlememory.generate.catalogue import FOLDER, THREADS
from recollect.benchmarks.subtlememory.generate.threads import Occasions
from recollect.records.codec import decode
from recollect.worlds.catalogues import parsed


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
    """Patterns by what they are for."""

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
    file = FOLDER / "world_words.json"
    given = parsed(file)
    moments = parsed(FOLDER / THREADS / "links.json")
    links = [{**link, "moments": moments[link["name"]]} for link in given["links"]]
    return decode(WorldWords, {**given, "links": links}, where=str(file))
