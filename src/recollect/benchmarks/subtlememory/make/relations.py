"""What relations and sub-types mean, as models are told it; and the kinds of talk with their rhythms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from recollect.records.codec import decode

FOLDER = Path(__file__).parent
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtype:
    """One way in which statements hang together."""

    means: str
    case: str
    """How the statements are made."""
    talk: str
    """What holds for a talk that carries one of them."""
    ask: str
    """What requests are like."""
    answer: str
    """What is right and what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """All that is said of them."""

    relations: Mapping[str, str]
    subtypes: Mapping[str, Subtype]
    boundaries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A conversation type."""

    name: str
    task: str
    """Of the assistant."""
    flows: Mapping[str, str]
    """Name of a flow -> its rhythm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talks:
    """What talks are like."""

    kinds: tuple[Kind, ...]
    levels: Mapping[str, str]
    """How much of the person shows."""


@cache
def relations() -> Relations:
    """What `relations.json` says; read once."""
    return _read("relations", Relations)


@cache
def kinds() -> Mapping[str, Kind]:
    """The ten conversation types; read once."""
    return {one.name: one for one in _read("talks", Talks).kinds}


@cache
def levels() -> Mapping[str, str]:
    """Level of the persona signal -> what it means."""
    return _read("talks", Talks).levels


@cache
def aliases() -> Mapping[str, str]:
    """Topic in any spelling, folded -> its name here."""
    table: Mapping[str, tuple[str, ...]] = _read("topics", Mapping[str, tuple[str, ...]])  # type: ignore[type-abstract]
    return {said.casefold(): topic for topic, others in table.items() for said in (topic, *others)}


def topic_of(said: str) -> str:
    """A topic under its one name; one that is not known stays, with a capital."""
    plain = " ".join(said.replace("_", " ").split())
    return aliases().get(plain.casefold(), plain[:1].upper() + plain[1:])


def definitions() -> dict[str, str]:
    """What every prompt about relations says first."""
    told = relations()
    return {
        "relations": "\n".join(f"- {name}: {means}." for name, means in told.relations.items()),
        "boundaries": "\n".join(f"- {one}" for one in told.boundaries),
    }


def meanings() -> str:
    """All sub-types, each in a line."""
    return "\n".join(f"- {name}: {one.means}." for name, one in relations().subtypes.items())


def named(relation: str, subtype: str) -> str:
    """A relation in words."""
    told = relations()
    return f"{relation}, {subtype}: {told.relations[relation]}; {told.subtypes[subtype].means}."


def _read(name: str, form: type[Read]) -> Read:
    file = FOLDER / f"{name}.json"
    return decode(form, json.loads(file.read_text(encoding="utf-8")), where=str(file))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What a sub-type asks of each step about the world."""

    means: str
    facts: str
    plan: str
    talk: str
    talk_filter: str
    question: str
    answer: str
    question_filter: str
    answer_filter: str


@cache
def guidance() -> Mapping[str, Guidance]:
    """Sub-type -> what `world_relations.json` says of it; read once."""
    return _read("world_relations", Mapping[str, Guidance])  # type: ignore[type-abstract]
