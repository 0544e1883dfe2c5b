"""Documents in random order under running numbers, and questions that know where theirs stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.blocks import numbered
from recollect.benchmarks.memoryagentbench.families.documents import WORD
from recollect.benchmarks.memoryagentbench.family import Asked
from recollect.metrics.text_match import normalise

TENTHS = 10
Need = tuple[str, tuple[str, ...], tuple[str, ...], str]
"""Question, accepted answers, needed documents, kind."""


class DocumentSet(NamedTuple):
    """One context, and its questions."""

    texts: list[str]
    asked: list[Asked]


def document_set(documents: Iterable[str], needs: Sequence[Need], rng: Random) -> DocumentSet:
    """Shuffle and number documents; each is there once.

    Source:
        RULER (Hsieh et al. 2024), its tasks `qa`: gold and distracting paragraphs, numbered in random order.
    """
    drawn = list(dict.fromkeys(documents))
    rng.shuffle(drawn)
    places = {document: place for place, document in enumerate(drawn)}
    words = [normalise(document) for document in drawn]
    return DocumentSet(numbered(drawn, WORD), [_asked(words, places, need) for need in needs])


def _asked(words: Sequence[str], places: dict[str, int], need: Need) -> Asked:
    text, gold, needed, kind = need
    evidence = tuple(places[document] for document in needed)
    wanted = f" {normalise(gold[0])} "
    labels = {
        "kind": kind,
        "answer_in": str(sum(wanted in f" {one} " for one in words)),
        "depth": depth(evidence, len(words)),
    }
    return Asked(text=text, gold=gold, evidence=evidence, labels=labels)


def depth(evidence: Sequence[int], documents: int) -> str:
    """Where the last document that is needed stands, in tenths of the context."""
    return str(TENTHS * max(evidence) // documents)
