"""What the sessions about a user are like: threads, lengths and voices dealt out evenly over the person."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.catalogue import ValueWords
from recollect.benchmarks.subtlememory.generate.dealing import ThreadDealer
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.showings import fits
from recollect.benchmarks.subtlememory.generate.tellings import Held, telling
from recollect.benchmarks.subtlememory.generate.threads import Thread
from recollect.benchmarks.subtlememory.items import LEVELS
from recollect.worlds.dealing import Dealer

LENGTHS = (10, 12, 14)
"""Messages of a session about the user."""


class UserBriefs:
    """Deals out what sessions are like, over all cases of one person."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings, self._rng = settings, rng
        self._threads, self._lengths, self._levels = ThreadDealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, threads: Sequence[Thread], held: Sequence[Held]) -> tuple[Brief, ...]:
        """A session for each fact of a case; each in another thread, as far as the values show in so many.

        Where the facts are to be alike, different values show in the same thread as far as they can.
        """
        had: list[tuple[Thread, ValueWords]] = []
        made: list[Brief] = []
        for fact, one in enumerate(held):
            thread = self._thread(threads, one, had)
            had.append((thread, one.value))
            showing = fits(one.showings(self._settings), thread.conversation_type)
            made.append(self._brief(thread, telling(fact, one, showing, self._settings, self._rng)))
        return tuple(made)

    def _thread(self, threads: Sequence[Thread], held: Held, had: Sequence[tuple[Thread, ValueWords]]) -> Thread:
        """One in which the value shows and has not shown yet in the case."""
        types = {one.thread for one in held.showings(self._settings)}
        told = [thread for thread, value in had if value == held.value]
        open_to = [one for one in threads if one.conversation_type in types and one not in told]
        before = [thread for thread, _ in had]
        if self._settings.overlap == "high":
            return self._threads.deal([one for one in open_to if one in before] or open_to)
        return self._threads.deal(open_to, [one.conversation_type for one in before])

    def _brief(self, thread: Thread, told: Telling) -> Brief:
        return Brief(
            tellings=(told,),
            thread=thread,
            messages=self._lengths.deal(LENGTHS),
            signal=self._levels.deal(LEVELS),
        )
