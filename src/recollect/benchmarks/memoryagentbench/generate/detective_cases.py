"""A case as a grid of who was where with what, and a solver for the answers that its clues leave open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

GRID = ("place", "thing", "hour")
CREDITOR = "creditor"
TRAITS = 3
SPOTS = 4
"""Where the loot may have been hidden; all but the right one were searched in vain."""
SLOTS = 5
"""Stretches of time in which it may have been taken."""
CHOICES = 4


class Clue(NamedTuple):
    """One thing that the story tells.

    `place`, `thing`, `hour` and `creditor`: the guest *subject* has the *value*. `trait 0` and so on: the guest has it
    (1) or not (0). `mark`: the thief has the trait *subject* or not. `searched`: the spot *subject* in vain. `seen` and
    `gone`: before the slot *subject* the loot was there, after it no longer. `tool`: what guest *subject* had brought.
    """

    kind: str
    subject: int
    value: int = 0


class Query(NamedTuple):
    """What is asked, and what it takes."""

    kind: str
    """`cell`, `chain`, `tool`, `when`, `spot` or `who`."""
    path: tuple[str, ...]
    """Kinds of clue from what the question names to what it asks for."""
    subject: int
    needs: tuple[Clue, ...]
    answer: int
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The truth, and what the story tells of it."""

    guests: int
    grid: Mapping[str, tuple[int, ...]]
    """Kind -> value of each guest, no two alike."""
    told: frozenset[Clue]
    decoys: tuple[Clue, ...]
    """Cells of another time: the text says so, and they answer nothing."""
    suspects: tuple[int, ...]
    """The thief and those who fail one mark each."""
    marks: tuple[int, ...]
    hidden: int
    slot: int

    def cell(self, kind: str, guest: int) -> Clue:
        """What the guest has, told or not."""
        return Clue(kind, guest, self.grid[kind][guest])

    def knows(self, kind: str) -> list[int]:
        """Guests about whom it is told."""
        return sorted(clue.subject for clue in self.told if clue.kind == kind)


def open_answers(query: Query, clues: Collection[Clue], guests: int) -> set[int]:
    """The options that no clue rules out; what is not told may be anything."""
    options = set(query.options)
    by_kind: defaultdict[str, list[Clue]] = defaultdict(list)
    for clue in clues:
        by_kind[clue.kind].append(clue)
    if query.kind == "who":
        marks = {f"trait {clue.subject}": clue.value for clue in by_kind["mark"]}
        return options - {clue.subject for clue in clues if marks.get(clue.kind, clue.value) != clue.value}
    if query.kind == "spot":
        return options - {clue.subject for clue in by_kind["searched"]}
    if query.kind == "when":
        first = max((clue.subject for clue in by_kind["seen"]), default=0)
        last = min((clue.subject for clue in by_kind["gone"]), default=SLOTS)
        return {slot for slot in options if first <= slot <= last}
    reached = {query.subject}
    for kind in query.path[:-1]:
        reached = {guest for value in reached for guest in _holders(kind, value, by_kind[kind], guests)}
    found: set[int] = set()
    for guest in reached:
        told = {clue.value for clue in by_kind[query.path[-1]] if clue.subject == guest}
        found |= (told or options) & options
    return found


def _holders(kind: str, value: int, clues: Sequence[Clue], guests: int) -> Iterable[int]:
    told = {clue.subject: clue.value for clue in clues}
    if kind == "tool":
        return told or range(guests)
    named = [guest for guest, held in told.items() if held == value]
    return named or [guest for guest in range(guests) if guest not in told]


def problems(query: Query, case: Case) -> Iterator[str]:
    """Where the clues leave more than one answer, or one could be left out."""
    what = f"{query.kind} {'-'.join(query.path)} {query.subject}"
    for name, clues in (("all", case.told), ("the needed", frozenset(query.needs))):
        left = open_answers(query, clues, case.guests)
        if left != {query.answer}:
            yield f"{what}: {name} clues leave {sorted(left)}, the answer is {query.answer}"
    for clue in query.needs:
        left = open_answers(query, case.told - {clue}, case.guests)
        if len(left) < 2:
            yield f"{what}: without {clue} the answer still is {sorted(left)}"


def draw_case(guests: int, rng: Random) -> Case:
    """A case of so many guests; of each kind two are not told, never the same two."""
    everyone = rng.sample(range(guests), guests)
    grid = {kind: tuple(rng.sample(range(guests), guests)) for kind in GRID}
    creditors = _ring(range(guests), rng)
    grid[CREDITOR] = tuple(creditors[guest] for guest in range(guests))
    silent = {kind: set(everyone[2 * place : 2 * place + 2]) for place, kind in enumerate(GRID)}
    silent[CREDITOR] = set(rng.sample(everyone[:4], 2))
    told = {Clue(kind, guest, grid[kind][guest]) for kind in grid for guest in everyone if guest not in silent[kind]}
    suspects = tuple(rng.sample(range(guests), TRAITS + 1))
    marks = tuple(rng.randrange(2) for _ in range(TRAITS))
    told |= {Clue("mark", trait, value) for trait, value in enumerate(marks)}
    for guest in range(guests):  # the thief fails no mark, each other suspect one, the other guests one or more
        failed = {suspects.index(guest) - 1} if guest in suspects else rng.sample(range(TRAITS), rng.randint(1, TRAITS))
        told |= {
            Clue(f"trait {trait}", guest, 1 - mark if trait in failed else mark) for trait, mark in enumerate(marks)
        }
    hidden, slot = rng.randrange(SPOTS), rng.randrange(SLOTS)
    told |= {Clue("searched", spot) for spot in range(SPOTS) if spot != hidden}
    brought = Clue("tool", rng.choice([one for one in everyone if one not in silent["thing"]]))
    told |= {Clue("seen", slot), Clue("gone", slot), brought}
    rings = {kind: _ring(range(guests), rng) for kind in GRID}
    return Case(
        guests=guests,
        grid=grid,
        told=frozenset(told),
        decoys=tuple(
            Clue(kind, guest, grid[kind][other]) for kind, ring in rings.items() for guest, other in ring.items()
        ),
        suspects=suspects,
        marks=marks,
        hidden=hidden,
        slot=slot,
    )


def _ring(people: Sequence[int], rng: Random) -> dict[int, int]:
    """Somebody else for each person."""
    ring = rng.sample(people, len(people))
    return dict(zip(ring, [*ring[1:], ring[0]], strict=True))


TRIES = 100
REASONING = {
    "cell": "stated",
    "chain": "chain",
    "tool": "chain",
    "when": "elimination",
    "spot": "elimination",
    "who": "elimination",
}
ASKS = {"place": "where", "thing": "what", "hour": "when", "spot": "where"}


def draw_queries(case: Case, each: int, rng: Random) -> list[Query]:
    """Questions of all kinds, checked by the solver: *each* of every path, one of a tool and of each elimination."""
    found: list[Query] = []
    for path in (*((kind,) for kind in GRID), ("place", "thing"), ("thing", "hour"), ("place", CREDITOR, "hour")):
        found.extend(_of_path(case, path, each, rng))
    for query in _single_queries(case, rng):
        wrong = list(problems(query, case))
        if wrong:
            raise ValueError("; ".join(wrong))
        found.append(query)
    return found


def _of_path(case: Case, path: tuple[str, ...], wanted: int, rng: Random) -> list[Query]:
    found: dict[int, Query] = {}
    for _ in range(TRIES):
        query = _chain(case, path, rng)
        if query is not None and query.answer not in found and not list(problems(query, case)):
            found[query.answer] = query
        if len(found) == wanted:
            return list(found.values())
    raise ValueError(f"the case gives {len(found)} of {wanted} questions by {'-'.join(path)}")


def _chain(case: Case, path: tuple[str, ...], rng: Random) -> Query | None:
    """From a value that one guest has, if need be over the one who owes that guest money, to a value.

    A path of one kind starts at the guest.
    """
    guest = rng.choice(case.knows(path[0]))
    needs = [case.cell(path[0], guest)]
    start = needs[0].value if len(path) > 1 else guest
    for kind in path[1:]:
        if kind == CREDITOR:
            guest = case.grid[CREDITOR].index(guest)
        needs.append(case.cell(kind, guest))
    if not case.told.issuperset(needs):
        return None
    answer = needs[-1].value
    options = _options(case, path[-1], answer, rng)
    return Query("chain" if len(path) > 1 else "cell", path, start, tuple(needs), answer, options)


def _single_queries(case: Case, rng: Random) -> Iterator[Query]:
    """Whose tool, when, where and who; drawn one by one, so that each may be checked before the next."""
    owner = next(clue for clue in case.told if clue.kind == "tool")
    brought = case.cell("thing", owner.subject)
    options = _options(case, "thing", brought.value, rng)
    yield Query("tool", ("tool", "thing"), 0, (owner, brought), brought.value, options)
    options = (case.slot, *rng.sample([slot for slot in range(SLOTS) if slot != case.slot], CHOICES - 1))
    # a sighting is needed only where an option lies before it, or after it
    before, after = min(options) < case.slot, max(options) > case.slot
    sightings = [*([Clue("seen", case.slot)] if before else []), *([Clue("gone", case.slot)] if after else [])]
    yield Query("when", (), 0, tuple(sightings), case.slot, options)
    searches = tuple(sorted(clue for clue in case.told if clue.kind == "searched"))
    options = (case.hidden, *rng.sample([clue.subject for clue in searches], CHOICES - 1))
    yield Query("spot", (), 0, searches, case.hidden, options)
    marks = [Clue("mark", trait, value) for trait, value in enumerate(case.marks)]
    failed = [Clue(f"trait {trait}", case.suspects[trait + 1], 1 - value) for trait, value in enumerate(case.marks)]
    thief, *others = case.suspects
    yield Query("who", (), 0, (*marks, *failed), thief, (thief, *rng.sample(others, CHOICES - 1)))


def _options(case: Case, kind: str, answer: int, rng: Random) -> tuple[int, ...]:
    """The answer and other values that are told of somebody, so that all are spoken of equally often."""
    others = [case.grid[kind][guest] for guest in case.knows(kind) if case.grid[kind][guest] != answer]
    return (answer, *rng.sample(others, CHOICES - 1))
