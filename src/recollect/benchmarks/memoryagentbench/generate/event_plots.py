"""A town in which people want things, and what they do step by step, each step for an earlier reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import NamedTuple

WITH_OTHER = frozenset({"tell", "overhear", "show", "steal", "give", "sell", "quarrel", "promise"})
"""Kinds of event that have a second person."""
WANTS = 2
_LATELY = 2


class Happening(NamedTuple):
    """One event: who did what to whom with which thing, and where; all numbers of the town's lists."""

    kind: str
    actor: int
    other: int
    """-1 for nobody."""
    thing: int
    place: int


Move = tuple[float, Happening]
"""Weight, and what may happen."""


@dataclass
class Town:
    """Who holds, wants and knows what."""

    people: int
    things: int
    places: int
    rng: Random
    holder: dict[int, int] = field(default_factory=dict)
    """Thing -> person; things that nobody holds lie at a place."""
    spot: dict[int, int] = field(default_factory=dict)
    known: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    """(person, thing) -> the place or the person where they believe it to be."""
    wants: set[tuple[int, int]] = field(default_factory=set)
    foes: set[tuple[int, int]] = field(default_factory=set)
    """(who bears a grudge, against whom)."""
    promised: set[tuple[int, int, int]] = field(default_factory=set)
    searched: set[tuple[int, int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        for thing in range(self.things):
            if thing % 2:
                self._hold(self.rng.randrange(self.people), thing)
            else:
                self.spot[thing] = self.rng.randrange(self.places)
        for person in range(self.people):
            self.wants |= {(person, thing) for thing in self.rng.sample(range(self.things), WANTS)}

    def live(self, steps: int) -> list[Happening]:
        """So many events, none twice.

        Raises:
            ValueError: Nothing more can happen.
        """
        story: list[Happening] = []
        seen: set[Happening] = set()
        while len(story) < steps:
            moves = [(weight, event) for weight, event in self._moves() if event not in seen]
            lately = {event.kind for event in story[-_LATELY:]}
            fresh = [(weight, event) for weight, event in moves if event.kind not in lately] or moves
            if not fresh:
                raise ValueError(f"after {len(story)} of {steps} events nothing more can happen")
            story.append(self.rng.choices(fresh, [weight for weight, _ in fresh])[0][1])
            seen.add(story[-1])
            self._apply(story[-1])
        return story

    def _moves(self) -> Iterator[Move]:
        for thing in range(self.things):
            if thing in self.spot:
                place = self.spot[thing]
                for actor in range(self.people):
                    wanted = (actor, thing) in self.wants
                    sure = self.known.get((actor, thing)) == ("place", place)
                    weight = 8.0 if wanted and sure else 1.0 if wanted else 0.15
                    yield self._move(weight, "find", actor, -1, thing, place)
            else:
                holder = self.holder[thing]
                coveted = any((person, thing) in self.wants for person in range(self.people) if person != holder)
                yield self._move(1.6 if coveted else 0.5, "hide", holder, -1, thing)
                yield self._move(0.5, "lose", holder, -1, thing)
            for actor in range(self.people):
                if (actor, thing) in self.wants and self.holder.get(thing) != actor:
                    kind, believed = self.known.get((actor, thing), ("", -1))
                    place = believed if kind == "place" else self.rng.randrange(self.places)
                    if self.spot.get(thing) != place and (actor, thing, place) not in self.searched:
                        yield self._move(3.0 if kind == "place" else 1.0, "search", actor, -1, thing, place)
            for actor, other in permutations(range(self.people), 2):
                yield from self._between(actor, other, thing)

    def _move(self, weight: float, kind: str, actor: int, other: int, thing: int, place: int | None = None) -> Move:  # noqa: PLR0917 - an event's five parts
        where = self.rng.randrange(self.places) if place is None else place
        return weight, Happening(kind, actor, other, thing, where)

    def _between(self, actor: int, other: int, thing: int) -> Iterator[Move]:
        friends = (actor, other) not in self.foes
        mine, theirs = (actor, thing) in self.wants, (other, thing) in self.wants
        if self.holder.get(thing) == actor:
            yield from self._from_holder(actor, other, thing, friends=friends)
        elif self.holder.get(thing) == other:
            if mine and self.known.get((actor, thing)) == ("person", other):
                yield self._move(2.5, "steal", actor, other, thing)
        elif theirs and friends and (actor, other, thing) not in self.promised:
            yield self._move(0.1, "promise", actor, other, thing)
        if (actor, thing) in self.known and theirs and friends and (other, thing) not in self.known:
            yield self._move(1.5, "tell", actor, other, thing)
        if mine and (other, thing) in self.known and (actor, thing) not in self.known:
            yield self._move(1.2, "overhear", actor, other, thing)
        if mine and (theirs or not friends):
            yield self._move(0.1, "quarrel", actor, other, thing)

    def _from_holder(self, actor: int, other: int, thing: int, *, friends: bool) -> Iterator[Move]:
        mine, theirs = (actor, thing) in self.wants, (other, thing) in self.wants
        if friends and (actor, other, thing) in self.promised:
            yield self._move(6.0, "give", actor, other, thing)
        elif theirs and not mine:
            yield self._move(1.6, "give" if friends else "sell", actor, other, thing)
            yield self._move(1.6, "sell", actor, other, thing)
        if friends and (other, thing) not in self.known:
            yield self._move(0.3, "show", actor, other, thing)

    def _apply(self, event: Happening) -> None:
        kind, actor, other, thing, place = event
        if kind == "search":
            self.searched.add((actor, thing, place))
            self.known.pop((actor, thing), None)
        elif kind in {"find", "steal"}:
            self._hold(actor, thing)
            self.wants.add((actor, thing))
        elif kind in {"hide", "lose"}:
            del self.holder[thing]
            self.spot[thing] = place
            self.searched = {one for one in self.searched if one[1] != thing}
            self.known.pop((actor, thing), None)
            if kind == "hide":
                self.known[actor, thing] = ("place", place)
        elif kind in {"give", "sell"}:
            self._hold(other, thing)
            self.wants.discard((actor, thing))
        self._between_people(kind, actor, other, thing)

    def _between_people(self, kind: str, actor: int, other: int, thing: int) -> None:
        if kind == "tell":
            self.known[other, thing] = self.known[actor, thing]
        elif kind == "overhear":
            self.known[actor, thing] = self.known[other, thing]
        elif kind == "show":
            self.known[other, thing] = ("person", actor)
        elif kind == "quarrel":
            self.foes |= {(actor, other), (other, actor)}
        elif kind == "steal":
            self.foes.add((other, actor))
            self.wants.add((other, thing))
        elif kind == "promise":
            self.promised.add((actor, other, thing))
            self.wants.add((actor, thing))

    def _hold(self, person: int, thing: int) -> None:
        self.spot.pop(thing, None)
        before = self.holder.get(thing)
        self.holder[thing] = person
        self.known[person, thing] = ("person", person)
        if before is not None and before != person:
            self.known[before, thing] = ("person", person)
