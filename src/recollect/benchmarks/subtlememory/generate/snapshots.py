"""The dates as of which something is told, and how a question can mean one of them without saying it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from recollect.benchmarks.subtlememory.generate.patterns import draw
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.world_words import world_words
from recollect.text.dates.calendars import MONTHS

LAST_DAY = 28
"""Latest day of a month that is taken; every month has it."""
MONTHS_APART = (2, 3, 4)
"""From one date to the next."""
WITHIN = 0.5
"""Part of the span in which the last date may lie: the rest is left for the sessions that tell it."""
BACK = 240
"""Days before that, at most."""
COUNTS = ("", "one month", "two months", "three months", "four months", "five months", "six months", "seven months",
          "eight months", "nine months", "ten months", "eleven months", "twelve months")  # fmt: skip


def draw_dates(count: int, settings: GenerationSettings, rng: Random) -> tuple[date, ...]:
    """So many dates in order, all on the same day of different months; none so late that nothing could follow it.

    In the authors' layout, which looks at no dates, all lie before the first session.
    """
    start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
    part = 0.0 if settings.layout == "authors" else WITHIN
    latest = start + timedelta(days=int((end - start).days * part))
    about = latest - timedelta(days=rng.randint(0, BACK))
    last = about.replace(day=rng.randint(1, LAST_DAY))
    month = _month(last) - (last > latest)
    found = [month]
    for _ in range(count - 1):
        month -= rng.choice(MONTHS_APART)
        found.append(month)
    return tuple(date(one // 12, one % 12 + 1, last.day) for one in reversed(found))


def said(when: date) -> str:
    """`1 June 2025`."""
    return f"{when.day} {said_month(when)}"


def said_month(when: date) -> str:
    """`June 2025`."""
    return f"{MONTHS[when.month - 1]} {when.year}"


def anchor(target: int, dates: Sequence[date], figure: str, rng: Random) -> str:
    """What one of several dated figures can be called without its date, so that no other is meant.

    Args:
        target: Place of its date.
        dates: All of them, in order.
        figure: What is dated, in a word.
        rng: Of the way it is called.
    """
    words = world_words()
    patterns, slots = rng.choice(_ways(target, dates, rng))
    return draw(rng.choice(getattr(words, patterns)), rng, {"figure": figure, **slots})


def _ways(target: int, dates: Sequence[date], rng: Random) -> list[tuple[str, dict[str, str]]]:
    """Names of patterns with what fills them; months of borders lie between two dates and are none of theirs."""
    months = [_month(one) for one in dates]
    ways = []
    after = rng.randint(
        1, (months[target + 1] if target + 1 < len(months) else months[target] + 3) - months[target] - 1
    )
    ways.append(("last_before", {"month": _named(months[target] + after)}))
    if target:
        before = rng.randint(1, months[target] - months[target - 1] - 1)
        ways.append(("first_after", {"month": _named(months[target] - before)}))
        ways.append(("next", {"month": said_month(dates[target - 1])}))
    else:
        ways.append(("previous", {"month": said_month(dates[target + 1])}))
    other = rng.choice([at for at in range(len(dates)) if at != target])
    count = COUNTS[abs(months[target] - months[other])]
    ways.append(("later" if other < target else "earlier", {"month": said_month(dates[other]), "count": count}))
    return ways


def _month(when: date) -> int:
    return when.year * 12 + when.month - 1


def _named(month: int) -> str:
    return said_month(date(month // 12, month % 12 + 1, 1))
