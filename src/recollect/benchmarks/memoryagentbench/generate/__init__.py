"""Fresh histories without a model: seeded, of any length, and of no use to one who only knows the world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Keyed

HELD_OUT = "-held-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    """Of each task."""
    statements: int
    """Facts of a history."""
    questions: int
    """About facts: of each kind, for each history."""
    examples: int
    """Labelled examples of a history."""
    examples_asked: int
    """Questions about them."""


SIZES = {
    "small": Size(histories=4, statements=400, questions=12, examples=300, examples_asked=20),
    "medium": Size(histories=5, statements=900, questions=50, examples=1_000, examples_asked=60),
    "large": Size(histories=5, statements=2_300, questions=100, examples=5_000, examples_asked=100),
}


ALL_SIZES = tuple(f"{name}{suffix}" for name in SIZES for suffix in ("", HELD_OUT))


def generate(size: str, seed: int) -> Dataset:
    """Invented twins of both families; the same size and seed give the same bytes.

    Args:
        size: `small`, `medium` or `large`; with `-held-out` behind it, wordings and domains that the others never use.
        seed: Of everything that is drawn.

    Raises:
        UnknownNameError: There is no such size.
    """
    from recollect.benchmarks.memoryagentbench.histories import NAME

    plain = size.removesuffix(HELD_OUT)
    if plain not in SIZES:
        raise UnknownNameError("size", size, ALL_SIZES)
    made = SIZES[plain]
    histories = [
        one
        for number in range(made.histories)
        for one in _histories(made, number, f"{size} {seed} {number}", held_out=size != plain)
    ]
    histories.sort(key=lambda one: one.task)
    return Dataset(benchmark=NAME, histories=tuple(histories), origin=f"generated: {size}, seed {seed}")


def _histories(size: Size, number: int, seed: str, *, held_out: bool) -> Iterator[Keyed]:
    from recollect.benchmarks.memoryagentbench.generate.catalogue import fact_words, intent_words
    from recollect.benchmarks.memoryagentbench.generate.utterances import make_lesson
    from recollect.benchmarks.memoryagentbench.generate.worlds import make_world
    from recollect.benchmarks.memoryagentbench.histories import keyed
    from recollect.benchmarks.memoryagentbench.recover import labelled
    from recollect.benchmarks.memoryagentbench.sources import EXAMPLES_MADE, FACTS_MADE, MADE_LABELS, SOURCES

    world = make_world(fact_words(held_out=held_out), size.statements, size.questions, Random(f"facts {seed}"))
    yield keyed(SOURCES[FACTS_MADE["sh"]], number, world.texts, world.single)
    yield keyed(SOURCES[FACTS_MADE["mh"]], number, world.texts, world.chained)
    lesson = make_lesson(
        intent_words(held_out=held_out),
        labels=MADE_LABELS,
        examples=size.examples,
        questions=size.examples_asked,
        rng=Random(f"examples {seed}"),
    )
    asked = labelled(lesson.texts, [(one.text, one.number) for one in lesson.asked])
    worded = [replace(a, labels={**a.labels, "wording": b.wording}) for a, b in zip(asked, lesson.asked, strict=True)]
    yield keyed(SOURCES[EXAMPLES_MADE], number, lesson.texts, worded)
