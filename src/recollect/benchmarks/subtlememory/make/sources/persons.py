"""Persons that cases are made for, read from files in the layout of PersonaMem-v2."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path
from typing import Any

from recollect.benchmarks.subtlememory.make.settings import CONFIG, MakeSettings, read_settings
from recollect.benchmarks.subtlememory.rows import shown
from recollect.domain.errors import DataError, listed
from recollect.making.steps import Item
from recollect.text.normal import normalise

LISTS = ("stereotypical_preferences", "anti_stereotypical_preferences", "neutral_preferences")
DROPPED = frozenset({"conversations", "matched_images", "preference_updates"})
"""Fields that are not part of the profile."""
PRIVATE = frozenset({"sensitive_information"})
"""Fields that are neither shown to a model nor written to a file: they may be real numbers of real people."""
ENDINGS = (".json", ".jsonl")
_NUMBERED = re.compile(r"persona[_-]?(\w+)\Z", re.IGNORECASE)
_FIX = f"Give persons as `.json` (a list, or one) or `.jsonl`, with {', '.join(f'`{name}`' for name in LISTS)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a person likes or does, as the source words it."""

    preference_id: str
    text: str
    kind: str
    """The list in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person before any step."""

    persona_id: str
    number: int = 0
    """Among all persons in the order of their ids, as folders are named."""
    persons: int = 1
    """How many there are."""
    name: str
    profile: str
    """The person's fields as JSON, without preferences and dropped fields."""
    preferences: tuple[Preference, ...]
    settings: MakeSettings = field(default_factory=MakeSettings)


def items(source: Path, _: Sequence[str] = ()) -> list[Item]:
    """An item for each person, in the order of their ids as texts.

    Args:
        source: A file, or a folder of files, in the layout of PersonaMem-v2; `config.json` in it may say how much is
            wanted.

    Raises:
        DataError: With every problem of all files.
    """
    inside = sorted(source.rglob("*")) if source.is_dir() else [source]
    files = [file for file in inside if file.suffix in ENDINGS and file.is_file() and file.name != CONFIG]
    if not files:
        raise DataError("there are no persons", source, fix=_FIX)
    settings = read_settings(MakeSettings, source / CONFIG)
    problems: list[str] = []
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for file in files:
        for place, name, row in _rows(file, problems):
            given = row.get("persona_id")
            persona_id = str(given) if isinstance(given, str | int) and str(given).strip() else name
            if persona_id in found:
                problems.append(f"{place}: persona_id `{persona_id}` is there twice, first in {found[persona_id][0]}")
            found.setdefault(persona_id, (place, row))
            problems += _problems(row, place)
    if problems:
        raise DataError(listed(problems), source, fix=_FIX)
    persons = [
        person_of(row, persona_id, settings=settings, number=number, persons=len(found))
        for number, (persona_id, (_, row)) in enumerate(sorted(found.items()))
    ]
    return [Item(key=one.persona_id, data=one) for one in persons]


def person_of(
    row: Mapping[str, Any], persona_id: str, *, settings: MakeSettings, number: int = 0, persons: int = 1
) -> Person:
    """The person of a valid row."""
    profile = {name: value for name, value in row.items() if name not in DROPPED | PRIVATE | {*LISTS}}
    preferences: dict[str, Preference] = {}
    for kind in LISTS:
        for preference in row.get(kind, ()):
            text = " ".join(_text(preference).split())
            name = sha1(f"{persona_id}\n{normalise(text)}".encode(), usedforsecurity=False).hexdigest()[:12]
            if text:
                preferences.setdefault(name, Preference(preference_id=name, text=text, kind=kind))
    return Person(
        persona_id=persona_id,
        number=number,
        persons=persons,
        name=str(profile.get("name") or ""),
        profile=json.dumps({"persona_id": persona_id, **profile}, ensure_ascii=False),
        preferences=tuple(preferences.values()),
        settings=settings,
    )


def _rows(file: Path, problems: list[str]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Place, the persona id if the row has none, and the row."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{file.name}: it cannot be read ({error})")
        return
    # a person is named after the file if it holds no other, else after the place
    numbered = _NUMBERED.search(file.stem)
    stem = numbered[1] if numbered else file.stem
    for place, data in _values(file, text, problems):
        if isinstance(data, Mapping) and not any(name in data for name in LISTS) and _keyed(data):
            yield from ((f"{place}.{name}", str(name), row) for name, row in data.items())
            continue
        for number, row in enumerate(data if isinstance(data, list) else [data]):
            where = f"{place}[{number}]" if isinstance(data, list) else place
            if isinstance(row, Mapping):
                yield where, stem + where.removeprefix(file.name), row
            else:
                problems.append(f"{where}: it is {shown(row)}, and should be an object that tells a person")


def _values(file: Path, text: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    lines = enumerate(text.splitlines(), start=1) if file.suffix == ".jsonl" else [(0, text)]
    for number, line in lines:
        if not line.strip():
            continue
        place = f"{file.name}:{number}" if number else file.name
        try:
            yield place, json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.append(f"{place}: it is no JSON ({error})")


def _keyed(data: Mapping[str, Any]) -> bool:
    """Whether *data* holds persons by their ids."""
    return bool(data) and all(isinstance(row, Mapping) and any(name in row for name in LISTS) for row in data.values())


def _problems(row: Mapping[str, Any], place: str) -> Iterator[str]:
    lists = [name for name in LISTS if name in row]
    if not lists:
        yield f"{place}: it has none of {', '.join(f'`{name}`' for name in LISTS)}"
    for name in lists:
        if not isinstance(row[name], list):
            yield f"{place}.{name}: it is {shown(row[name])}, and should be a list"
            continue
        for number, preference in enumerate(row[name]):
            if not _text(preference).strip():
                yield f"{place}.{name}[{number}]: it is {shown(preference)}, and should be a preference in words"
    if lists and not any(row[name] for name in lists):
        yield f"{place}: it has no preference at all"


def _text(preference: Any) -> str:
    """The text of a preference, which may be an object."""
    if isinstance(preference, Mapping):
        preference = preference.get("preference", preference.get("text"))
    return preference if isinstance(preference, str) else ""
