"""Invented people of every age, schooling and trade, dealt out evenly; none of them real."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from uuid import UUID

from recollect.worlds.catalogues import catalogue, read
from recollect.worlds.dealing import Dealer
from recollect.worlds.patterns import filled

RETIRED_FROM = 66


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Names that go together."""

    female: tuple[str, ...]
    male: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Education:
    """A level of schooling."""

    level: str
    from_age: int
    rank: int
    """0 to 5; trades ask for a range of it."""
    fields: bool = False
    """A field of study stands behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupation:
    """A trade, and what one is good at in it."""

    name: str
    rank: tuple[int, int]
    """Least and most schooling."""
    skills: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marital:
    """A marital status, and when it becomes likely."""

    status: str
    from_age: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleWords:
    """What people are made of."""

    names: tuple[Origin, ...]
    ages: tuple[tuple[int, int], ...]
    """First and last age of each group."""
    education: tuple[Education, ...]
    fields: tuple[str, ...]
    occupations: tuple[Occupation, ...]
    marital: tuple[Marital, ...]
    hobbies: tuple[str, ...]
    grew_up: tuple[str, ...]
    manner: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileWords:
    """How a profile says what needs a sentence."""

    about: str
    """With `{grew_up}`, `{manner}` and `{values}`."""
    retired: str
    """With `{trade}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who does not exist."""

    person_id: str
    name: str
    age: int
    gender: str
    marital_status: str
    education: str
    occupation: str
    hobbies: tuple[str, ...]
    skills: tuple[str, ...]
    about: str
    """Where they grew up, how they talk, what they hold dear."""


@cache
def people_words() -> PeopleWords:
    """Those of the data package; read once."""
    return read(PeopleWords, catalogue("people") / "personas.json")


def people(seed: str) -> Iterator[Person]:
    """People without end; names come twice only where the lists give no more.

    The first people of a seed are the same however many are drawn.
    """
    rng = Random(seed)
    dealer = Dealer(rng)
    profile = read(ProfileWords, catalogue("people") / "profile.json")
    while True:
        yield _person(profile, dealer, rng)


def _person(profile: ProfileWords, dealer: Dealer, rng: Random) -> Person:
    """Somebody made of what was dealt least often, of what fits; the order of draws is that of the fields."""
    words = people_words()
    age = rng.randint(*dealer.deal(words.ages))
    gender = dealer.deal(("Female", "Male"))
    education = dealer.deal([one for one in words.education if one.from_age <= age])
    trade = dealer.deal([one for one in words.occupations if one.rank[0] <= education.rank <= one.rank[1]])
    person_id = str(UUID(int=rng.getrandbits(128), version=4))
    origin = dealer.deal(words.names)
    given = origin.female if gender == "Female" else origin.male
    return Person(
        person_id=person_id,
        name=dealer.deal([f"{first} {family}" for first in given for family in origin.family]),
        age=age,
        gender=gender,
        marital_status=dealer.deal([one for one in words.marital if one.from_age <= age]).status,
        education=f"{education.level} ({rng.choice(words.fields)})" if education.fields else education.level,
        occupation=filled(profile.retired, {"trade": trade.name}) if age >= RETIRED_FROM else trade.name,
        hobbies=tuple(rng.sample(words.hobbies, rng.randint(2, 4))),
        skills=tuple(rng.sample(trade.skills, rng.randint(2, 3))),
        about=filled(
            profile.about, {part: rng.choice(getattr(words, part)) for part in ("grew_up", "manner", "values")}
        ),
    )
