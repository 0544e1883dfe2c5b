"""Cases in which something is told as of several dates, and each question means one of them."""

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
from recollect.benchmarks.subtlememory.generate.sessions.briefs import Groups
from recollect.benchmarks.subtlememory.generate.sessions.claims import Value, draw_series
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import Qa
from recollect.worlds.patterns import capital, draw, filled, lowered
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
    """What is told of one entity, date by date."""

    told: Property
    figure: str
    """What one of the values is called."""
    entity: str
    dates: tuple[date, ...]
    values: tuple[Value, ...]


def of_dates(spec: WorldSpec, world: World) -> Story:
    """One property of one entity as of several dates; one of these is told apart, so that its session stands for it."""
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
    groups = _groups(apart, spec.facts)
    return Story(
        claims=claims,
        groups=groups,
        qas=tuple(_qa(series, target, difficulty, pattern, world) for difficulty, target, pattern in wished),
        entities=(entity,),
        starts={} if world.settings.layout == "authors" else _starts(dates, world.settings),
        anchored=groups.index((apart,)),
    )


def _groups(apart: int, count: int) -> Groups:
    """The one that is told apart, and the others two by two; in the order of their latest dates."""
    others = tuple(place for place in range(count) if place != apart)
    return tuple(sorted((group for group in (others[:2], others[2:], (apart,)) if group), key=max))


def _starts(dates: Sequence[date], settings: GenerationSettings) -> dict[int, str]:
    """Dates that lie in the span; from the others on anything can be told."""
    return {place: when.isoformat() for place, when in enumerate(dates) if when.isoformat() > settings.start}


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
    return qa(
        _query(series, target, difficulty, question, world),
        asked({told.name: series.values[target]}, others, difficulty),
        *single(right, rng.sample(wrong, 2), series.entity, rng),
    )


def _query(series: _Series, target: int, difficulty: str, question: str, world: World) -> str:
    words, rng = world_words(), world.rng
    slots = {"question": question, "figure": series.figure}
    if difficulty == EASY:
        return capital(draw(rng.choice(words.dated), rng, {**slots, "date": day_of(series.dates[target])}))
    if difficulty == MEDIUM:
        return capital(draw(rng.choice(words.anchored), rng, {**slots, "task": TASK}))
    meant = anchor(target, series.dates, series.figure, rng)
    return capital(draw(rng.choice(words.relative), rng, {**slots, "anchor": meant}))


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


def anchor(target: int, dates: Sequence[date], figure: str, rng: Random) -> str:
    """What one of several dated figures can be called without its date, so that no other is meant."""
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
        ways.append(("next", {"month": month_of(dates[target - 1])}))
    else:
        ways.append(("previous", {"month": month_of(dates[target + 1])}))
    other = rng.choice([at for at in range(len(dates)) if at != target])
    count = COUNTS[abs(months[target] - months[other])]
    ways.append(("later" if other < target else "earlier", {"month": month_of(dates[other]), "count": count}))
    return ways


def _month(when: date) -> int:
    return when.year * 12 + when.month - 1


def _named(month: int) -> str:
    return month_of(date(month // 12, month % 12 + 1, 1))
