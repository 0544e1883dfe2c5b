"""Who the users are: the kit's invented people, as profiles of the published form."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice

from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.items import Profile
from recollect.worlds.people import people


def draw_personas(settings: GenerationSettings, seed: int) -> tuple[Profile, ...]:
    """As many people as the settings say; ages, schooling, trades and origins are spread evenly.

    The first people of a seed are the same however many are drawn.
    """
    drawn = (one for one in people(f"amemgym personas {seed}") if one.person_id not in settings.exclude_ids)
    return tuple(
        with_text(
            Profile(
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
        )
        for person in islice(drawn, settings.num_user_profiles)
    )


def with_text(profile: Profile) -> Profile:
    """*profile* with its own text, which a simulated user reads."""
    return replace(profile, formatted_str=in_lines(profile))


def in_lines(profile: Profile) -> str:
    """One line for each field that has a value, without the id."""
    names = [field.name for field in fields(profile) if field.name not in {"uuid", "formatted_str"}]
    return "\n".join(f"{name}: {value}" for name in names if (value := getattr(profile, name)))
