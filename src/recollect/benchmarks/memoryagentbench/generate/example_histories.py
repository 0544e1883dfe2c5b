"""Invented intents, each a number that only examples define."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.examples import MADE, MADE_LABELS, labelled
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.catalogue import intent_words
from recollect.benchmarks.memoryagentbench.generate.utterances import make_lesson
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    examples: int
    """Labelled examples of a history."""
    asked: int
    """Questions about them."""


SIZES = {
    "small": Size(histories=2, examples=300, asked=20),
    "medium": Size(histories=5, examples=1_000, asked=60),
    "large": Size(histories=5, examples=5_000, asked=100),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row a lesson."""
    made = SIZES[size]
    words = intent_words(held_out=held_out)
    for number in range(made.histories):
        rng = Random(seed_of("examples", size, seed, number, held_out=held_out))
        lesson = make_lesson(words, labels=MADE_LABELS, examples=made.examples, questions=made.asked, rng=rng)
        asked = labelled(lesson.texts, [(one.text, one.number) for one in lesson.asked])
        worded = [
            replace(a, labels={**a.labels, "wording": b.wording}) for a, b in zip(asked, lesson.asked, strict=True)
        ]
        yield keyed(SOURCES[MADE], number, lesson.texts, worded)
