"""Which facts about the world are told together, by whom, and in what sessions: dealt out evenly over the person."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.catalogue import Kind
from recollect.benchmarks.subtlememory.generate.dealing import Dealer, ThreadDealer
from recollect.benchmarks.subtlememory.generate.threads import ENTITY, Exchange, Thread
from recollect.benchmarks.subtlememory.generate.world_values import Claim, capital

USER, ASSISTANT = ROLES = ("user", "assistant")
LENGTHS = {1: (8, 10, 12, 14), 2: (10, 12, 14), 3: (12, 14)}
"""Facts of a session -> how many messages it may have, so that each fact has one of its own and a step is left."""
MOST = 3
"""Facts of one session."""
FEW = 4
"""Facts of a case that two sessions tell; more need three."""
_begins = re.compile(r"(^|[.!?][\"']? )" + re.escape(ENTITY))
Groups = tuple[tuple[int, ...], ...]


def grouped(count: int, needed: Collection[int], rng: Random) -> Groups:
    """Places of the facts by session; what a question needs is never told in one session alone.

    Args:
        count: Of all facts, at least two.
        needed: Places of those that the question needs; at least two.
        rng: Deals them.

    Source:
        SubtleMemory, construction of non-user sessions: session plan.
    """
    sessions = 2 if count <= FEW else 3
    sizes = [one for one in product(range(1, MOST + 1), repeat=sessions) if sum(one) == count]
    while True:
        places = rng.sample(range(count), count)
        groups = []
        for size in rng.choice(sizes):
            groups.append(tuple(sorted(places[:size])))
            places = places[size:]
        if not any(set(needed) <= set(group) for group in groups):
            return tuple(groups)


class WorldBriefs:
    """Deals out what sessions are like, who tells what and on what occasion, over all cases of one person."""

    def __init__(self, rng: Random) -> None:
        self._threads, self._moments = ThreadDealer(rng), Dealer(rng)
        self._lengths, self._roles = Dealer(rng), Dealer(rng)

    def deal(self, kind: Kind, claims: Sequence[Claim], groups: Groups, roles: Sequence[str] = ()) -> tuple[Brief, ...]:
        """A session for each group of facts, each of another type as far as the kind has so many.

        Args:
            kind: Of what there is talk.
            claims: The facts.
            groups: Their places, by session.
            roles: Who tells each; dealt where nothing is said.
        """
        used: list[Exchange] = []
        told = [
            self._telling(fact, claim, roles[fact] if roles else self._roles.deal(ROLES), used)
            for fact, claim in enumerate(claims)
        ]
        had: list[str] = []
        made: list[Brief] = []
        for group in groups:
            thread = self._threads.deal(kind.threads, had)
            had.append(thread.conversation_type)
            made.append(self._brief(thread, tuple(told[fact] for fact in group)))
        return tuple(made)

    def _telling(self, fact: int, claim: Claim, role: str, used: list[Exchange]) -> Telling:
        """A fact and where it is told, no two of a case alike as far as there are so many."""
        moment = self._moments.deal(claim.occasions.reports if role == USER else claim.occasions.lookups, used)
        used.append(moment)
        asked = replace(moment, user=_of(moment.user, claim.subject))
        return Telling(fact=fact, role=role, turns=(claim.text,), moments=(asked,))

    def _brief(self, thread: Thread, told: tuple[Telling, ...]) -> Brief:
        return Brief(tellings=told, thread=thread, messages=self._lengths.deal(LENGTHS[len(told)]), signal=None)


def _of(text: str, name: str) -> str:
    """A question about an entity; a name that begins a sentence gets a capital."""
    return _begins.sub(lambda found: found[1] + capital(name), text).replace(ENTITY, name)
