"""Invented persons in the layout of PersonaMem-v2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from recollect.benchmarks.subtlememory.make.sources.persons import LISTS, items
from recollect.making.steps import Item

NAMES = ("Ilse Varga", "Corwin Hale", "Petra Lund")
LIKES = (
    *("Likes long walks along the river", "Prefers trains to planes", "Reads old sea novels", "Bakes dark bread"),
    *("Plays chess on Sundays", "Grows herbs on the balcony", "Collects paper maps", "Swims before breakfast"),
    *("Mends old radios", "Keeps a quiet desk", "Sings in a choir", "Drinks green tea"),
)


def person(number: int, count: int = 12) -> dict[str, Any]:
    """A row; the lists take turns."""
    told = [f"{like} with {NAMES[number].split()[0]}'s friends" for like in LIKES[:count]]
    lists = {name: told[place :: len(LISTS)] for place, name in enumerate(LISTS)}
    return {
        "persona_id": str(number * 7),
        "name": NAMES[number],
        "short_persona": "Somebody with many small habits.",
        "age": 30 + number,
        "favourite_field_of_nobody": ["kept"],
        **lists,
        "sensitive_information": {"email": "secret@example.org"},
        "conversations": {"a": ["long"]},
        "matched_images": ["x.png"],
        "preference_updates": {"b": "c"},
    }


def folder_of(path: Path, persons: int = 2, count: int = 12, **config: Any) -> Path:
    """A folder with a file a person, and a configuration where one is asked for."""
    path.mkdir(parents=True, exist_ok=True)
    for number in range(persons):
        (path / f"persona{number * 7}.json").write_text(json.dumps(person(number, count)), encoding="utf-8")
    if config:
        (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return path


def persons(path: Path, number: int = 2, count: int = 12, **config: Any) -> list[Item]:
    """The items of such a folder."""
    return items(folder_of(path, number, count, **config))
