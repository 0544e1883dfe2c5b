"""Invented facts that change: of one hop, and chains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.facts import MADE
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.catalogue import fact_words
from recollect.benchmarks.memoryagentbench.generate.worlds import make_world
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    """Of each task."""
    statements: int
    """Facts of a history."""
    questions: int
    """Of each kind, for each history."""


SIZES = {
    "small": Size(histories=2, statements=400, questions=12),
    "medium": Size(histories=5, statements=900, questions=50),
    "large": Size(histories=5, statements=2_300, questions=100),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """Both rows of each context."""
    made = SIZES[size]
    words = fact_words(held_out=held_out)
    for number in range(made.histories):
        rng = Random(seed_of("facts", size, seed, number, held_out=held_out))
        world = make_world(words, made.statements, made.questions, rng)
        yield keyed(SOURCES[MADE["sh"]], number, world.texts, world.single)
        yield keyed(SOURCES[MADE["mh"]], number, world.texts, world.chained)
