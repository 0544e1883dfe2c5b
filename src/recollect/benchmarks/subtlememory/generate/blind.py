"""Of several designs of a case the one by which solvers that see the question alone gain nothing.

Constant answers are among them: to ask back, to refuse, to say nothing, and to name all that can be chosen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

from recollect.benchmarks.subtlememory.generate.plans import CasePlan
from recollect.benchmarks.subtlememory.items import FOLDED, SUBTYPES, Asked, Bundle, Instance
from recollect.worlds.solvers import (
    BlindRow,
    Guessed,
    Solver,
    at,
    at_random,
    blind_table,
    by_length,
    first,
    last,
    least_alike,
    longest,
    most_alike,
    shorter_middle,
    shortest,
)

T = TypeVar("T")

ONE_OF = "one of: "
"""Stands before the choices of a form's field."""
BETWEEN = " / "
"""Parts the choices of a form's field."""
SOLVERS: Mapping[str, Solver] = {
    "first": first,
    "middle": shorter_middle,
    "last": last,
    "shortest": shortest,
    "longest": longest,
    "most_alike": most_alike,
    "least_alike": least_alike,
    "at_random": at_random,
}
"""Name -> solver; the generator sees to it that none of them gains anything."""
CONSTANTS = ("clarify", "refuse", "empty")
"""Answers that are the same to every question; they name nothing."""
NAME_ALL = "name_all"
"""Whoever names everything that is offered names what must not be named, too."""
BELOW = (0.2, 0.7)
"""Right guesses by which the solvers stay below chance in each person and sub-type, drawn between these: so few that
what they leave is no hint, and enough that the few questions of a set do not lift one above."""
WEIGHT = 1.5
"""How much more a solver counts than the places and lengths beside."""
WATCHED: Mapping[str, Solver] = {
    **SOLVERS,
    **{f"place {place}": at(place) for place in range(4)},
    **{f"length {rank}": by_length(rank) for rank in range(4)},
}
"""The solvers, and the single places and lengths beside: what one leaves must not all fall to another."""
_OTHERS = tuple(name for name in WATCHED if name not in SOLVERS)


def offered(asked: Asked) -> dict[str, tuple[str, ...]]:
    """What a question lets choose from, as it is shown, by field; resources have one field without a name."""
    if asked.options:
        return {"": tuple(f"{name}: {asked.described[name]}" for name in asked.options)}
    return {field: shown for field, said in asked.template.items() if (shown := choices(said))}


def choices(given: str) -> tuple[str, ...]:
    """What a line of a form offers: `one of: a / b` offers a and b; anything else nothing."""
    return tuple(given.removeprefix(ONE_OF).split(BETWEEN)) if given.startswith(ONE_OF) else ()


def is_right(asked: Asked, named: Mapping[str, Sequence[str]]) -> bool:
    """Whether an answer that names these choices, as they are shown, is right.

    A conflict has two sides, and one is not enough; whoever names what nothing speaks for is wrong as well.
    """
    if not asked.fields:
        return False
    if asked.template and set(asked.fields) <= set(asked.template):
        return all(named.get(field) and set(named[field]) <= set(accepted) for field, accepted in asked.fields.items())
    said = {one.partition(":")[0] if asked.options else one for each in named.values() for one in each}
    return said.isdisjoint(asked.others) and all(said & set(accepted) for accepted in asked.fields.values())


def solved(asked: Asked, solvers: Mapping[str, Solver] = SOLVERS) -> tuple[str, ...]:
    """Names of the solvers that answer the question."""
    choices = offered(asked)
    return tuple(
        name
        for name, solver in solvers.items()
        if is_right(asked, {field: (shown[solver(shown)],) for field, shown in choices.items()})
    )


def hits(asked: Asked) -> tuple[str, ...]:
    """Names of the solvers and constant answers that are right; constant answers name nothing, or everything."""
    constants = CONSTANTS if is_right(asked, {}) else ()
    everything = (NAME_ALL,) if is_right(asked, offered(asked)) else ()
    return (*solved(asked), *constants, *everything)


def blind_rows(sets: Iterable[CasePlan | Instance | Bundle]) -> tuple[BlindRow, ...]:
    """Every solver on every sub-type, in the order of `SUBTYPES`; questions without `asked` are passed over."""
    cases = [case for one in sets for case in (one.instances if isinstance(one, Bundle) else (one,))]
    guessed = [
        Guessed(group=FOLDED.get(case.relation_subtype, case.relation_subtype), chance=asked.chance, right=hits(asked))
        for case in cases
        for asked in (qa.asked for qa in case.qas)
        if asked is not None
    ]
    ordered = sorted(guessed, key=lambda one: tuple(SUBTYPES).index(one.group))
    return blind_table(ordered, (*SOLVERS, *CONSTANTS, NAME_ALL))


class Balance:
    """What can be guessed so far of one person's questions, by sub-type."""

    def __init__(self, rng: Random) -> None:
        self._hits: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._expected: defaultdict[str, float] = defaultdict(float)
        self._below = defaultdict[str, float](lambda: rng.uniform(*BELOW))

    def pick(self, subtype: str, designs: Sequence[T], asked: Callable[[T], Sequence[Asked]]) -> T:
        """The design after which all solvers lie nearest to chance; the first of equals."""
        so_far, expected, below = self._hits[subtype], self._expected[subtype], self._below[subtype]
        costs, found = [], []
        for design in designs:
            questions = asked(design)
            hits = Counter(name for one in questions for name in solved(one, WATCHED))
            wanted = expected + sum(one.chance for one in questions)
            off = sum((so_far[name] + hits[name] - wanted + below) ** 2 for name in SOLVERS)
            rest = sum((so_far[name] + hits[name] - wanted) ** 2 for name in _OTHERS)
            costs.append((WEIGHT * off + rest, wanted))
            found.append(hits)
        best = costs.index(min(costs))
        so_far.update(found[best])
        self._expected[subtype] = costs[best][1]
        return designs[best]
