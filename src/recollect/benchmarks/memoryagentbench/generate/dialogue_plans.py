"""Plans what one history tells, and what is asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random

from recollect.benchmarks.memoryagentbench.generate import dialogue_words as wording
from recollect.benchmarks.memoryagentbench.generate.dialogue_words import Subject, Talk

ITEMS = (2, 3, 4)
AMOUNTS = range(12, 96)
WHEN = "{when}"
"""Placeholder of the day until the date of the chat is known."""
EVENT_SHAPES = (("days_between", 2), ("first", 2), ("days_ago", 1), ("order", 3))
"""What is asked of events in turn, and of how many."""
_UNITS = ("minutes", "euros", "hours", "fish")
Days = Mapping[str, date]
"""Name of a drop that tells an event -> day of the event."""
Answer = Callable[[Days, date], tuple[str, ...]]
"""(days of events, day of the question) -> accepted answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Something told in one chat."""

    name: str
    theme: str
    talk: Talk
    replied: bool = False
    """Told by the assistant, in reply."""
    behind: str = ""
    """Name of a drop that must come earlier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A question whose answer may depend on days that are not yet drawn."""

    question_type: str
    text: str
    asks_for: str
    theme: str
    answer: Answer
    drops: tuple[str, ...] = ()
    """The evidence; none where nothing tells the answer."""
    rejected: tuple[str, ...] = ()
    unique: tuple[str, ...] = ()
    """Words that no message but the evidence may contain."""
    mark: str = ""
    """Words that all counted chats contain, and only chats of this group may contain."""
    group: str = ""
    """Prefix of the names of their drops."""
    never: tuple[str, ...] = ()
    """Words that no message may contain."""


class Planner:
    """Draws subjects, values and wordings; no subject is drawn twice in a history."""

    def __init__(self, words: wording.DialogueWords, rng: Random) -> None:
        self._words, self._rng = words, rng
        self._free = {kind: rng.sample(known, len(known)) for kind, known in words.subjects.items()}
        self._people: list[str] = []
        self.drops: list[Drop] = []

    def make(self, quotas: Mapping[str, int]) -> list[Pending]:
        """Questions, as many of each kind as *quotas* says; `drops` has what is told for them."""
        makers: dict[str, Callable[[Subject], Pending]] = {
            "told": self._told,
            "advised": self._advised,
            "preferred": self._preferred,
            "counted": self._counted,
            "updated": self._updated,
        }
        asked = [maker(self._next(kind)) for kind, maker in makers.items() for _ in range(quotas[kind])]
        asked += self._events(quotas["events"])
        asked += self._absent(quotas["absent"])
        self._rng.shuffle(asked)
        return asked

    def _next(self, kind: str) -> Subject:
        if not self._free[kind]:
            raise ValueError(f"the catalogue has too few subjects of kind {kind!r}: {len(self._words.subjects[kind])}")
        return self._free[kind].pop()

    def _drop(self, subject: Subject, talk: Talk, *, name: str = "", behind: str = "", **values: str) -> str:
        filled = Talk(*(wording.worded(text, {"when": WHEN, **values}, self._rng) for text in talk))
        full_name = f"{subject.name}{name}"
        replied = "{v}" in talk.assistant
        self.drops.append(Drop(name=full_name, theme=subject.theme, talk=filled, replied=replied, behind=behind))
        return full_name

    def _tell(self, subject: Subject, value: str = "") -> str:
        return self._drop(subject, self._rng.choice(subject.say), v=value)

    def _rival(self, subject: Subject, **values: str) -> None:
        """The same kind of thing, told of somebody not named before in this history while there are any."""
        talk = self._rng.choice(subject.rival)
        if not self._people:
            self._people = self._rng.sample(self._words.names, len(self._words.names))
        person = f"{self._rng.choice(self._words.who)} {self._people.pop()}"
        self._drop(subject, talk, name=" rival", p=person, **values)

    def _pending(self, kind: str, subject: Subject, gold: tuple[str, ...], text: str, *drops: str) -> Pending:
        return Pending(
            question_type=kind,
            text=text,
            asks_for=subject.asks_for,
            theme=subject.theme,
            answer=lambda _, __: gold,
            drops=drops,
        )

    def _asks_value(self, kind: str, subject: Subject, value: str, *drops: str) -> Pending:
        number, _, unit = value.partition(" ")
        gold = (value, number) if unit in _UNITS else (value,)
        pending = self._pending(kind, subject, gold, self._rng.choice(subject.ask), *drops)
        return replace(pending, unique=(value,))

    def _told(self, subject: Subject) -> Pending:
        value, other = self._rng.sample(subject.values, 2)
        drop = self._tell(subject, value)
        self._rival(subject, v=other)
        return replace(self._asks_value("single-session-user", subject, value, drop), rejected=(other,))

    def _advised(self, subject: Subject) -> Pending:
        value = self._rng.choice(subject.values)
        return self._asks_value("single-session-assistant", subject, value, self._tell(subject, value))

    def _updated(self, subject: Subject) -> Pending:
        places = sorted(self._rng.sample(range(len(subject.values)), 2))
        if subject.order == "any" and self._rng.random() < 0.5:
            places.reverse()
        old, new = (subject.values[place] for place in places)
        first = self._drop(subject, self._rng.choice(subject.say), name=" old", v=old)
        talk = self._rng.choice(subject.later)
        later = self._drop(subject, talk, name=" new", behind=first, v=new)
        return replace(self._asks_value("knowledge-update", subject, new, first, later), rejected=(old,))

    def _preferred(self, subject: Subject) -> Pending:
        text, drop = self._rng.choice(subject.ask), self._tell(subject)
        return self._pending("single-session-preference", subject, (subject.rubric, *subject.short), text, drop)

    def _counted(self, subject: Subject) -> Pending:
        drops, total = self._group(subject, self._rng.choice(ITEMS))
        gold = (str(len(drops)), wording.number_word(len(drops)))
        if subject.asks_for == "sum":
            gold = (f"{total} euros", str(total))
        pending = self._pending("multi-session", subject, gold, self._rng.choice(subject.ask), *drops)
        return replace(pending, mark=subject.mark[0], group=subject.name)

    def _group(self, subject: Subject, size: int) -> tuple[tuple[str, ...], int]:
        """So many items, each in wordings of its own, and one of somebody else's; with the sum of the amounts."""
        *items, other = self._rng.sample(subject.values, size + 1)
        *amounts, other_amount = self._rng.sample(AMOUNTS, size + 1)
        talks = self._rng.sample(subject.say, size)
        drops = tuple(
            self._drop(subject, talk, name=f" {number}", i=item, c=str(amount))
            for number, (talk, item, amount) in enumerate(zip(talks, items, amounts, strict=True))
        )
        self._rival(subject, i=other, c=str(other_amount))
        return drops, sum(amounts)

    def _events(self, questions: int) -> Iterator[Pending]:
        """The operations in turn, over events of which some are asked about more than once."""
        subjects = [self._next("events") for _ in range(questions + 2)]
        for subject in subjects:
            self._tell(subject)
        first = self._rng.randrange(len(EVENT_SHAPES))
        for number in range(questions):
            asks_for, size = EVENT_SHAPES[(first + number) % len(EVENT_SHAPES)]
            chosen = [subjects[(number * 2 + place) % len(subjects)] for place in range(size)]
            events = self._rng.sample(chosen, size)
            yield Pending(
                question_type="temporal-reasoning",
                text=self._event_text(asks_for, events),
                asks_for=asks_for,
                theme=events[0].theme,
                answer=partial(_event_answer, asks_for, events),
                drops=tuple(event.name for event in events),
            )

    def _event_text(self, asks_for: str, events: Sequence[Subject]) -> str:
        nouns = dict(zip("abc", (event.noun for event in events), strict=False))
        pattern = self._rng.choice(self._words.event_asks[asks_for])
        return wording.begun(wording.worded(pattern, {**nouns, "did": events[0].did}, self._rng))

    def _absent(self, questions: int) -> Iterator[Pending]:
        """Questions about what was never told, though something similar was; of each kind in turn."""
        kinds = ("single-session-user", "temporal-reasoning", "multi-session")
        first = self._rng.randrange(len(kinds))
        for number in range(questions):
            kind = kinds[(first + number) % len(kinds)]
            if kind == "temporal-reasoning":  # of two events one is told, and no chat tells the other
                told = next(drop.name for drop in self.drops if WHEN in drop.talk.user)
                subject = next(event for event in self._words.subjects["events"] if event.name == told)
                text = self._event_text("days_between", self._rng.sample([subject, self._next("events")], 2))
                subject = replace(subject, asks_for="days_between", never=())
            elif kind == "multi-session":
                subject = self._next("counted")
                self._group(subject, 2)
                text = self._rng.choice(subject.absent)
            else:
                subject = self._next("told")
                self._tell(subject, self._rng.choice(subject.values))
                text = self._rng.choice(subject.absent)
            pending = self._pending(kind, subject, (self._rng.choice(self._words.untold),), text)
            yield replace(pending, never=subject.never)


def _event_answer(asks_for: str, events: Sequence[Subject], days: Days, today: date) -> tuple[str, ...]:
    in_time = sorted(events, key=lambda event: days[event.name])
    if asks_for == "days_between":
        return wording.day_counts((days[in_time[-1].name] - days[in_time[0].name]).days)
    if asks_for == "days_ago":
        return wording.day_counts((today - days[events[0].name]).days)
    nouns = [event.noun for event in in_time]
    return (nouns[0],) if asks_for == "first" else (", then ".join(nouns), ", ".join(nouns))
