"""Who the users are: seeded people of every age, schooling and trade, none of them real."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TypeVar
from uuid import UUID

from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Profile
from recollect.worlds.catalogues import catalogue, read

T = TypeVar("T", bound=Hashable)

RETIRED_FROM = 66
_TOLD = (
    "name", "age", "gender", "marital_status", "education_level", "occupation", "hobbies_and_interests",
    "skills_and_expertise", "complementary_info",
)  # fmt: skip
"""Fields of a profile that a simulated user is told, in this order."""


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
class PersonaWords:
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


@cache
def persona_words() -> PersonaWords:
    """What the file of this folder says; read once."""
    return read(PersonaWords, catalogue("people") / "personas.json")


def draw_personas(settings: GenerationSettings, seed: int) -> tuple[Profile, ...]:
    """As many people as the settings say; ages, schooling, trades and origins are dealt out evenly.

    The first people of a seed are the same however many are drawn.
    """
    people = _people(seed)
    kept: list[Profile] = []
    while len(kept) < settings.num_user_profiles:
        profile = next(people)
        if profile.uuid not in settings.exclude_ids:
            kept.append(profile)
    return tuple(kept)


def _people(seed: int) -> Iterator[Profile]:
    """People without end; names come twice only where the lists give no more."""
    casting = _Casting(Random(f"amemgym personas {seed}"))
    while True:
        yield casting.next()


class _Casting:
    """Deals out what people are made of: of what fits, always something that was dealt least often."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._words = rng, persona_words()
        self._dealt: Counter[Hashable] = Counter()

    def next(self) -> Profile:
        """The next person."""
        words, rng = self._words, self._rng
        age = rng.randint(*self._least(words.ages))
        gender = self._least(("Female", "Male"))
        education = self._least([one for one in words.education if one.from_age <= age])
        trade = self._least([one for one in words.occupations if one.rank[0] <= education.rank <= one.rank[1]])
        profile = Profile(
            uuid=str(UUID(int=rng.getrandbits(128), version=4)),
            name=self._name(gender),
            age=age,
            gender=gender,
            marital_status=self._least([one for one in words.marital if one.from_age <= age]).status,
            education_level=f"{education.level} ({rng.choice(words.fields)})" if education.fields else education.level,
            occupation=f"retired {trade.name}" if age >= RETIRED_FROM else trade.name,
            hobbies_and_interests=", ".join(rng.sample(words.hobbies, rng.randint(2, 4))),
            skills_and_expertise=", ".join(rng.sample(trade.skills, rng.randint(2, 3))),
            complementary_info=self._rest(),
            formatted_str="",
        )
        return replace(profile, formatted_str="\n".join(f"{name}: {getattr(profile, name)}" for name in _TOLD))

    def _least(self, options: Sequence[T]) -> T:
        fewest = min(self._dealt[one] for one in options)
        chosen = self._rng.choice([one for one in options if self._dealt[one] == fewest])
        self._dealt[chosen] += 1
        return chosen

    def _name(self, gender: str) -> str:
        origin = self._least(self._words.names)
        given = origin.female if gender == "Female" else origin.male
        return self._least([f"{first} {family}" for first in given for family in origin.family])

    def _rest(self) -> str:
        words, rng = self._words, self._rng
        return (
            f"Grew up {rng.choice(words.grew_up)}. In talk, {rng.choice(words.manner)}. "
            f"On the whole, {rng.choice(words.values)}."
        )
