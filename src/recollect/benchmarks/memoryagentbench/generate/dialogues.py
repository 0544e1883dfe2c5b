"""An invented person's chats with an assistant over months, and questions of all six kinds about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS
from recollect.benchmarks.memoryagentbench.families.dialogues import MADE, UNANSWERABLE, guidance_of
from recollect.benchmarks.memoryagentbench.generate.dialogue_plans import WHEN, Drop, Pending, Planner
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import (
    DialogueWords,
    Named,
    Talk,
    Topic,
    begun,
    chat_times,
    dialogue_words,
    name_day,
    worded,
)
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Passage
from recollect.domain.histories import Keyed
from recollect.metrics.text_match import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSize(Size):
    """How much is made; the length is in chats."""

    quotas: Mapping[str, int]
    """Kind -> questions of a history; `absent` ones have no answer."""


def make_history(words: DialogueWords, size: ChatSize, number: int, rng: Random, used: Used) -> Keyed:
    """One person's chats with all questions about them.

    Raises:
        ValueError: The catalogue is too small, or lets something else answer a question.
    """
    plan = Planner(words, rng).make(size.quotas)
    talked = Talker(words, rng, used).talk(plan.drops, size.length)
    today = talked.last + timedelta(days=rng.randint(1, 3))
    texts = [f" {normalise(said.text)} " for said in talked.passages]
    problems = [problem for one in plan.asked for problem in _problems(one, talked, texts)]
    if problems:
        raise ValueError(f"history {number}: {'; '.join(problems)}")
    at = today.isoformat(timespec="minutes")
    asked = [_asked(one, talked, at, today.date(), f"{number}-{place}") for place, one in enumerate(plan.asked)]
    return keyed(SOURCES[MADE], number, talked.passages, asked)


def _asked(one: Pending, talked: Talked, at: str, today: date, name: str) -> Asked:
    abstain = not one.drops
    labels = {
        "question_type": one.question_type,
        "question_id": f"{name}{UNANSWERABLE}" if abstain else name,
        "abstain": "yes" if abstain else "no",
        "asks_for": one.asks_for,
        "theme": one.theme,
    }
    return Asked(
        text=one.text,
        gold=one.answer(talked.days, today),
        rejected=one.rejected,
        evidence=tuple(sorted(talked.places[drop] for drop in one.drops)),
        labels=labels,
        asked_at=at,
        abstain=abstain,
        guidance=guidance_of(one.question_type, abstain),
    )


def _problems(one: Pending, talked: Talked, texts: Sequence[str]) -> Iterator[str]:
    """Where the chats hold something that makes an answer wrong or not the only one."""
    evidence = {talked.places[drop] for drop in one.drops}
    for value in one.unique:
        found = _holders(texts, value)
        if not set(found) <= evidence or not found:
            yield f"{value!r} answers {one.text!r} and stands in messages {found}, evidence is {sorted(evidence)}"
    yield from (f"{word!r} was never to be told" for word in one.never if _holders(texts, word))
    if one.mark:
        found = _holders(texts, one.mark)
        known = {place for drop, place in talked.places.items() if drop.startswith(f"{one.group} ")}
        if not set(found) <= known or not evidence <= set(found):
            yield f"{one.mark!r} stands in messages {found}, its group in {sorted(known)}"


def _holders(texts: Sequence[str], words: str) -> Sequence[int]:
    """Which of the normalised texts hold *words* at word borders."""
    wanted = f" {normalise(words)} "
    return [place for place, text in enumerate(texts) if wanted in text]


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


class _Common(NamedTuple):
    """What all histories have in common."""

    words: DialogueWords
    used: Used


def _rows(common: _Common, made: ChatSize, number: int, rng: Random) -> Iterator[Keyed]:
    """One row a person."""
    yield make_history(common.words, made, number, rng, common.used)


def _size(histories: int, chats: int, *quotas: int) -> ChatSize:
    kinds = ("told", "advised", "preferred", "counted", "events", "updated", "absent")
    by_kind = dict(zip(kinds, quotas, strict=True))
    return ChatSize(histories=histories, length=chats, questions=sum(quotas), quotas=by_kind)


SIZES = {
    "small": _size(2, 34, 2, 2, 1, 2, 3, 2, 2),
    "medium": _size(5, 90, 4, 3, 3, 4, 6, 4, 3),
    "large": _size(5, 240, 6, 5, 5, 4, 10, 7, 4),
}
SPECS = (
    Spec(
        name="dialogues",
        sizes=SIZES,
        begin=lambda order: _Common(dialogue_words(held_out=order.held_out), Counter()),
        rows=_rows,
    ),
)
