"""The catalogue of dialogues: what is chatted about, what is told in passing, and how both are worded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeVar

from recollect.benchmarks.memoryagentbench.generate.catalogue import read_catalogue
from recollect.records.digests import digest

T = TypeVar("T")
_CHOICE = re.compile(r"\(([^()|]+(?:\|[^()|]+)+)\)")
_BEGIN = re.compile(r"(?:\A|(?<=[.!?] ))[a-z]")
_SLOT = re.compile(r"\{(\w+)\}")


class Talk(NamedTuple):
    """What the user says, and what the assistant replies to just that."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Exchanges that may follow each other in any order."""

    name: str
    theme: str
    slots: Mapping[str, tuple[str, ...]]
    exchanges: tuple[Talk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something of the user's life that is told, and can be asked for; which fields count depends on its kind."""

    name: str
    theme: str
    asks_for: str
    say: tuple[Talk, ...]
    later: tuple[Talk, ...] = ()
    """Tells the value that replaces the first one."""
    rival: tuple[Talk, ...] = ()
    """The same kind of thing, of somebody else."""
    ask: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Also the items that are counted."""
    order: str = "any"
    mark: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    """Ask for what is never told."""
    noun: str = ""
    did: str = ""
    rubric: str = ""
    short: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueWords:
    """All that dialogues are made of."""

    topics: tuple[Topic, ...]
    who: tuple[str, ...]
    names: tuple[str, ...]
    leads: tuple[str, ...]
    turns: tuple[str, ...]
    closings: tuple[Talk, ...]
    subjects: Mapping[str, tuple[Subject, ...]]
    """Kind -> subjects; all of them in both halves, in other wordings."""
    event_asks: Mapping[str, tuple[str, ...]]
    untold: tuple[str, ...]


@cache
def dialogue_words(*, held_out: bool) -> DialogueWords:
    """The topics and wordings that are shown, or those that are held out."""
    facts, changes = read_catalogue("dialogue_facts.yaml"), read_catalogue("dialogue_changes.yaml")
    half = _Half(held_out=held_out)
    return DialogueWords(
        topics=tuple(half.topics(read_catalogue("dialogue_topics.yaml"))),
        who=tuple(facts["people"]["who"]),
        names=tuple(facts["people"]["names"]),
        leads=half.of(facts["leads"]),
        turns=half.of(facts["turns"]),
        closings=tuple(Talk(*pair) for pair in half.of(facts["closings"])),
        subjects={
            kind: tuple(half.subject(name, one) for name, one in {**facts, **changes}[kind].items()) for kind in KINDS
        },
        event_asks={name: half.of(asks) for name, asks in changes["event_asks"].items()},
        untold=half.of(changes["untold"]),
    )


KINDS = ("told", "advised", "preferred", "counted", "events", "updated")


class _Half:
    """One half of every list, drawn by a digest."""

    def __init__(self, *, held_out: bool) -> None:
        self._held_out = held_out

    def of(self, given: Sequence[T]) -> tuple[T, ...]:
        drawn = sorted(given, key=digest)[: len(given) // 2]
        return tuple(one for one in given if (one in drawn) is self._held_out)

    def topics(self, given: Mapping[str, Any]) -> Iterator[Topic]:
        for name in self.of(sorted(given)):
            one = given[name]
            slots = {slot: tuple(values) for slot, values in one["slots"].items()}
            exchanges = tuple(Talk(*pair) for pair in one["exchanges"])
            yield Topic(name=name, theme=one["theme"], slots=slots, exchanges=exchanges)

    def subject(self, name: str, given: Mapping[str, Any]) -> Subject:
        """Whatever the kind: an event is told with a day in it, advice is what the assistant says."""
        first = given.get("user") or given.get("old") or given["say"]
        absent = given.get("absent", {})
        return Subject(
            name=name,
            theme=given["theme"],
            asks_for=given.get("asks_for", "rubric"),
            say=self._talks(first, given["say"] if "user" in given else given["reply"]),
            later=self._talks(given.get("new", ()), given.get("new_reply", ())),
            rival=self._talks(given.get("rival", ()), given.get("rival_reply", ())),
            ask=self.of(given.get("ask", ())),
            values=tuple(given.get("values", given.get("items", ()))),
            order=given.get("order", "any"),
            mark=tuple(given.get("mark", ())),
            never=tuple(absent.get("never", ())),
            absent=self.of(absent.get("ask", ())),
            noun=given.get("noun", ""),
            did=given.get("did", ""),
            rubric=given.get("rubric", ""),
            short=tuple(given.get("short", ())),
        )

    def _talks(self, user: Sequence[str], assistant: Sequence[str]) -> tuple[Talk, ...]:
        return self.of([Talk(*pair) for pair in zip(user, assistant, strict=True)])


def worded(text: str, values: Mapping[str, str], rng: Random) -> str:
    """*text* with one of each `(a|b)` and with its slots filled."""
    drawn = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return _SLOT.sub(lambda found: values[found[1]], drawn)


def begun(text: str) -> str:
    """With a capital where a sentence begins."""
    return _BEGIN.sub(lambda found: found[0].upper(), text)
