"""Whom cases are made of: persons in the layout of PersonaMem-v2, read from files of the user's."""

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
"""Fields that are no profile."""
PRIVATE = frozenset({"sensitive_information"})
"""Fields that no model is shown and no file is given: whose numbers they are, nobody can say."""
ENDINGS = (".json", ".jsonl")
_NUMBERED = re.compile(r"persona[_-]?(\w+)\Z", re.IGNORECASE)
_FIX = f"Give persons as `.json` (a list, or one) or `.jsonl`, with {', '.join(f'`{name}`' for name in LISTS)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a person likes or does, as the source says it."""

    preference_id: str
    text: str
    kind: str
    """The list that it is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person before anything was made."""

    persona_id: str
    number: int = 0
    """Among all persons in the order of their ids, as folders are named."""
    persons: int = 1
    """How many there are."""
    name: str
    profile: str
    """What is known of the person, as JSON: every field but the preferences and what is dropped."""
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
    files = _files(source)
    settings = read_settings(MakeSettings, source / CONFIG)
    problems: list[str] = []
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for file in files:
        for place, name, row in _rows(file, problems):
            persona_id = _id_of(row, name)
            if persona_id in found:
                problems.append(f"{place}: persona_id `{persona_id}` is there twice, first in {found[persona_id][0]}")
            found.setdefault(persona_id, (place, row))
            problems += _wrong(row, place)
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
    """The person that a sound row says."""
    told = {name: value for name, value in row.items() if name not in DROPPED | PRIVATE | {*LISTS}}
    preferences: dict[str, Preference] = {}
    for kind in LISTS:
        for said in row.get(kind, ()):
            text = " ".join(_text(said).split())
            name = sha1(f"{persona_id}\n{normalise(text)}".encode(), usedforsecurity=False).hexdigest()[:12]
            if text:
                preferences.setdefault(name, Preference(preference_id=name, text=text, kind=kind))
    return Person(
        persona_id=persona_id,
        number=number,
        persons=persons,
        name=str(told.get("name") or ""),
        profile=json.dumps({"persona_id": persona_id, **told}, ensure_ascii=False),
        preferences=tuple(preferences.values()),
        settings=settings,
    )


def _files(source: Path) -> list[Path]:
    inside = sorted(source.rglob("*")) if source.is_dir() else [source]
    found = [one for one in inside if one.suffix in ENDINGS and one.is_file() and one.name != CONFIG]
    if not found:
        raise DataError("there are no persons", source, fix=_FIX)
    return found


def _rows(file: Path, problems: list[str]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Place, a name in case the row says none, and the row."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{file.name}: it cannot be read ({error})")
        return
    for place, data in _values(file, text, problems):
        if isinstance(data, Mapping) and not any(name in data for name in LISTS) and _keyed(data):
            yield from ((f"{place}.{name}", str(name), row) for name, row in data.items())
            continue
        rows = data if isinstance(data, list) else [data]
        for number, row in enumerate(rows):
            where = f"{place}[{number}]" if isinstance(data, list) else place
            if isinstance(row, Mapping):
                yield where, _named(file, where, place), row
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
    """Persons by their ids."""
    return bool(data) and all(isinstance(row, Mapping) and any(name in row for name in LISTS) for row in data.values())


def _named(file: Path, where: str, place: str) -> str:
    """What a person without an id is called: after the file if it holds no other, else after the place."""
    found = _NUMBERED.search(file.stem)
    whole = found[1] if found else file.stem
    return whole if where == place and place == file.name else f"{whole}{where.removeprefix(file.name)}"


def _id_of(row: Mapping[str, Any], name: str) -> str:
    said = row.get("persona_id")
    return str(said) if isinstance(said, str | int) and str(said).strip() else name


def _wrong(row: Mapping[str, Any], place: str) -> Iterator[str]:
    there = [name for name in LISTS if name in row]
    if not there:
        yield f"{place}: it has none of {', '.join(f'`{name}`' for name in LISTS)}"
    for name in there:
        if not isinstance(row[name], list):
            yield f"{place}.{name}: it is {shown(row[name])}, and should be a list"
            continue
        for number, said in enumerate(row[name]):
            if not _text(said).strip():
                yield f"{place}.{name}[{number}]: it is {shown(said)}, and should be a preference in words"
    if there and not any(row[name] for name in there):
        yield f"{place}: it has no preference at all"


def _text(said: Any) -> str:
    """A preference as it is said, or as an object says it."""
    if isinstance(said, Mapping):
        said = said.get("preference", said.get("text"))
    return said if isinstance(said, str) else ""
