"""What is told in the course of one history, and what will be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random

from recollect.benchmarks.memoryagentbench.generate.dialogue_words import (
    DialogueWords,
    Subject,
    Talk,
    begun,
    day_counts,
    number_word,
    worded,
)

ITEMS = (2, 3, 4)
"""How many items of a counted group may be told."""
AMOUNTS = range(12, 96)
WHEN = "{when}"
"""Stands for the day until it is known when the chat takes place."""
EVENT_SHAPES = (("days_between", 2), ("first", 2), ("days_ago", 1), ("order", 3))
"""What is asked of events in turn, and of how many."""
_UNITS = ("minutes", "euros", "hours", "fish")
Days = Mapping[str, date]
"""Name of a drop that tells an event -> the day of the event."""
Answer = Callable[[Days, date], tuple[str, ...]]
"""(days of events, day of the question) -> accepted answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Something told in one chat."""

    name: str
    theme: str
    talk: Talk
    replied: bool = False
    """What is told is told by the assistant, in reply."""
    behind: str = ""
    """Name of a drop that must be told earlier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A question whose answer may hang on days that are not yet drawn."""

    question_type: str
    text: str
    asks_for: str
    theme: str
    answer: Answer
    drops: tuple[str, ...] = ()
    """What is evidence; none where nothing tells the answer."""
    rejected: tuple[str, ...] = ()
    unique: tuple[str, ...] = ()
    """Words that no message but the evidence may hold."""
    mark: str = ""
    """Words that only chats about this group may hold, and all that are counted do."""
    group: str = ""
    """What the names of their drops begin with."""
    never: tuple[str, ...] = ()
    """Words that no message may hold."""


@dataclass(slots=True)
class Plan:
    """All of one history."""

    drops: list[Drop] = field(default_factory=list)
    asked: list[Pending] = field(default_factory=list)


class Planner:
    """Draws subjects, values and wordings; no subject is drawn twice in a history."""

    def __init__(self, words: DialogueWords, rng: Random) -> None:
        self._words, self._rng = words, rng
        self._free = {kind: rng.sample(known, len(known)) for kind, known in words.subjects.items()}
        self._people: list[str] = []
        self.plan = Plan()

    def make(self, quotas: Mapping[str, int]) -> Plan:
        """Drops and questions, so many questions of each kind.

        Raises:
            ValueError: The catalogue has too few subjects of a kind.
        """
        makers: dict[str, Callable[[Subject], Pending]] = {
            "told": self._told,
            "advised": self._advised,
            "preferred": self._preferred,
            "counted": self._counted,
            "updated": self._updated,
        }
        for kind, maker in makers.items():
            self.plan.asked += [maker(self._next(kind)) for _ in range(quotas[kind])]
        self.plan.asked += self._events(quotas["events"])
        self.plan.asked += self._absent(quotas["absent"])
        self._rng.shuffle(self.plan.asked)
        return self.plan

    def _next(self, kind: str) -> Subject:
        if not self._free[kind]:
            raise ValueError(f"the catalogue has too few subjects of kind {kind!r}: {len(self._words.subjects[kind])}")
        return self._free[kind].pop()

    def _person(self) -> str:
        """Somebody not named before in this history, as long as there are any."""
        if not self._people:
            self._people = self._rng.sample(self._words.names, len(self._words.names))
        return f"{self._rng.choice(self._words.who)} {self._people.pop()}"

    def _drop(
        self, subject: Subject, talk: Talk, *, name: str = "", behind: str = "", values: Mapping[str, str]
    ) -> str:
        said = Talk(*(worded(text, {"when": WHEN, **values}, self._rng) for text in talk))
        known = f"{subject.name}{name}"
        replied = "{v}" in talk.assistant
        self.plan.drops.append(Drop(name=known, theme=subject.theme, talk=said, replied=replied, behind=behind))
        return known

    def _tell(self, subject: Subject, value: str = "") -> str:
        return self._drop(subject, self._rng.choice(subject.say), values={"v": value})

    def _rival(self, subject: Subject, **values: str) -> None:
        talk = self._rng.choice(subject.rival)
        self._drop(subject, talk, name=" rival", values={"p": self._person(), **values})

    def _told(self, subject: Subject) -> Pending:
        value, other = self._rng.sample(subject.values, 2)
        drop = self._tell(subject, value)
        self._rival(subject, v=other)
        return self._asks_value("single-session-user", subject, (drop,), value, (other,))

    def _advised(self, subject: Subject) -> Pending:
        value = self._rng.choice(subject.values)
        return self._asks_value("single-session-assistant", subject, (self._tell(subject, value),), value)

    def _updated(self, subject: Subject) -> Pending:
        places = sorted(self._rng.sample(range(len(subject.values)), 2))
        if subject.order == "any" and self._rng.random() < 0.5:
            places.reverse()
        old, new = (subject.values[place] for place in places)
        first = self._drop(subject, self._rng.choice(subject.say), name=" old", values={"v": old})
        talk = self._rng.choice(subject.later)
        later = self._drop(subject, talk, name=" new", behind=first, values={"v": new})
        return self._asks_value("knowledge-update", subject, (first, later), new, (old,))

    def _asks_value(
        self, kind: str, subject: Subject, drops: tuple[str, ...], value: str, rejected: tuple[str, ...] = ()
    ) -> Pending:
        return Pending(
            question_type=kind,
            text=self._rng.choice(subject.ask),
            asks_for=subject.asks_for,
            theme=subject.theme,
            answer=_always((value, *_shorter(value))),
            drops=drops,
            rejected=rejected,
            unique=(value,),
        )

    def _preferred(self, subject: Subject) -> Pending:
        return Pending(
            question_type="single-session-preference",
            text=self._rng.choice(subject.ask),
            asks_for=subject.asks_for,
            theme=subject.theme,
            answer=_always((subject.rubric, *subject.short)),
            drops=(self._tell(subject),),
        )

    def _counted(self, subject: Subject) -> Pending:
        drops, total = self._group(subject, self._rng.choice(ITEMS))
        counted = (str(len(drops)), number_word(len(drops)))
        return Pending(
            question_type="multi-session",
            text=self._rng.choice(subject.ask),
            asks_for=subject.asks_for,
            theme=subject.theme,
            answer=_always((f"{total} euros", str(total)) if subject.asks_for == "sum" else counted),
            drops=drops,
            mark=subject.mark[0],
            group=subject.name,
        )

    def _group(self, subject: Subject, size: int) -> tuple[tuple[str, ...], int]:
        """So many items, each in wordings of its own, and one of somebody else's; with the sum of the amounts."""
        *items, other = self._rng.sample(subject.values, size + 1)
        *amounts, beside = self._rng.sample(AMOUNTS, size + 1)
        talks = self._rng.sample(subject.say, size)
        drops = tuple(
            self._drop(subject, talk, name=f" {number}", values={"i": item, "c": str(amount)})
            for number, (talk, item, amount) in enumerate(zip(talks, items, amounts, strict=True))
        )
        self._rival(subject, i=other, c=str(beside))
        return drops, sum(amounts)

    def _events(self, questions: int) -> Iterator[Pending]:
        """The operations in turn, over events of which some are asked about more than once."""
        events = [self._next("events") for _ in range(questions + 2)]
        for event in events:
            self._tell(event)
        first = self._rng.randrange(len(EVENT_SHAPES))
        for number in range(questions):
            asks_for, size = EVENT_SHAPES[(first + number) % len(EVENT_SHAPES)]
            chosen = [events[(number * 2 + place) % len(events)] for place in range(size)]
            yield self._about_events(asks_for, self._rng.sample(chosen, size))

    def _about_events(self, asks_for: str, events: Sequence[Subject]) -> Pending:
        return Pending(
            question_type="temporal-reasoning",
            text=self._event_text(asks_for, events),
            asks_for=asks_for,
            theme=events[0].theme,
            answer=lambda days, today: _reckoned(asks_for, events, days, today),
            drops=tuple(event.name for event in events),
        )

    def _event_text(self, asks_for: str, events: Sequence[Subject]) -> str:
        nouns = dict(zip("abc", (event.noun for event in events), strict=False))
        asked = self._rng.choice(self._words.event_asks[asks_for])
        return begun(worded(asked, {**nouns, "did": events[0].did}, self._rng))

    def _absent(self, questions: int) -> Iterator[Pending]:
        """Questions for what was never told, though something near it was; of each kind in turn."""
        makers = (self._absent_told, self._absent_event, self._absent_counted)
        first = self._rng.randrange(len(makers))
        for number in range(questions):
            yield makers[(first + number) % len(makers)]()

    def _absent_told(self) -> Pending:
        subject = self._next("told")
        self._tell(subject, self._rng.choice(subject.values))
        return self._untold("single-session-user", subject, self._rng.choice(subject.absent), subject.never)

    def _absent_counted(self) -> Pending:
        subject = self._next("counted")
        self._group(subject, 2)
        return self._untold("multi-session", subject, self._rng.choice(subject.absent), subject.never)

    def _absent_event(self) -> Pending:
        """Of two events one is told, and the other is one that no chat tells."""
        told = next(drop.name for drop in self.plan.drops if WHEN in drop.talk.user)
        known = next(event for event in self._words.subjects["events"] if event.name == told)
        text = self._event_text("days_between", self._rng.sample([known, self._next("events")], 2))
        return self._untold("temporal-reasoning", known, text, (), asks_for="days_between")

    def _untold(self, kind: str, subject: Subject, text: str, never: tuple[str, ...], *, asks_for: str = "") -> Pending:
        return Pending(
            question_type=kind,
            text=text,
            asks_for=asks_for or subject.asks_for,
            theme=subject.theme,
            answer=_always((self._rng.choice(self._words.untold),)),
            never=never,
        )


def _always(gold: tuple[str, ...]) -> Answer:
    return lambda _, __: gold


def _reckoned(asks_for: str, events: Sequence[Subject], days: Days, today: date) -> tuple[str, ...]:
    in_time = sorted(events, key=lambda event: days[event.name])
    if asks_for == "days_between":
        return day_counts((days[in_time[-1].name] - days[in_time[0].name]).days)
    if asks_for == "days_ago":
        return day_counts((today - days[events[0].name]).days)
    nouns = [event.noun for event in in_time]
    return (nouns[0],) if asks_for == "first" else (", then ".join(nouns), ", ".join(nouns))


def _shorter(value: str) -> Iterator[str]:
    """The bare number of a value with a unit."""
    number, _, unit = value.partition(" ")
    if unit in _UNITS:
        yield number
