"""The users: invented people of many ages, trades and places."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from random import Random
from unicodedata import normalize

from recollect.benchmarks.subtlememory.generate.plans import Persona
from recollect.domain.errors import UsageError
from recollect.worlds.catalogues import catalogue, read


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Profile of a person; nothing in it affects what the benchmark asks."""

    names: tuple[str, ...]
    """One for each time that the life is lived."""
    gender: str
    age: int
    nationality: str
    languages: tuple[str, ...]
    home: str
    occupation: str
    education: str
    short: str
    """The person in one sentence."""
    traits: tuple[str, ...]
    hobbies: tuple[str, ...]
    quirks: str
    speaking_style: str
    therapy: str
    health: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Profiles:
    persons: tuple[Life, ...]


@cache
def lives() -> tuple[Life, ...]:
    """All profiles of the catalogue; read once."""
    return read(_Profiles, catalogue("subtlememory") / "personas.json").persons


def draw_personas(count: int, seed: int) -> tuple[Persona, ...]:
    """So many people; every profile is used once before any is used again, then under another name.

    The first people of a seed are the same for any count, and their ids sort in this order.

    Raises:
        UsageError: There are not so many.
    """
    rng = Random(f"subtlememory {seed}:personas")
    rounds = len(lives()[0].names)
    if count > rounds * len(lives()):
        most = rounds * len(lives())
        raise UsageError(f"{count} persons are asked for, and there are {most}. Ask for {most} or fewer.")
    drawn: list[Persona] = []
    number = 100
    for turn in range(rounds):
        for life in rng.sample(lives(), len(lives())):
            number += rng.randint(1, 9)
            drawn.append(_persona(life, life.names[turn], str(number), Random(f"subtlememory {seed}:persona {number}")))
    return tuple(drawn[:count])


def _persona(life: Life, name: str, persona_id: str, rng: Random) -> Persona:
    age = life.age + rng.randint(-1, 1)
    plain = normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    mail = ".".join(part for part in plain.replace("-", "").split() if part)
    digits = "".join(str(rng.randint(0, 9)) for _ in range(4))
    profile = {
        "persona_id": persona_id,
        "name": name,
        "short_persona": life.short,
        "age": age,
        "gender": life.gender,
        "nationality": life.nationality,
        "languages_spoken": ", ".join(life.languages),
        "occupation": life.occupation,
        "education": life.education,
        "demographics": life.home,
        "personality": {"traits": list(life.traits), "hobbies": list(life.hobbies), "quirks": life.quirks},
        "speaking_style": life.speaking_style,
        "therapy_background": life.therapy,
        "health_and_medical_conditions": life.health,
        # numbers and addresses that belong to nobody: reserved domains and ranges
        "sensitive_information": {
            "phone": f"+1-{rng.randint(200, 989)}-555-01{rng.randint(0, 99):02d}",
            "email": f"{mail}@example.org",
            "date_of_birth": f"{rng.randint(1, 28):02d}.{rng.randint(1, 12):02d}., year withheld",
            "id_number": f"000-{rng.randint(10, 99)}-{digits}",
            "passport": f"ZZ{rng.randint(0, 9_999_999):07d}",
            "bank_account": f"XX00 TEST {rng.randint(0, 9999):04d} {rng.randint(0, 9999):04d}",
            "street_address": f"{rng.randint(1, 180)} Nowhere Street, flat {rng.randint(1, 40)}",
        },
    }
    text = json.dumps(profile, ensure_ascii=False)
    return Persona(persona_id=persona_id, name=name, first_name=name.split(maxsplit=1)[0], persona_str=text)
