"""What entries of an invented reference work are made of, in the half that is shown or the half that is held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from recollect.benchmarks.memoryagentbench.generate.catalogue import fact_words, read_catalogue
from recollect.benchmarks.memoryagentbench.generate.names import Parts
from recollect.records.digests import digest

Wordings = Mapping[str, tuple[str, ...]]
"""Relation -> ways to put it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Which of two is meant."""

    by: str
    """Relation whose values are figures."""
    least: bool
    """The one with the smaller figure."""
    said: tuple[str, ...]
    """With {a} and {b}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """One kind of entity: how it is written about and asked for."""

    leads: tuple[str, ...]
    tells: Wordings
    asides: tuple[str, ...]
    pronouns: tuple[tuple[str, str], ...]
    """What stands for it, and what for its possessive."""
    asks: Wordings
    leads_to: Wordings
    """Its value in words, where that is an entity too."""
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryWords:
    """All that entries are made of."""

    kinds: Mapping[str, KindWords]
    values: Wordings
    names: Parts


@cache
def library_words(*, held_out: bool) -> LibraryWords:
    """The words of one half; names are the same in both."""
    given = read_catalogue("documents.yaml")

    def half(wordings: Sequence[str]) -> tuple[str, ...]:
        drawn = sorted(wordings, key=digest)[: len(wordings) // 2]
        return tuple(one for one in wordings if (one in drawn) is held_out)

    def halves(by_relation: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        return {name: half(wordings) for name, wordings in by_relation.items()}

    kinds = {
        kind: KindWords(
            leads=half(said["leads"]),
            tells=halves(said["tells"]),
            asides=half(said["asides"]),
            pronouns=tuple((they, their) for they, their in given["pronouns"][kind]),
            asks=halves(given["asks"][kind]),
            leads_to=halves(given["leads_to"].get(kind, {})),
            comparisons=tuple(
                Comparison(by=one["by"], least=one["least"], said=half(one["said"]))
                for one in given["comparisons"][kind]
            ),
        )
        for kind, said in given["kinds"].items()
    }
    names = {**fact_words(held_out=held_out).names, **given["names"]}
    return LibraryWords(kinds=kinds, values=halves(given["values"]), names=names)
