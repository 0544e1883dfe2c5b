"""An invented person's chats with an assistant over months, and questions of all six kinds about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS
from recollect.benchmarks.memoryagentbench.families.dialogues import MADE, UNANSWERABLE, guidance_of
from recollect.benchmarks.memoryagentbench.generate import dialogue_words as wording
from recollect.benchmarks.memoryagentbench.generate.dialogue_plans import WHEN, Drop, Pending, Planner
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import Talk, Topic
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked, Passage
from recollect.domain.histories import Keyed
from recollect.domain.messages import Role
from recollect.metrics.text_match import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSize(Size):
    """How much is made; the length is in chats."""

    quotas: Mapping[str, int]
    """Kind -> questions of a history; `absent` ones have no answer."""


def make_history(words: wording.DialogueWords, size: ChatSize, number: int, rng: Random, used: Used) -> Keyed:
    """One person's chats with all questions about them.

    Raises:
        ValueError: The catalogue is too small, or another message answers a question.
    """
    planner = Planner(words, rng)
    pending = planner.make(size.quotas)
    talked = Talker(words, rng, used).talk(planner.drops, size.length)
    today = talked.last + timedelta(days=rng.randint(1, 3))
    texts = [f" {normalise(passage.text)} " for passage in talked.passages]
    problems = [problem for one in pending for problem in _problems(one, talked, texts)]
    if problems:
        raise ValueError(f"history {number}: {'; '.join(problems)}")
    asked = [_asked(one, talked, today, f"{number}-{place}") for place, one in enumerate(pending)]
    return keyed(SOURCES[MADE], number, talked.passages, asked)


def _asked(one: Pending, talked: Talked, today: datetime, name: str) -> Asked:
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
        gold=one.answer(talked.days, today.date()),
        rejected=one.rejected,
        evidence=tuple(sorted(talked.places[drop] for drop in one.drops)),
        labels=labels,
        asked_at=today.isoformat(timespec="minutes"),
        abstain=abstain,
        guidance=guidance_of(one.question_type, abstain),
    )


def _problems(one: Pending, talked: Talked, texts: Sequence[str]) -> Iterator[str]:
    """Texts of the chats that make an answer wrong or ambiguous."""
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
    wanted = f" {normalise(words)} "
    return [place for place, text in enumerate(texts) if wanted in text]


EXCHANGES = (2, 3, 4, 5)
LEAST, MOST = 3, 6
"""Exchanges of a chat, whatever they are about: six to twelve messages."""
FOLLOWED, LED, CLOSED = 0.45, 0.7, 0.35
"""How often a user comments on the last reply, leads over to a drop, or closes the chat."""
TRIES = 1_000
_TOPIC = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Talked:
    """A history's chats, and where the drops are."""

    passages: tuple[Passage, ...]
    places: Mapping[str, int]
    """Drop -> position of the message that is its evidence."""
    days: Mapping[str, date]
    last: datetime


Used = Counter[tuple[str, int]]
"""Topic and number of an exchange -> uses so far, in all histories; -1 counts the topic itself."""


class Talker:
    """Words chats so that topics and exchanges recur as rarely as possible."""

    def __init__(self, words: wording.DialogueWords, rng: Random, used: Used) -> None:
        self._words, self._rng, self._used = words, rng, used

    def talk(self, drops: Sequence[Drop], sessions: int) -> Talked:
        """So many chats with every drop in one of its own."""
        if len(drops) > sessions:
            raise ValueError(f"{len(drops)} things are told, but there are {sessions} chats")
        times = wording.chat_times(sessions, self._rng)
        slots = sorted(self._rng.sample(range(sessions), len(drops)))
        dated = dict(zip(slots, self._dated(self._ordered(drops), [times[slot] for slot in slots]), strict=True))
        roles: tuple[Role, ...] = ("user", "assistant")
        passages: list[Passage] = []
        places: dict[str, int] = {}
        for number, at in enumerate(times):
            drop = dated[number][0] if number in dated else None
            talks, position = self._session(drop)
            if drop is not None:
                places[drop.name] = len(passages) + 2 * position + drop.replied
            said_at = at.isoformat(timespec="minutes")
            for role, text in ((role, text) for talk in talks for role, text in zip(roles, talk, strict=True)):
                speaker = SPEAKERS[role]
                passages.append(Passage(text=text, session=number, role=role, speaker=speaker, said_at=said_at))
        days = {drop.name: day for drop, day in dated.values()}
        return Talked(passages=tuple(passages), places=places, days=days, last=times[-1])

    def _ordered(self, drops: Sequence[Drop]) -> list[Drop]:
        """In random order, but what replaces something comes after it."""
        order = self._rng.sample(drops, len(drops))
        places = {drop.name: place for place, drop in enumerate(order)}
        for drop in drops:
            here, first = places[drop.name], places.get(drop.behind, -1)
            if first > here:
                order[here], order[first] = order[first], order[here]
                places[drop.name], places[drop.behind] = first, here
        return order

    def _dated(self, drops: Sequence[Drop], times: Sequence[datetime]) -> list[tuple[Drop, date]]:
        """Drops with their days filled in, no two events on one day."""
        for _ in range(TRIES):
            named = [wording.name_day(at, self._rng) for at in times]
            events = [day for drop, (day, _) in zip(drops, named, strict=True) if WHEN in drop.talk.user]
            if len(set(events)) == len(events):
                return [
                    (replace(drop, talk=drop.talk._replace(user=drop.talk.user.replace(WHEN, name))), day)
                    for drop, (day, name) in zip(drops, named, strict=True)
                ]
        raise ValueError(f"no {len(drops)} chats found that tell of as many days")

    def _session(self, drop: Drop | None) -> tuple[list[Talk], int]:
        """Exchanges on a topic that came least often, if possible of the drop's theme, and which has the drop."""
        closing = self._rng.random() < CLOSED
        least = LEAST - (drop is not None) - closing
        count = max(least, min(self._rng.choice(EXCHANGES), MOST - (drop is not None) - closing))
        shuffled = self._rng.sample(self._words.topics, len(self._words.topics))
        fewest = min(self._used[topic.name, _TOPIC] for topic in shuffled)
        rare = [topic for topic in shuffled if self._used[topic.name, _TOPIC] == fewest]
        topic = ([topic for topic in rare if drop is not None and topic.theme == drop.theme] or rare)[0]
        self._used[topic.name, _TOPIC] += 1
        talks = list(self._exchanges(topic, count))
        position = self._rng.randint(0, len(talks))
        if drop is not None:
            lead = self._rng.choice(self._words.leads) if position and self._rng.random() < LED else ""
            user, assistant = wording.begun(f"{lead}{drop.talk.user}"), wording.begun(drop.talk.assistant)
            talks.insert(position, Talk(user, assistant))
        if closing:
            talks.append(self._rng.choice(self._words.closings))
        return talks, position

    def _exchanges(self, topic: Topic, count: int) -> Iterator[Talk]:
        """Those of the topic that came least often, with one value of each slot in the whole chat."""
        values = {slot: self._rng.choice(known) for slot, known in topic.slots.items()}
        order = self._rng.sample(range(len(topic.exchanges)), len(topic.exchanges))
        chosen = sorted(order, key=lambda place: self._used[topic.name, place])[:count]
        for number, place in enumerate(chosen):
            self._used[topic.name, place] += 1
            user, assistant = (
                wording.begun(wording.worded(text, values, self._rng)) for text in topic.exchanges[place]
            )
            turn = self._rng.choice(self._words.turns) if number and self._rng.random() < FOLLOWED else ""
            yield Talk(f"{turn}{user}", assistant)


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
        begin=lambda order: (wording.dialogue_words(held_out=order.held_out), Used()),
        rows=lambda common, made, number, rng: [make_history(common[0], made, number, rng, common[1])],
    ),
)
