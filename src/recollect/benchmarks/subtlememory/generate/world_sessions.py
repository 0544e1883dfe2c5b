"""Which facts about the world are told together, by whom, and in what sessions: dealt out evenly over the person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.dealing import Dealer, ThreadDealer
from recollect.benchmarks.subtlememory.generate.patterns import draw
from recollect.benchmarks.subtlememory.generate.threads import Thread
from recollect.benchmarks.subtlememory.generate.world_values import Claim
from recollect.benchmarks.subtlememory.generate.world_words import world_words

USER, ASSISTANT = ROLES = ("user", "assistant")
LENGTHS = {1: (6, 8, 10, 12, 14), 2: (8, 10, 12, 14), 3: (10, 12, 14)}
"""Facts of a session -> how many messages it may have, so that each fact has one of its own."""
MOST = 3
"""Facts of one session."""
FEW = 4
"""Facts of a case that two sessions tell; more need three."""
ECHOED = 0.4
"""Share of what the assistant tells that the user answers."""
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
    """Deals out what sessions are like and who tells what, over all cases of one person."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._threads = ThreadDealer(rng)
        self._lengths, self._roles, self._echoes = Dealer(rng), Dealer(rng), Dealer(rng)

    def deal(
        self, threads: Sequence[Thread], claims: Sequence[Claim], groups: Groups, roles: Sequence[str] = ()
    ) -> tuple[Brief, ...]:
        """A session for each group of facts, each of another type as far as the kind has so many.

        Args:
            threads: Talk of the topic.
            claims: The facts.
            groups: Their places, by session.
            roles: Who tells each; dealt where nothing is said.
        """
        echoed: list[str] = []
        told = [
            self._telling(fact, claim, roles[fact] if roles else self._roles.deal(ROLES), echoed)
            for fact, claim in enumerate(claims)
        ]
        had: list[str] = []
        made: list[Brief] = []
        for group in groups:
            thread = self._threads.deal(threads, had)
            had.append(thread.conversation_type)
            made.append(self._brief(thread, tuple(told[fact] for fact in group)))
        return tuple(made)

    def _telling(self, fact: int, claim: Claim, role: str, echoed: list[str]) -> Telling:
        """A fact; what the assistant tells is answered now and then, never twice alike in a case."""
        echoes: tuple[str, ...] = ()
        if role == ASSISTANT and self._rng.random() < ECHOED:
            echoed.append(self._echoes.deal(world_words().echoes, avoid=echoed))
            echoes = (draw(echoed[-1], self._rng),)
        return Telling(fact=fact, role=role, turns=(claim.text,), echoes=echoes, subject=claim.subject)

    def _brief(self, thread: Thread, told: tuple[Telling, ...]) -> Brief:
        return Brief(tellings=told, thread=thread, messages=self._lengths.deal(LENGTHS[len(told)]), signal=None)
