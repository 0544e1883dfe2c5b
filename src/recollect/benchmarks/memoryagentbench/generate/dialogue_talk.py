"""Chats: small talk on many topics, into which things are dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS
from recollect.benchmarks.memoryagentbench.generate.dialogue_days import Named, chat_times, name_day
from recollect.benchmarks.memoryagentbench.generate.dialogue_plans import WHEN, Drop
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import DialogueWords, Talk, Topic, begun, worded
from recollect.benchmarks.memoryagentbench.questions import Passage

EXCHANGES = (2, 3, 4, 5)
"""On the topic of a chat."""
LEAST, MOST = 3, 6
"""Exchanges of a chat, whatever they are about: six to twelve messages."""
FOLLOWED, LED, CLOSED = 0.45, 0.7, 0.35
"""How often a user opens with a word on the last reply, leads over to what is dropped, or closes the chat."""
TRIES = 1_000
_TOPIC = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Talked:
    """A history's chats, and what stands where."""

    passages: tuple[Passage, ...]
    places: Mapping[str, int]
    """Drop -> place of the message that is its evidence."""
    days: Mapping[str, date]
    """Drop -> the day of which it tells."""
    last: datetime


class _Dated(NamedTuple):
    drop: Drop
    day: date


Used = Counter[tuple[str, int]]
"""Topic and place of an exchange -> how often it came so far, in all histories; -1 is the place of the topic itself."""


class Talker:
    """Words chats so that topics and exchanges come as rarely again as they can."""

    def __init__(self, words: DialogueWords, rng: Random, used: Used) -> None:
        self._words, self._rng, self._used = words, rng, used

    def talk(self, drops: Sequence[Drop], sessions: int) -> Talked:
        """So many chats with every drop in one of its own.

        Raises:
            ValueError: There are more drops than chats.
        """
        if len(drops) > sessions:
            raise ValueError(f"{len(drops)} things are told, but there are {sessions} chats")
        times = chat_times(sessions, self._rng)
        slots = sorted(self._rng.sample(range(sessions), len(drops)))
        dated = dict(zip(slots, self._dated(self._ordered(drops), [times[slot] for slot in slots]), strict=True))
        passages: list[Passage] = []
        places: dict[str, int] = {}
        for number, at in enumerate(times):
            one = dated.get(number)
            talks, dropped = self._session(one.drop if one else None)
            if one is not None:
                places[one.drop.name] = len(passages) + 2 * dropped + one.drop.replied
            passages += _passages(talks, number, at)
        days = {one.drop.name: one.day for one in dated.values()}
        return Talked(passages=tuple(passages), places=places, days=days, last=times[-1])

    def _ordered(self, drops: Sequence[Drop]) -> list[Drop]:
        """In random order, but what replaces something stands behind it."""
        order = self._rng.sample(drops, len(drops))
        places = {drop.name: place for place, drop in enumerate(order)}
        for drop in drops:
            here, first = places[drop.name], places.get(drop.behind, -1)
            if first > here:
                order[here], order[first] = order[first], order[here]
                places[drop.name], places[drop.behind] = first, here
        return order

    def _dated(self, drops: Sequence[Drop], times: Sequence[datetime]) -> list[_Dated]:
        """Days filled in, no two events on one day."""
        for _ in range(TRIES):
            named = [name_day(at, self._rng) for at in times]
            events = [one.day for drop, one in zip(drops, named, strict=True) if WHEN in drop.talk.user]
            if len(set(events)) == len(events):
                return [_Dated(_filled(drop, one), one.day) for drop, one in zip(drops, named, strict=True)]
        raise ValueError(f"no {len(drops)} chats found that tell of as many days")

    def _session(self, drop: Drop | None) -> tuple[list[Talk], int]:
        """Exchanges, and which of them holds the drop."""
        closing = self._rng.random() < CLOSED
        least = LEAST - (drop is not None) - closing
        count = max(least, min(self._rng.choice(EXCHANGES), MOST - (drop is not None) - closing))
        talks = list(self._exchanges(self._topic(drop), count))
        dropped = self._rng.randint(0, len(talks))
        if drop is not None:
            talks.insert(dropped, Talk(self._led(drop.talk.user, first=not dropped), begun(drop.talk.assistant)))
        if closing:
            talks.append(self._rng.choice(self._words.closings))
        return talks, dropped

    def _topic(self, drop: Drop | None) -> Topic:
        """One of those that came least often; if it can be, one that goes with what is dropped."""
        shuffled = self._rng.sample(self._words.topics, len(self._words.topics))
        least = min(self._used[topic.name, _TOPIC] for topic in shuffled)
        rare = [topic for topic in shuffled if self._used[topic.name, _TOPIC] == least]
        fits = [topic for topic in rare if drop is not None and topic.theme == drop.theme]
        topic = (fits or rare)[0]
        self._used[topic.name, _TOPIC] += 1
        return topic

    def _exchanges(self, topic: Topic, count: int) -> Iterator[Talk]:
        """Those of the topic that came least often, with one value of each slot in the whole chat."""
        values = {slot: self._rng.choice(known) for slot, known in topic.slots.items()}
        order = self._rng.sample(range(len(topic.exchanges)), len(topic.exchanges))
        chosen = sorted(order, key=lambda place: self._used[topic.name, place])[:count]
        for number, place in enumerate(chosen):
            self._used[topic.name, place] += 1
            user, assistant = (begun(worded(text, values, self._rng)) for text in topic.exchanges[place])
            yield Talk(f"{self._turn()}{user}" if number else user, assistant)

    def _turn(self) -> str:
        return self._rng.choice(self._words.turns) if self._rng.random() < FOLLOWED else ""

    def _led(self, text: str, *, first: bool) -> str:
        lead = "" if first or self._rng.random() >= LED else self._rng.choice(self._words.leads)
        return begun(f"{lead}{text}")


def _filled(drop: Drop, named: Named) -> Drop:
    if WHEN not in drop.talk.user:
        return drop
    talk = Talk(drop.talk.user.replace(WHEN, named.text), drop.talk.assistant)
    return Drop(name=drop.name, theme=drop.theme, talk=talk, replied=drop.replied, behind=drop.behind)


def _passages(talks: Sequence[Talk], session: int, at: datetime) -> Iterator[Passage]:
    said_at = at.isoformat(timespec="minutes")
    for talk in talks:
        yield Passage(text=talk.user, session=session, role="user", speaker=SPEAKERS["user"], said_at=said_at)
        yield Passage(
            text=talk.assistant, session=session, role="assistant", speaker=SPEAKERS["assistant"], said_at=said_at
        )
