"""Cases in which something is told as of several dates, and each question means one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from recollect.benchmarks.subtlememory.generate.snapshots import anchor, draw_dates, said
from recollect.benchmarks.subtlememory.generate.world_answers import Reply, asked, qa, single
from recollect.benchmarks.subtlememory.generate.world_plans import Spec
from recollect.benchmarks.subtlememory.generate.world_sessions import Groups
from recollect.benchmarks.subtlememory.generate.world_story import TASK, Story, World
from recollect.benchmarks.subtlememory.generate.world_values import Value, capital, draw_series, lowered
from recollect.benchmarks.subtlememory.generate.world_words import world_words
from recollect.benchmarks.subtlememory.items import Qa
from recollect.worlds.patterns import draw

EASY, MEDIUM, HARD = "easy", "medium", "hard"
FIGURES = {"number": "figure"}
"""What a value of a sort is called; else it is an entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """What is told of one entity, date by date."""

    spec: Spec
    entity: str
    dates: tuple[date, ...]
    values: tuple[Value, ...]

    @property
    def figure(self) -> str:
        """What one of the values is called."""
        return FIGURES.get(self.spec.told.kind, "entry")


def of_dates(spec: Spec, world: World) -> Story:
    """One property of one entity as of several dates; one of these is told apart, so that its session stands for it."""
    rng, told = world.rng, spec.told
    dates = draw_dates(spec.facts, world.settings, rng)
    avoid = {part for one in dates for part in (str(one.day), str(one.year))}
    series = _Series(
        spec=spec,
        entity=world.entity(spec.kind),
        dates=dates,
        values=draw_series(told, spec.facts, world.inventor, rng, avoid),
    )
    teller = world.teller(told)
    claims = tuple(
        teller.claim(series.entity, value, _as_of(when), said(when))
        for when, value in zip(dates, series.values, strict=True)
    )
    apart = rng.randrange(spec.facts)
    easy, hard = rng.sample([place for place in range(spec.facts) if place != apart], 2)
    questions = rng.sample(told.asked, len(told.asked))
    wished = zip((EASY, MEDIUM, HARD), (easy, apart, hard), _thrice(questions), strict=True)
    groups = _groups(apart, spec.facts)
    return Story(
        claims=claims,
        groups=groups,
        qas=tuple(_qa(series, target, difficulty, pattern, world) for difficulty, target, pattern in wished),
        entities=(series.entity,),
        starts=_starts(dates, world),
        anchored=groups.index((apart,)),
    )


def _groups(apart: int, count: int) -> Groups:
    """The one that is told apart, and the others two by two; in the order of their latest dates."""
    others = tuple(place for place in range(count) if place != apart)
    return tuple(sorted((group for group in (others[:2], others[2:], (apart,)) if group), key=max))


def _starts(dates: Sequence[date], world: World) -> dict[int, str]:
    """Dates that lie in the span; from the others on anything can be told."""
    if world.settings.layout == "authors":
        return {}
    return {place: when.isoformat() for place, when in enumerate(dates) if when.isoformat() > world.settings.start}


def _as_of(when: date) -> str:
    return f"As of {said(when)}"


def _thrice(questions: Sequence[str]) -> list[str]:
    return [questions[place % len(questions)] for place in range(3)]


def _qa(series: _Series, target: int, difficulty: str, pattern: str, world: World) -> Qa:
    rng, told = world.rng, series.spec.told
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
        return capital(draw(rng.choice(words.dated), rng, {**slots, "date": said(series.dates[target])}))
    if difficulty == MEDIUM:
        return capital(draw(rng.choice(words.anchored), rng, {**slots, "task": TASK}))
    meant = anchor(target, series.dates, series.figure, rng)
    return capital(draw(rng.choice(words.relative), rng, {**slots, "anchor": meant}))
