"""The catalogue of dialogues: what is chatted about, what is told in passing, and how both are worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

from recollect.benchmarks.memoryagentbench.generate.spec import read_catalogue
from recollect.text.dates.calendars import MONTHS, WEEKDAYS
from recollect.worlds.catalogues import half as drawn_half

Half = Callable[[Sequence[Any]], tuple[Any, ...]]
_CHOICE = re.compile(r"\(([^()|]+(?:\|[^()|]+)+)\)")
_BEGIN = re.compile(r"(?:\A|(?<=[.!?] ))[a-z]")
_SLOT = re.compile(r"\{(\w+)\}")


class Talk(NamedTuple):
    """What the user says, and the assistant's reply."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Exchanges that may follow each other in any order."""

    name: str
    theme: str
    slots: Mapping[str, tuple[str, ...]]
    exchanges: tuple[Talk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something of the user's life that is told and asked for; which fields are used depends on its kind."""

    name: str
    theme: str
    asks_for: str
    say: tuple[Talk, ...]
    later: tuple[Talk, ...] = ()
    """States the value that replaces the first one."""
    rival: tuple[Talk, ...] = ()
    """The same kind of thing, about somebody else."""
    ask: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Also the items that are counted."""
    order: str = "any"
    mark: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    noun: str = ""
    did: str = ""
    rubric: str = ""
    short: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueWords:
    """All words of dialogues."""

    topics: tuple[Topic, ...]
    who: tuple[str, ...]
    names: tuple[str, ...]
    leads: tuple[str, ...]
    turns: tuple[str, ...]
    closings: tuple[Talk, ...]
    subjects: Mapping[str, tuple[Subject, ...]]
    """Kind -> subjects; all of them in both halves, in other wordings."""
    event_asks: Mapping[str, tuple[str, ...]]
    untold: tuple[str, ...]


@cache
def dialogue_words(*, held_out: bool) -> DialogueWords:
    """The topics and wordings that are shown, or those that are held out."""
    facts, changes = read_catalogue("dialogue_facts.yaml"), read_catalogue("dialogue_changes.yaml")
    topics = read_catalogue("dialogue_topics.yaml")
    half: Half = partial(drawn_half, held_out=held_out)
    return DialogueWords(
        topics=tuple(
            Topic(
                name=name,
                theme=topics[name]["theme"],
                slots={slot: tuple(values) for slot, values in topics[name]["slots"].items()},
                exchanges=tuple(Talk(*pair) for pair in topics[name]["exchanges"]),
            )
            for name in half(sorted(topics))
        ),
        who=tuple(facts["people"]["who"]),
        names=tuple(facts["people"]["names"]),
        leads=half(facts["leads"]),
        turns=half(facts["turns"]),
        closings=tuple(Talk(*pair) for pair in half(facts["closings"])),
        subjects={
            kind: tuple(_subject(name, one, half) for name, one in {**facts, **changes}[kind].items()) for kind in KINDS
        },
        event_asks={name: half(asks) for name, asks in changes["event_asks"].items()},
        untold=half(changes["untold"]),
    )


KINDS = ("told", "advised", "preferred", "counted", "events", "updated")


def _subject(name: str, given: Mapping[str, Any], half: Half) -> Subject:
    """Whatever the kind: an event is told with a day in it, advice is what the assistant says."""

    def talks(user: Sequence[str], assistant: Sequence[str]) -> tuple[Talk, ...]:
        return half([Talk(*pair) for pair in zip(user, assistant, strict=True)])

    first = given.get("user") or given.get("old") or given["say"]
    absent = given.get("absent", {})
    return Subject(
        name=name,
        theme=given["theme"],
        asks_for=given.get("asks_for", "rubric"),
        say=talks(first, given["say"] if "user" in given else given["reply"]),
        later=talks(given.get("new", ()), given.get("new_reply", ())),
        rival=talks(given.get("rival", ()), given.get("rival_reply", ())),
        ask=half(given.get("ask", ())),
        values=tuple(given.get("values", given.get("items", ()))),
        order=given.get("order", "any"),
        mark=tuple(given.get("mark", ())),
        never=tuple(absent.get("never", ())),
        absent=half(absent.get("ask", ())),
        noun=given.get("noun", ""),
        did=given.get("did", ""),
        rubric=given.get("rubric", ""),
        short=tuple(given.get("short", ())),
    )


def worded(text: str, values: Mapping[str, str], rng: Random) -> str:
    """*text* with one option of each `(a|b)`, and with its slots filled."""
    drawn = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return _SLOT.sub(lambda found: values[found[1]], drawn)


def begun(text: str) -> str:
    """With a capital where a sentence begins."""
    return _BEGIN.sub(lambda found: found[0].upper(), text)


FIRST, LAST = date(2021, 1, 10), date(2024, 12, 20)
"""When a history may begin."""
_EARLY, _LATE = 7 * 60, 22 * 60
_DAYS_AGO = ("today", "yesterday", "two days ago", "three days ago")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def chat_times(sessions: int, rng: Random) -> list[datetime]:
    """Times of *sessions* chats, oldest first: up to eight days apart, at waking hours."""
    day = FIRST + timedelta(days=rng.randrange((LAST - FIRST).days))
    times = []
    for _ in range(sessions):
        day += timedelta(days=rng.choice((1, 2, 3, 3, 4, 5, 6, 8)))
        minutes = rng.randrange(_EARLY, _LATE)
        times.append(datetime.combine(day, time(minutes // 60, minutes % 60)))
    return times


def name_day(at: datetime, rng: Random) -> tuple[date, str]:
    """A recent day, and an unambiguous way to name it in a chat at that time."""
    today = at.date()
    days = [(today - timedelta(days=back), name) for back, name in enumerate(_DAYS_AGO)]
    monday = today - timedelta(days=today.weekday())
    for back in range(3, 7):
        day = today - timedelta(days=back)
        if day < monday:  # of the week before, so that `last` can only mean this one
            days.append((day, f"last {WEEKDAYS[day.weekday()]}"))
        days.append((day, f"on {MONTHS[day.month - 1]} {day.day}"))
    return rng.choice(days)


def number_word(number: int) -> str:
    """In words up to twelve, else in figures."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


def day_counts(days: int) -> tuple[str, ...]:
    """Ways to state a number of days, the plain one first."""
    plain = (f"{days} day{'s' if days != 1 else ''}", str(days))
    if days % 7 or not days:
        return plain
    weeks = days // 7
    noun = "week" if weeks == 1 else "weeks"
    return (*plain, f"{weeks} {noun}", f"{number_word(weeks)} {noun}")
