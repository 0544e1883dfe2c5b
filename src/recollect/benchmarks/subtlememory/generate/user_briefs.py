"""What the sessions about a user are like: threads, lengths and voices dealt out evenly over the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.dealing import Dealer, ThreadDealer
from recollect.benchmarks.subtlememory.generate.threads import Thread
from recollect.benchmarks.subtlememory.items import LEVELS

LENGTHS = (10, 12, 14)
"""Messages of a session about the user."""


class UserBriefs:
    """Deals out what sessions are like, over all cases of one person."""

    def __init__(self, rng: Random) -> None:
        self._threads, self._lengths, self._levels = ThreadDealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, threads: Sequence[Thread], told: Sequence[Telling]) -> tuple[Brief, ...]:
        """A session for each fact of a case; each of another type, as far as the topic has so many."""
        had: list[str] = []
        made: list[Brief] = []
        for telling in told:
            thread = self._threads.deal(threads, had)
            had.append(thread.conversation_type)
            made.append(self._brief(thread, replace(telling, moment=thread.tell(telling.of).exchange)))
        return tuple(made)

    def _brief(self, thread: Thread, telling: Telling) -> Brief:
        return Brief(
            tellings=(telling,),
            thread=thread,
            messages=self._lengths.deal(LENGTHS),
            signal=self._levels.deal(LEVELS),
        )
