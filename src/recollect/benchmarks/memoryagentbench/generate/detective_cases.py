"""A case as a grid of who was where with what, and the solver that says which answers its clues leave open."""

from __future__ import annotations

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
    """The truth, and what of it is told."""

    guests: int
    grid: Mapping[str, tuple[int, ...]]
    """Kind -> value of each guest, no two alike."""
    told: frozenset[Clue]
    decoys: tuple[Clue, ...]
    """Cells of another time: the text says so, and they answer nothing."""
    thief: int
    suspects: tuple[int, ...]
    """The thief and those who fail one mark each."""
    marks: tuple[int, ...]
    hidden: int
    slot: int

    def cell(self, kind: str, guest: int) -> Clue:
        """What the guest has, told or not."""
        return Clue(kind, guest, self.grid[kind][guest])

    def knows(self, kind: str) -> list[int]:
        """Guests of whom it is told."""
        return sorted(clue.subject for clue in self.told if clue.kind == kind)


def open_answers(query: Query, clues: Collection[Clue], guests: int) -> set[int]:
    """Which of the options no clue rules out; what is not told may be anything."""
    options = set(query.options)
    if query.kind == "who":
        return {one for one in options if not _fails(one, clues)}
    if query.kind == "spot":
        return options - {clue.subject for clue in clues if clue.kind == "searched"}
    if query.kind == "when":
        return {one for one in options if not _untimely(one, clues)}
    return {value for one in _end(query, clues, guests) for value in _values(query.path[-1], one, clues, options)}


def _fails(guest: int, clues: Collection[Clue]) -> bool:
    marks = {f"trait {clue.subject}": clue.value for clue in clues if clue.kind == "mark"}
    return any(clue.subject == guest and marks.get(clue.kind, clue.value) != clue.value for clue in clues)


def _untimely(slot: int, clues: Collection[Clue]) -> bool:
    early = any(clue.kind == "seen" and slot < clue.subject for clue in clues)
    return early or any(clue.kind == "gone" and slot > clue.subject for clue in clues)


def _end(query: Query, clues: Collection[Clue], guests: int) -> set[int]:
    """The guests that the path may lead to."""
    if query.kind == "cell":
        return {query.subject}
    found = {query.subject}
    for kind in query.path[:-1]:
        found = {guest for value in found for guest in _holders(kind, value, clues, guests)}
    return found


def _holders(kind: str, value: int, clues: Collection[Clue], guests: int) -> Iterable[int]:
    told = {clue.subject: clue.value for clue in clues if clue.kind == kind}
    if kind == "tool":
        return told or range(guests)
    named = [guest for guest, held in told.items() if held == value]
    return named or [guest for guest in range(guests) if guest not in told]


def _values(kind: str, guest: int, clues: Collection[Clue], options: set[int]) -> set[int]:
    told = {clue.value for clue in clues if clue.kind == kind and clue.subject == guest}
    return (told or options) & options


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
    grid[CREDITOR] = _creditors(guests, rng)
    silent = {kind: set(everyone[2 * place : 2 * place + 2]) for place, kind in enumerate(GRID)}
    silent[CREDITOR] = set(rng.sample(everyone[:4], 2))
    told = {Clue(kind, guest, grid[kind][guest]) for kind in grid for guest in everyone if guest not in silent[kind]}
    suspects = tuple(rng.sample(range(guests), TRAITS + 1))
    marks = tuple(rng.randrange(2) for _ in range(TRAITS))
    told |= {Clue("mark", trait, value) for trait, value in enumerate(marks)}
    told |= set(_traits(guests, suspects, marks, rng))
    hidden, slot = rng.randrange(SPOTS), rng.randrange(SLOTS)
    told |= {Clue("searched", spot) for spot in range(SPOTS) if spot != hidden}
    told |= {
        Clue("seen", slot),
        Clue("gone", slot),
        Clue("tool", rng.choice([one for one in everyone if one not in silent["thing"]])),
    }
    return Case(
        guests=guests,
        grid=grid,
        told=frozenset(told),
        decoys=tuple(_decoys(grid, rng)),
        thief=suspects[0],
        suspects=suspects,
        marks=marks,
        hidden=hidden,
        slot=slot,
    )


def _creditors(guests: int, rng: Random) -> tuple[int, ...]:
    """A creditor for each, nobody's own."""
    ring = rng.sample(range(guests), guests)
    following = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return tuple(following[guest] for guest in range(guests))


def _traits(guests: int, suspects: Sequence[int], marks: Sequence[int], rng: Random) -> Iterator[Clue]:
    """The thief fails no mark, each other suspect one of their own, the other guests one or more."""
    for guest in range(guests):
        if guest in suspects:
            failed = {suspects.index(guest) - 1} - {-1}
        else:
            failed = set(rng.sample(range(TRAITS), rng.randint(1, TRAITS)))
        for trait, mark in enumerate(marks):
            yield Clue(f"trait {trait}", guest, 1 - mark if trait in failed else mark)


def _decoys(grid: Mapping[str, Sequence[int]], rng: Random) -> Iterator[Clue]:
    """For each cell a value of somebody else's."""
    for kind in GRID:
        ring = rng.sample(range(len(grid[kind])), len(grid[kind]))
        for guest, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            yield Clue(kind, guest, grid[kind][other])


TRIES = 100
REASONING = {
    "cell": "stated",
    "chain": "chain",
    "tool": "chain",
    "when": "elimination",
    "spot": "elimination",
    "who": "elimination",
}
ASKS = {"place": "where", "thing": "what", "hour": "when"}


def draw_queries(case: Case, each: int, rng: Random) -> list[Query]:
    """Questions of all kinds, each checked by the solver: so many of a kind as *each* says, of elimination one.

    Raises:
        ValueError: The case does not give them.
    """
    found: list[Query] = []
    for path in (*((kind,) for kind in GRID), ("place", "thing"), ("thing", "hour"), ("place", CREDITOR, "hour")):
        found.extend(_some(case, path, each, rng))
    return [*found, _tool(case, rng), _when(case, rng), _spot(case, rng), _who(case, rng)]


def _some(case: Case, path: tuple[str, ...], wanted: int, rng: Random) -> list[Query]:
    """Questions of one path about different guests."""
    found: dict[int, Query] = {}
    for _ in range(TRIES):
        query = _cell(case, path[0], rng) if len(path) == 1 else _chain(case, path, rng)
        if query is not None and query.answer not in found and not list(problems(query, case)):
            found[query.answer] = query
        if len(found) == wanted:
            return list(found.values())
    raise ValueError(f"the case gives {len(found)} of {wanted} questions by {'-'.join(path)}")


def _cell(case: Case, kind: str, rng: Random) -> Query:
    guest = rng.choice(case.knows(kind))
    need = case.cell(kind, guest)
    return Query("cell", (kind,), guest, (need,), need.value, _options(case, kind, need.value, rng))


def _chain(case: Case, path: tuple[str, ...], rng: Random) -> Query | None:
    """From a value that a guest alone has, over the one who owes that guest money if need be, to a value."""
    guest = rng.choice(case.knows(path[0]))
    needs = [case.cell(path[0], guest)]
    for kind in path[1:]:
        if kind == CREDITOR:
            guest = case.grid[CREDITOR].index(guest)
        needs.append(case.cell(kind, guest))
    if not case.told.issuperset(needs):
        return None
    answer = needs[-1].value
    return Query("chain", path, needs[0].value, tuple(needs), answer, _options(case, path[-1], answer, rng))


def _options(case: Case, kind: str, answer: int, rng: Random) -> tuple[int, ...]:
    """The answer and other values that are told of somebody, so that all are spoken of equally often."""
    others = [case.grid[kind][guest] for guest in case.knows(kind) if case.grid[kind][guest] != answer]
    return (answer, *rng.sample(others, CHOICES - 1))


def _tool(case: Case, rng: Random) -> Query:
    owner = next(clue for clue in case.told if clue.kind == "tool")
    brought = case.cell("thing", owner.subject)
    options = _options(case, "thing", brought.value, rng)
    return _checked(Query("tool", ("tool", "thing"), 0, (owner, brought), brought.value, options), case)


def _when(case: Case, rng: Random) -> Query:
    """The stretch between two sightings, of which one is needed only where an option lies before it, or behind."""
    options = (case.slot, *rng.sample([slot for slot in range(SLOTS) if slot != case.slot], CHOICES - 1))
    before, after = min(options) < case.slot, max(options) > case.slot
    needs = [*([Clue("seen", case.slot)] if before else []), *([Clue("gone", case.slot)] if after else [])]
    return _checked(Query("when", (), 0, tuple(needs), case.slot, options), case)


def _spot(case: Case, rng: Random) -> Query:
    needs = tuple(sorted(clue for clue in case.told if clue.kind == "searched"))
    options = (case.hidden, *rng.sample([clue.subject for clue in needs], CHOICES - 1))
    return _checked(Query("spot", (), 0, needs, case.hidden, options), case)


def _who(case: Case, rng: Random) -> Query:
    marks = [Clue("mark", trait, value) for trait, value in enumerate(case.marks)]
    failed = [Clue(f"trait {trait}", case.suspects[trait + 1], 1 - value) for trait, value in enumerate(case.marks)]
    options = (case.thief, *rng.sample(case.suspects[1:], CHOICES - 1))
    return _checked(Query("who", (), 0, (*marks, *failed), case.thief, options), case)


def _checked(query: Query, case: Case) -> Query:
    found: Sequence[str] = list(problems(query, case))
    if found:
        raise ValueError("; ".join(found))
    return query
