"""Numbered documents, some of which answer the questions: one is enough for `ruler_qa1`, `ruler_qa2` takes two."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.families.blocks import body_of, numbered
from recollect.benchmarks.memoryagentbench.families.family import SHORT_ANSWER, Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import (
    fact_parts,
)
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
from recollect.contracts.benchmark import TaskCard
from recollect.domain.outcomes import Outcome
from recollect.metrics.text_match import normalise

WORD = "Document"


def texts_of(context: str) -> list[str]:
    """The documents, each with its header line.

    Raises:
        ValueError: There is none.
    """
    return blocks.texts_of(context, WORD)


def title_of(text: str) -> str:
    """The first line of a document that has more of them; nothing where it has one, which is no title."""
    first, _, rest = blocks.body_of(text, WORD).partition("\n")
    return first.strip() if rest.strip() else ""


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


Words = tuple[str, ...]
_BESIDE = re.compile(r"\s*\([^()]*\)\s*$")
"""What tells two titles apart, such as `(film)`; a question does not say it."""


class Library:
    """Documents by their words and titles."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.words = [tuple(normalise(body_of(text, WORD)).split()) for text in texts]
        self.titles = [_title(text) for text in texts]
        self._holding: dict[str, set[int]] = defaultdict(set)
        self._titled: dict[Words, list[int]] = defaultdict(list)
        for place, (words, title) in enumerate(zip(self.words, self.titles, strict=True)):
            for word in words:
                self._holding[word].add(place)
            if title:
                self._titled[title].append(place)

    @property
    def has_titles(self) -> bool:
        """Most documents are titled; a line break in one or another is no title."""
        return 2 * sum(map(bool, self.titles)) > len(self.titles)

    def holding(self, phrase: Words) -> list[int]:
        """Places of the documents that hold *phrase* at word borders, in order."""
        if not phrase:
            return []
        rare = min((self._holding.get(word, set()) for word in phrase), key=len)
        return sorted(place for place in rare if _holds(self.words[place], phrase))

    def named_in(self, words: Words) -> list[int]:
        """Places of the documents whose titles *words* name; of titles inside each other the longest."""
        found = [
            (len(title), start, place)
            for title, places in self._titled.items()
            for start in _starts(words, title)
            for place in places
        ]
        kept: list[tuple[int, int, int]] = []
        for one in sorted(found, reverse=True):
            if not any(_inside(one, other) for other in kept):
                kept.append(one)
        return sorted({place for _, _, place in kept})


def document_finder(texts: Sequence[str]) -> Finder:
    """A finder for one list of documents."""
    library = Library(texts)
    return partial(_two if library.has_titles else _one, library)


def _one(library: Library, asked: Asked) -> Recovered | None:
    places = {place for alias in asked.gold for place in library.holding(tuple(normalise(alias).split()))}
    return _recovered(library, tuple(places)) if len(places) == 1 else None


def _two(library: Library, asked: Asked) -> Recovered | None:
    question = tuple(normalise(asked.text).split())
    named = library.named_in(question)
    answer = tuple(normalise(asked.gold[0]).split()) if asked.gold else ()
    holding = library.holding(answer)
    if len(named) == 2 and (answer in (("yes",), ("no",)) or not set(named).isdisjoint(holding)):
        return _recovered(library, tuple(named))
    pairs = {pair for last in holding for pair in _bridges(library, last, named)}
    return _recovered(library, next(iter(pairs))) if len(pairs) == 1 else None


def _recovered(library: Library, places: tuple[int, ...]) -> Recovered:
    return Recovered(places, (), {"evidence": "by_rule", "depth": depth(places, len(library.words))})


def _bridges(library: Library, last: int, named: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Documents that the question names and that name the one with the answer, in that order."""
    for first in named:
        if first != last and _holds(library.words[first], library.titles[last]):
            yield first, last


def _title(text: str) -> Words:
    title = title_of(text)
    return tuple(normalise(_BESIDE.sub("", title) or title).split())


def _starts(words: Words, phrase: Words) -> list[int]:
    size = len(phrase)
    return [start for start in range(len(words) - size + 1) if size and words[start : start + size] == phrase]


def _holds(words: Words, phrase: Words) -> bool:
    return bool(_starts(words, phrase))


def _inside(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    (size, start, _), (longest, first, _) = one, other
    return size < longest and first <= start and start + size <= first + longest


def score_document(given: Scored) -> Outcome:
    """Whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`."""
    parts = fact_parts(given.said, given.accepted, ())
    return given.outcome([part for part in parts if part.name != "stale"])


SINGLE, CHAINED = "ruler_qa1_197K", "ruler_qa2_421K"
MADE = {"single": "ruler_qa1_generated", "chained": "ruler_qa2_generated"}
MADE_CHUNK_TOKENS = 160
"""Generated documents have about 100 tokens, and are kept whole."""

LABELS = {
    "kind": "documents: `single`; of two documents `bridge`, where one leads to the other, or `comparison`",
    "answer_in": "documents: how many of them hold the printed answer",
    "depth": "documents: where the last one that is needed stands, in tenths of the context, 0 to 9",
}
LICENCES = {
    "SQuAD 1.1 as XQuAD (ruler_qa1)": "CC BY-SA 4.0: name Rajpurkar et al. 2016 and Artetxe et al. 2020",
    "HotpotQA (ruler_qa2)": "CC BY-SA 4.0: name Yang et al. 2018",
}
DEVIATIONS = {
    SINGLE: "Built from the 180 paragraphs and 924 questions of XQuAD, about 31K tokens where the published row has "
    "197K.",
    CHAINED: "Built from 75 questions with their 750 paragraphs, about 99K tokens where the published row has 421K "
    "and 100 questions. A yes or no is right wherever the reply holds it, also inside a word, as in the paper.",
}


def _task(source: Source) -> TaskCard:
    needed = "one document" if "_qa1_" in source.name else "two documents"
    size = f"about {source.context_tokens:,} tokens of " if source.context_tokens else ""
    differs = f" {DEVIATIONS[source.name]}" if source.name in DEVIATIONS else ""
    return TaskCard(
        name=source.name,
        meaning=f"Answer from {needed} among {size}numbered documents.{differs}",
        measure="substring_exact_match",
        chance=None,
        parts=SHORT_ANSWER,
    )


FAMILY = Family(
    name="ruler_qa",
    split="Accurate_Retrieval",
    output_tokens=50,
    chunk_tokens=512,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    task=_task,
    score=score_document,
    finder=document_finder,
)

SOURCES = (
    Source(name=SINGLE, family=FAMILY, questions=100, context_tokens=197_000),
    Source(name=CHAINED, family=FAMILY, questions=100, context_tokens=421_000),
    *(Source(name=name, family=FAMILY, questions=None) for name in MADE.values()),
)
