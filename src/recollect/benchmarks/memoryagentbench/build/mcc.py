"""Multi-class classification made anew: balanced examples under shuffled numbers, and 100 balanced questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from random import Random

from recollect.benchmarks.memoryagentbench.build.intents import CORPORA, Item
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.examples import example, labelled
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.domain.histories import Keyed

QUESTIONS = 100


def build_examples(folder: Path, tasks: Sequence[str], seed: int) -> tuple[list[Keyed], str]:
    """The rows of the named sources.

    Raises:
        DataError: The source data are not there.
    """
    made, origins = [], []
    for task in tasks:
        rng = Random(f"{task} {seed}")
        train, test = CORPORA[task](folder, rng)
        made.append(_row(task, train, test, rng))
        origins.append(f"{task} ({len(train)} train, {len(test)} test)")
    return made, ", ".join(origins)


def _row(task: str, train: Sequence[Item], test: Sequence[Item], rng: Random) -> Keyed:
    source = SOURCES[task]
    numbers = _numbers(train, rng)
    shown = balanced(train, source.examples or len(train), rng)
    texts = [example(item.text, numbers[item.label]) for item in shown]
    asked = balanced([item for item in test if item.label in numbers], QUESTIONS, rng)
    return keyed(source, 0, texts, labelled(texts, [(item.text, numbers[item.label]) for item in asked]))


def _numbers(items: Sequence[Item], rng: Random) -> dict[str, int]:
    """Label -> a number that says nothing."""
    labels = sorted({item.label for item in items})
    numbers = list(range(len(labels)))
    rng.shuffle(numbers)
    return dict(zip(labels, numbers, strict=True))


def balanced(items: Sequence[Item], size: int, rng: Random) -> list[Item]:
    """Items in rounds, each of which has every label once in a new order; cut at *size*.

    A label's items come without repetition until all were there, then again.

    Source:
        HELMET (Yen et al. 2024), balanced demonstrations of its in-context learning tasks.
    """
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(item.label, []).append(item)
    drawn = {label: _passes(by_label[label], rng) for label in sorted(by_label)}
    rounds = -(-size // len(drawn))
    return list(chain.from_iterable(_round(drawn, rng) for _ in range(rounds)))[:size]


def _passes(items: Sequence[Item], rng: Random) -> Iterator[Item]:
    return chain.from_iterable(rng.sample(items, len(items)) for _ in repeat(None))


def _round(drawn: dict[str, Iterator[Item]], rng: Random) -> list[Item]:
    one_each = [next(items) for items in drawn.values()]
    rng.shuffle(one_each)
    return one_each
