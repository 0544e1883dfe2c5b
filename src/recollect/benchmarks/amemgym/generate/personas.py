"""Who the users are: the kit's invented people, as profiles of the published form."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Profile
from recollect.worlds.people import Person, people

_TOLD = (
    "name", "age", "gender", "marital_status", "education_level", "occupation", "hobbies_and_interests",
    "skills_and_expertise", "complementary_info",
)  # fmt: skip
"""Fields of a profile that a simulated user is told, in this order."""


def draw_personas(settings: GenerationSettings, seed: int) -> tuple[Profile, ...]:
    """As many people as the settings say; ages, schooling, trades and origins are dealt out evenly.

    The first people of a seed are the same however many are drawn.
    """
    drawn = (one for one in people(f"amemgym personas {seed}") if one.person_id not in settings.exclude_ids)
    return tuple(map(_profile, islice(drawn, settings.num_user_profiles)))


def _profile(person: Person) -> Profile:
    profile = Profile(
        uuid=person.person_id,
        name=person.name,
        age=person.age,
        gender=person.gender,
        marital_status=person.marital_status,
        education_level=person.education,
        occupation=person.occupation,
        hobbies_and_interests=", ".join(person.hobbies),
        skills_and_expertise=", ".join(person.skills),
        complementary_info=person.about,
        formatted_str="",
    )
    return replace(profile, formatted_str="\n".join(f"{name}: {getattr(profile, name)}" for name in _TOLD))
