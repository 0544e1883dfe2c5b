"""Facts about invented entities: their values, all equally likely, and the sentences that state them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Occasions, Property
from recollect.benchmarks.subtlememory.generate.catalogue.words import Link
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.worlds.names import Inventor
from recollect.worlds.patterns import capital, draw, filled, lowered

ROUND = 5
"""Multiples of this look made up; they are left out if the range is wide enough."""
ROOM = 40
"""Width of the range from which on that holds."""
GROWTH = 1.1
"""Most by which a figure grows over several dates, as a factor."""
NEAR = 4
"""Range for each figure of a series, however small they are."""
TRIES = 20
"""Draws of a wording before a repeated one is accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value that is stated of something."""

    said: str
    accepted: tuple[str, ...]
    """All wordings that an answer may use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One fact."""

    subject: str
    """Name of the entity, person or place."""
    value: Value
    text: str
    """The whole sentence."""
    of: str = ""
    """Name of the property; none of a link."""
    occasions: Occasions | None = None
    """Where it can be told, if it is of a link."""
    lead: str = ""
    """What stands before it, such as `As of 1 June 2025`."""
    date: str = ""
    """As of when it holds, `1 June 2025`, if the lead says that."""


def counted(number: int) -> Value:
    """A number, with or without thousands separators."""
    parted = f"{number:,}"
    return Value(said=parted, accepted=(parted, str(number)) if parted != str(number) else (parted,))


def named(name: str, *others: str) -> Value:
    """A name with its alternatives."""
    return Value(said=name, accepted=(name, *others))


def somebody(inventor: Inventor) -> Value:
    """An invented person; the surname is accepted."""
    first, surname = inventor.person()
    return named(f"{first} {surname}", surname)


def draw_values(
    told: Property, count: int, inventor: Inventor, rng: Random, avoid: Collection[str] = ()
) -> tuple[Value, ...]:
    """So many different values of a property, each as likely as the others."""
    if told.kind == "person":
        return tuple(somebody(inventor) for _ in range(count))
    if told.kind == "place":
        return tuple(named(inventor.town()) for _ in range(count))
    if told.kind == "choice":
        return tuple(named(one) for one in rng.sample([one for one in told.values if one not in avoid], count))
    numbers = _numbers(told)
    drawn = rng.sample(numbers, min(count + len(avoid), len(numbers)))
    return tuple(_figure(told, number) for number in drawn if str(number) not in avoid)[:count]


def draw_series(
    told: Property, count: int, inventor: Inventor, rng: Random, avoid: Collection[str] = ()
) -> tuple[Value, ...]:
    """Values in the order of time: figures grow slowly from a random start."""
    if told.kind not in ("number", "year"):
        return draw_values(told, count, inventor, rng, avoid)
    numbers = [number for number in _numbers(told) if str(number) not in avoid]
    start = rng.randint(0, max(len(numbers) - NEAR * count, 0))
    near = [number for number in numbers[start:] if number <= numbers[start] * GROWTH + NEAR * count]
    return tuple(_figure(told, number) for number in sorted(rng.sample(near, count)))


def _figure(told: Property, number: int) -> Value:
    return counted(number) if told.kind == "number" else named(str(number))


def _numbers(told: Property) -> Sequence[int]:
    least, most = map(int, told.values)
    numbers = range(least, most + 1)
    if told.kind == "year" or len(numbers) < ROOM:
        return numbers
    return [number for number in numbers if number % ROUND]


class Teller:
    """States a property of several things, in other words each time; or in the same, with high overlap."""

    def __init__(
        self, told: Property | Link, settings: GenerationSettings, rng: Random, occasions: Occasions | None = None
    ) -> None:
        self._rng, self._occasions = rng, occasions
        self._of = told.name if occasions is None else ""
        patterns = told.held_out if settings.held_out else told.told
        self._patterns = rng.sample(patterns, len(patterns))
        if settings.overlap == "high":
            self._patterns = [_open(self._patterns[0], rng)]
        self._said: set[str] = set()
        self._turn = 0

    def claim(self, subject: str, value: Value, lead: str = "", date: str = "") -> Claim:
        """A claim whose text is that of `say`."""
        return Claim(
            subject=subject,
            value=value,
            text=self.say(subject, value, lead),
            of=self._of,
            occasions=self._occasions,
            lead=lead,
            date=date,
        )

    def say(self, subject: str, value: Value, lead: str = "") -> str:
        """A statement of *subject*, behind a lead such as `As of 1 June 2025` if one is given."""
        pattern = self._patterns[self._turn % len(self._patterns)]
        self._turn += 1
        drawn = (_open(pattern, self._rng) for _ in range(TRIES))
        wording = next((one for one in drawn if one not in self._said), _open(pattern, self._rng))
        self._said.add(wording)
        return stated(wording, subject, value, lead)


def stated(wording: str, subject: str, value: Value, lead: str = "") -> str:
    """A statement of *subject*, behind a lead if one is given."""
    text = filled(wording, {"entity": subject, "subject": subject, "value": value.said})
    if not lead:
        return capital(text)
    return f"{lead}, {text if wording.startswith('{') else lowered(text)}"


def _open(pattern: str, rng: Random) -> str:
    """A wording with its slots left open."""
    return draw(pattern, rng, {name: f"{{{name}}}" for name in ("entity", "subject", "value")})
