"""The questions that a case gives: some that one passage answers, some along a chain, some by elimination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from recollect.benchmarks.memoryagentbench.generate.detective_cases import (
    CHOICES,
    CREDITOR,
    GRID,
    SLOTS,
    Case,
    Clue,
    Query,
    problems,
)

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


def fits_alone(case: Case) -> Iterator[int]:
    """Guests that fit all marks: the thief and nobody else."""
    marks = dict(enumerate(case.marks))
    for guest in range(case.guests):
        if all(Clue(f"trait {trait}", guest, value) in case.told for trait, value in marks.items()):
            yield guest
