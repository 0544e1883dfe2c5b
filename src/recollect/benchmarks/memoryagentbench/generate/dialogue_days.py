"""Days of invented dialogues: when people chat, and how they name a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from random import Random
from typing import NamedTuple

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
FIRST, LAST = date(2021, 1, 10), date(2024, 12, 20)
"""When a history may begin."""
_EARLY, _LATE = 7 * 60, 22 * 60
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Named(NamedTuple):
    """A day, and what somebody calls it."""

    day: date
    text: str


def chat_times(sessions: int, rng: Random) -> list[datetime]:
    """When *sessions* chats take place, oldest first: up to eight days apart, at waking hours."""
    day = FIRST + timedelta(days=rng.randrange((LAST - FIRST).days))
    times = []
    for _ in range(sessions):
        day += timedelta(days=rng.choice((1, 2, 3, 3, 4, 5, 6, 8)))
        minutes = rng.randrange(_EARLY, _LATE)
        times.append(datetime.combine(day, time(minutes // 60, minutes % 60)))
    return times


def name_day(at: datetime, rng: Random) -> Named:
    """A recent day as one would name it in a chat at that time, so that nobody can take it for another."""
    return rng.choice(list(_names(at.date())))


def _names(today: date) -> Iterator[Named]:
    yield Named(today, "today")
    yield Named(today - timedelta(days=1), "yesterday")
    yield Named(today - timedelta(days=2), "two days ago")
    yield Named(today - timedelta(days=3), "three days ago")
    monday = today - timedelta(days=today.weekday())
    for back in range(3, 7):
        day = today - timedelta(days=back)
        if day < monday:  # of the week before, so that `last` can only mean this one
            yield Named(day, f"last {WEEKDAYS[day.weekday()]}")
        yield Named(day, f"on {MONTHS[day.month - 1]} {day.day}")


def number_word(number: int) -> str:
    """In letters up to twelve, else in figures."""
    return _WORDS[number] if number < len(_WORDS) else str(number)


def day_counts(days: int) -> tuple[str, ...]:
    """How one may say so many days, the plain way first."""
    plain = (f"{days} day{'s' if days != 1 else ''}", str(days))
    if days % 7 or not days:
        return plain
    weeks = days // 7
    noun = "week" if weeks == 1 else "weeks"
    return (*plain, f"{weeks} {noun}", f"{number_word(weeks)} {noun}")
