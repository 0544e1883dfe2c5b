"""The words of invented stories, read from `events.yaml`; a set is one setting with its wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.generate.catalogue import read_catalogue

FILLINGS = ("scenery", "thoughts", "talk", "life")


class Place(NamedTuple):
    """Somewhere that things happen."""

    preposition: str
    name: str
    nook: str
    """Where a thing can be hidden in it."""


class Tale(NamedTuple):
    """How one kind of event is told."""

    summary: str
    """As a question names it."""
    told: tuple[str, ...]
    """As the story tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryWords:
    """All words of one setting."""

    people: Mapping[str, Sequence[Sequence[str]]]
    """`women` and `men` -> parts of their names."""
    trades: tuple[str, ...]
    things: tuple[str, ...]
    places: tuple[Place, ...]
    reasons: tuple[str, ...]
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    leads: tuple[str, ...]
    """Sentences that may go before an event."""
    codas: tuple[str, ...]
    """Sentences that may come after it."""
    fillings: Mapping[str, tuple[str, ...]]
    """What stands between events, by kind."""
    tales: Mapping[str, Tale]


@cache
def story_words(*, held_out: bool) -> StoryWords:
    """The usual words, or those that no other size uses."""
    data: Mapping[str, Any] = read_catalogue("events.yaml")["held_out" if held_out else "usual"]
    return StoryWords(
        people={"women": data["women"], "men": data["men"]},
        trades=tuple(data["trades"]),
        things=tuple(data["things"]),
        places=tuple(Place(*place) for place in data["places"]),
        reasons=tuple(data["reasons"]),
        titles=tuple(data["titles"]),
        openings=tuple(data["openings"]),
        leads=tuple(data["leads"]),
        codas=tuple(data["codas"]),
        fillings={kind: tuple(data[kind]) for kind in FILLINGS},
        tales={kind: Tale(tale["summary"], tuple(tale["told"])) for kind, tale in data["tales"].items()},
    )
