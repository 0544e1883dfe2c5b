"""Invented documents with questions about one of them, and about two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.documents import MADE, document_set
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.entries import chained, make_entries, single
from recollect.benchmarks.memoryagentbench.generate.library import library_words
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    """Of each task."""
    documents: int
    questions: int
    """Of each task, for each history."""


SIZES = {
    "small": Size(histories=2, documents=58, questions=12),
    "medium": Size(histories=5, documents=250, questions=50),
    "large": Size(histories=5, documents=1_000, questions=100),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """Rows of both tasks, each with a context of its own."""
    made, words = SIZES[size], library_words(held_out=held_out)
    for task, ask in (("single", single), ("chained", chained)):
        for number in range(made.histories):
            rng = Random(seed_of(f"documents {task}", size, seed, number, held_out=held_out))
            entries = make_entries(words, made.documents, rng)
            asked = ask(words, entries, made.questions, rng)
            found = document_set([entry.text for entry in entries], asked, rng)
            yield keyed(SOURCES[MADE[task]], number, found.texts, found.asked)
