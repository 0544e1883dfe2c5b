"""Definitions of relations and sub-types for prompts, and the conversation types with their flows."""

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
    """How the statements of a case are related."""

    means: str
    case: str
    """How the statements are made."""
    talk: str
    """What holds for a dialogue that carries one of them."""
    ask: str
    """What requests are like."""
    answer: str
    """What is right and what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """Contents of `relations.json`."""

    relations: Mapping[str, str]
    subtypes: Mapping[str, Subtype]
    boundaries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A conversation type."""

    name: str
    task: str
    """The assistant's task."""
    flows: Mapping[str, str]
    """Name of a flow -> its rhythm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talks:
    """Contents of `talks.json`."""

    kinds: tuple[Kind, ...]
    levels: Mapping[str, str]
    """Level of the persona signal -> what it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What the prompts of each step say about a sub-type."""

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
def relations() -> Relations:
    """Contents of `relations.json`; read once."""
    return _read("relations", Relations)


@cache
def guidance() -> Mapping[str, Guidance]:
    """Sub-type -> its guidance in `world_relations.json`; read once."""
    return _read("world_relations", Mapping[str, Guidance])  # type: ignore[type-abstract]


@cache
def kinds() -> Mapping[str, Kind]:
    """The ten conversation types by name; read once."""
    return {kind.name: kind for kind in _read("talks", Talks).kinds}


@cache
def levels() -> Mapping[str, str]:
    """Level of the persona signal -> what it means."""
    return _read("talks", Talks).levels


@cache
def aliases() -> Mapping[str, str]:
    """Any spelling of a topic, casefolded -> the topic."""
    table: Mapping[str, tuple[str, ...]] = _read("topics", Mapping[str, tuple[str, ...]])  # type: ignore[type-abstract]
    return {spelling.casefold(): topic for topic, others in table.items() for spelling in (topic, *others)}


def topic_of(spelling: str) -> str:
    """The topic under its usual name; an unknown one is kept and capitalised."""
    plain = " ".join(spelling.replace("_", " ").split())
    return aliases().get(plain.casefold(), plain[:1].upper() + plain[1:])


def definitions() -> dict[str, str]:
    """The definitions at the top of every prompt about relations."""
    return {
        "relations": "\n".join(f"- {name}: {means}." for name, means in relations().relations.items()),
        "boundaries": "\n".join(f"- {boundary}" for boundary in relations().boundaries),
    }


def meanings() -> str:
    """All sub-types, one per line."""
    return "\n".join(f"- {name}: {subtype.means}." for name, subtype in relations().subtypes.items())


def named(relation: str, subtype: str) -> str:
    """A relation in words."""
    return f"{relation}, {subtype}: {relations().relations[relation]}; {relations().subtypes[subtype].means}."


def _read(name: str, form: type[Read]) -> Read:
    file = FOLDER / f"{name}.json"
    return decode(form, json.loads(file.read_text(encoding="utf-8")), where=str(file))
