"""Cases in which a property is stated as of several dates, and each question means one of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import cycle
from random import Random
from typing import NamedTuple

from recollect.benchmarks.subtlememory.generate.cases.specs import WorldSpec
from recollect.benchmarks.subtlememory.generate.cases.story import TASK, Reply, Story, World, asked, qa, single
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Property
from recollect.benchmarks.subtlememory.generate.catalogue.words import case_words, world_words
from recollect.benchmarks.subtlememory.generate.sessions.claims import Value, draw_series
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import Qa
from recollect.worlds.patterns import draw, filled, lowered
from recollect.worlds.schedules import day_of, month_of

EASY, MEDIUM, HARD = "easy", "medium", "hard"
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


class _Series(NamedTuple):
    """A property of an entity, date by date."""

    told: Property
    figure: str
    """Word for one of the values."""
    entity: str
    dates: tuple[date, ...]
    values: tuple[Value, ...]


def of_dates(spec: WorldSpec, world: World) -> Story:
    """One property of one entity as of several dates; one is told alone, so that its session identifies it."""
    rng, told = world.rng, spec.told
    dates = draw_dates(spec.facts, world.settings, rng)
    avoid = {part for one in dates for part in (str(one.day), str(one.year))}
    entity, values = world.entity(spec.kind), draw_series(told, spec.facts, world.inventor, rng, avoid)
    series = _Series(told, "figure" if told.kind == "number" else "entry", entity, dates, values)
    teller = world.teller(told)
    claims = tuple(
        teller.claim(entity, value, _as_of(when), day_of(when)) for when, value in zip(dates, values, strict=True)
    )
    apart = rng.randrange(spec.facts)
    easy, hard = rng.sample([place for place in range(spec.facts) if place != apart], 2)
    questions = cycle(rng.sample(told.asked, len(told.asked)))
    wished = zip((EASY, MEDIUM, HARD), (easy, apart, hard), questions, strict=False)
    # the others are told two by two; sessions come in the order of their latest dates
    others = tuple(place for place in range(spec.facts) if place != apart)
    groups = tuple(sorted((group for group in (others[:2], others[2:], (apart,)) if group), key=max))
    # facts of a date in the span can only be told from that date on
    settings = world.settings
    starts = {place: when.isoformat() for place, when in enumerate(dates) if when.isoformat() > settings.start}
    return Story(
        claims=claims,
        groups=groups,
        qas=tuple(_qa(series, target, difficulty, pattern, world) for difficulty, target, pattern in wished),
        entities=(entity,),
        starts={} if settings.layout == "authors" else starts,
        anchored=groups.index((apart,)),
    )


def _as_of(when: date) -> str:
    return filled(case_words().as_of, {"date": day_of(when)})


def _qa(series: _Series, target: int, difficulty: str, pattern: str, world: World) -> Qa:
    rng, told = world.rng, series.told
    question = lowered(draw(pattern, rng, {"entity": series.entity}).rstrip("?"))
    others = [value for value in series.values if value is not series.values[target]]
    teller, lead = world.teller(told), _as_of(series.dates[target])
    right, *wrong = (
        Reply(value=one, text=teller.say(series.entity, one, lead)) for one in (series.values[target], *others)
    )
    words, slots = world_words(), {"question": question, "figure": series.figure}
    if difficulty == EASY:
        patterns, slots["date"] = words.dated, day_of(series.dates[target])
    elif difficulty == MEDIUM:
        patterns, slots["task"] = words.anchored, TASK
    else:
        patterns, slots["anchor"] = words.relative, anchor(target, series.dates, series.figure, rng)
    return qa(
        draw(rng.choice(patterns), rng, slots),
        asked({told.name: series.values[target]}, others, difficulty),
        *single(right, rng.sample(wrong, 2), series.entity, rng),
    )


def draw_dates(count: int, settings: GenerationSettings, rng: Random) -> tuple[date, ...]:
    """So many dates in order, all on the same day of different months; none so late that nothing could follow it.

    In the authors' layout, which ignores dates, all lie before the first session.
    """
    start, end = date.fromisoformat(settings.start), date.fromisoformat(settings.end)
    part = 0.0 if settings.layout == "authors" else WITHIN
    latest = start + timedelta(days=int((end - start).days * part))
    about = latest - timedelta(days=rng.randint(0, BACK))
    last = about.replace(day=rng.randint(1, LAST_DAY))
    months = [_month(last) - (last > latest)]
    for _ in range(count - 1):
        months.insert(0, months[0] - rng.choice(MONTHS_APART))
    return tuple(date(month // 12, month % 12 + 1, last.day) for month in months)


def anchor(target: int, dates: Sequence[date], figure: str, rng: Random) -> str:
    """A reference to one of several dated figures without its date; months it names lie between two dates."""
    months = [_month(one) for one in dates]
    following = months[target + 1] if target + 1 < len(months) else months[target] + 3
    after = rng.randint(1, following - months[target] - 1)
    ways = [("last_before", {"month": _month_name(months[target] + after)})]
    if target:
        before = rng.randint(1, months[target] - months[target - 1] - 1)
        ways.append(("first_after", {"month": _month_name(months[target] - before)}))
        ways.append(("next", {"month": month_of(dates[target - 1])}))
    else:
        ways.append(("previous", {"month": month_of(dates[target + 1])}))
    other = rng.choice([at for at in range(len(dates)) if at != target])
    count = COUNTS[abs(months[target] - months[other])]
    ways.append(("later" if other < target else "earlier", {"month": month_of(dates[other]), "count": count}))
    patterns, slots = rng.choice(ways)
    return draw(rng.choice(getattr(world_words(), patterns)), rng, {"figure": figure, **slots})


def _month(when: date) -> int:
    return when.year * 12 + when.month - 1


def _month_name(month: int) -> str:
    return month_of(date(month // 12, month % 12 + 1, 1))
