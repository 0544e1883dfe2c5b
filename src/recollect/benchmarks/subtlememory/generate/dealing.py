"""Seeded dealing: always something that was dealt least often, and relations in even shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random

from recollect.benchmarks.subtlememory.generate.threads import Thread
from recollect.benchmarks.subtlememory.items import RELATIONS, SUBTYPES
from recollect.worlds.dealing import shares


class ThreadDealer:
    """Deals out threads to a person: first those had least often, of types had least often."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._threads: Counter[Thread] = Counter()
        self._types: Counter[str] = Counter()

    def deal(self, threads: Sequence[Thread], avoid: Collection[str] = ()) -> Thread:
        """One of *threads*, if possible of none of the types *avoid*."""
        open_to = [one for one in threads if one.conversation_type not in avoid] or list(threads)
        mixed = self._rng.sample(open_to, len(open_to))
        chosen = min(mixed, key=lambda one: (self._threads[one], self._types[one.conversation_type]))
        self._threads[chosen] += 1
        self._types[chosen.conversation_type] += 1
        return chosen


def relation_plan(count: int) -> dict[str, int]:
    """Sub-type -> how many of *count* cases: even over relations, then over their sub-types.

    What does not divide goes to nuanced first, then to contradictory; within a relation in the order of `SUBTYPES`.

    Source:
        SubtleMemory, construction of user-related cases: relation plan.
    """
    order = ("nuanced", "contradictory", "complementary")
    relations = shares(count, order)
    planned: dict[str, int] = {}
    for relation in RELATIONS:
        planned |= shares(relations[relation], [one for one, of in SUBTYPES.items() if of == relation])
    return {subtype: planned[subtype] for subtype in SUBTYPES}
