"""The phrase catalogues: data files, so that a test can compare them with what a reader knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from recollect.records.digests import digest
from recollect.worlds.catalogues import catalogue, parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How one kind of fact is said and asked for."""

    name: str
    subject: str
    """Kind of entity."""
    value: str
    """Kind of entity."""
    word: str
    """All wordings have it, in some form, so that a question can find its fact."""
    statements: tuple[str, ...]
    """With {s} and {o}."""
    questions: tuple[str, ...]
    """With {s}."""
    chains: tuple[str, ...]
    """The value in words, with {s}; a question may go on from there."""
    exclusive: bool
    """Two subjects rather do not share a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactWords:
    """What facts are made of."""

    names: Mapping[str, tuple[tuple[str, ...], ...]]
    """Kind -> parts of a name, each from one list."""
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Something that people want, in several wordings."""

    name: str
    patterns: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentWords:
    """What examples are made of."""

    domains: tuple[tuple[Intent, ...], ...]
    openings: tuple[str, ...]
    endings: tuple[str, ...]


@cache
def fact_words(*, held_out: bool) -> FactWords:
    """Names, and the wordings that are shown or those that are held out."""
    given = read_catalogue("facts.yaml")
    return FactWords(
        names={kind: tuple(map(tuple, parts)) for kind, parts in given["names"].items()},
        relations=tuple(_relation(name, said, held_out) for name, said in given["relations"].items()),
    )


def _relation(name: str, said: Mapping[str, Any], held_out: bool) -> Relation:
    return Relation(
        name=name,
        subject=said["subject"],
        value=said["value"],
        word=said["word"],
        statements=_half(said["statements"], held_out=held_out),
        questions=_half(said["ask"], held_out=held_out),
        chains=_half(said["chain"], held_out=held_out),
        exclusive=said.get("exclusive", False),
    )


def _half(wordings: Sequence[str], *, held_out: bool) -> tuple[str, ...]:
    """The half that is held out, or the half that is shown; in the order of the file.

    Wordings that end in the subject, which alone may go on from a chain, and all others are halved apart.
    """
    drawn: set[str] = set()
    for nests in (True, False):
        alike = [wording for wording in wordings if wording.endswith(("{s}", "{s}?")) is nests]
        drawn.update(sorted(alike, key=digest)[: len(alike) // 2])
    return tuple(wording for wording in wordings if (wording in drawn) is held_out)


@cache
def intent_words(*, held_out: bool) -> IntentWords:
    """The domains that are shown or those that are held out, with openings and endings of their own."""
    given = read_catalogue("intents.yaml")
    which = "held_out" if held_out else "shown"
    return IntentWords(
        domains=tuple(
            _intents(name, domain) for name, domain in given["domains"].items() if domain["held_out"] is held_out
        ),
        openings=tuple(given["openings"][which]),
        endings=tuple(given["endings"][which]),
    )


def _intents(domain: str, given: Mapping[str, Any]) -> tuple[Intent, ...]:
    slots = {slot: tuple(values) for slot, values in given["slots"].items()}
    return tuple(
        Intent(name=f"{domain}: {name}", patterns=tuple(patterns), slots=slots)
        for name, patterns in given["intents"].items()
    )


def read_catalogue(name: str) -> Any:
    """What a file of the catalogue says."""
    return parsed(catalogue("memoryagentbench") / name)
