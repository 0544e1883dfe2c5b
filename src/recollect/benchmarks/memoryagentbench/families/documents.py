"""Numbered documents, some of which answer the questions: one is enough for `ruler_qa1`, `ruler_qa2` takes two."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.families.blocks import body_of, numbered
from recollect.benchmarks.memoryagentbench.families.family import Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import fact_parts
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
from recollect.domain.outcomes import Outcome
from recollect.metrics.text_match import normalise

WORD = "Document"
texts_of = partial(blocks.texts_of, word=WORD)


def title_of(text: str) -> str:
    """The first line of a document of several lines; empty for a document of one line."""
    first, _, rest = blocks.body_of(text, WORD).partition("\n")
    return first.strip() if rest.strip() else ""


Need = tuple[str, tuple[str, ...], tuple[str, ...], str]
"""Question, accepted answers, needed documents, kind."""


class DocumentSet(NamedTuple):
    """One context, and its questions."""

    texts: list[str]
    asked: list[Asked]


def document_set(documents: Iterable[str], needs: Sequence[Need], rng: Random) -> DocumentSet:
    """Shuffle and number documents; duplicates are dropped.

    Source:
        RULER (Hsieh et al. 2024), its tasks `qa`: gold and distracting paragraphs, numbered in random order.
    """
    drawn = list(dict.fromkeys(documents))
    rng.shuffle(drawn)
    places = {document: place for place, document in enumerate(drawn)}
    words = [f" {normalise(document)} " for document in drawn]
    questions = []
    for text, gold, needed, kind in needs:
        evidence = tuple(places[document] for document in needed)
        holding = sum(f" {normalise(gold[0])} " in document for document in words)
        labels = {"kind": kind, "answer_in": str(holding), "depth": depth(evidence, len(words))}
        questions.append(Asked(text=text, gold=gold, evidence=evidence, labels=labels))
    return DocumentSet(numbered(drawn, WORD), questions)


def depth(evidence: Sequence[int], documents: int) -> str:
    """Position of the last needed document, in tenths of the context."""
    return str(10 * max(evidence) // documents)


Words = tuple[str, ...]
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
"""The suffix that tells two titles apart, such as `(film)`; a question leaves it out."""


class Library:
    """Documents by their words and titles."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.words = [tuple(normalise(body_of(text, WORD)).split()) for text in texts]
        titles = [title_of(text) for text in texts]
        self.titles = [tuple(normalise(_DISAMBIGUATION.sub("", title) or title).split()) for title in titles]
        self._holding: dict[str, set[int]] = defaultdict(set)
        self._titled: dict[Words, list[int]] = defaultdict(list)
        for place, (words, title) in enumerate(zip(self.words, self.titles, strict=True)):
            for word in words:
                self._holding[word].add(place)
            if title:
                self._titled[title].append(place)

    def holding(self, phrase: Words) -> list[int]:
        """Positions of the documents that contain *phrase* at word borders, in order."""
        if not phrase:
            return []
        rare = min((self._holding.get(word, set()) for word in phrase), key=len)
        return sorted(place for place in rare if _starts(self.words[place], phrase))

    def named_in(self, words: Words) -> list[int]:
        """Positions of the documents whose titles *words* name; of overlapping titles the longest."""
        found = [
            (len(title), start, place)
            for title, places in self._titled.items()
            for start in _starts(words, title)
            for place in places
        ]
        kept: list[tuple[int, int, int]] = []
        for size, start, place in sorted(found, reverse=True):
            end = start + size
            if not any(size < longest and first <= start and end <= first + longest for longest, first, _ in kept):
                kept.append((size, start, place))
        return sorted({place for _, _, place in kept})


def document_finder(texts: Sequence[str]) -> Finder:
    """A finder for one list of documents; a question takes two of them where most are titled, else one."""
    library = Library(texts)
    if 2 * sum(map(bool, library.titles)) > len(library.titles):
        return partial(_two, library)

    def find(asked: Asked) -> Recovered | None:
        places = {place for alias in asked.gold for place in library.holding(tuple(normalise(alias).split()))}
        return _recovered(library, tuple(places)) if len(places) == 1 else None

    return find


def _two(library: Library, asked: Asked) -> Recovered | None:
    """Both documents that the question names, or one that it names and that names the one with the answer."""
    named = library.named_in(tuple(normalise(asked.text).split()))
    answer = tuple(normalise(asked.gold[0]).split()) if asked.gold else ()
    holding = library.holding(answer)
    if len(named) == 2 and (answer in (("yes",), ("no",)) or not set(named).isdisjoint(holding)):
        return _recovered(library, tuple(named))
    links = ((first, last) for last in holding for first in named if first != last)
    pairs = {(first, last) for first, last in links if _starts(library.words[first], library.titles[last])}
    return _recovered(library, next(iter(pairs))) if len(pairs) == 1 else None


def _recovered(library: Library, places: tuple[int, ...]) -> Recovered:
    return Recovered(places, (), {"evidence": "by_rule", "depth": depth(places, len(library.words))})


def _starts(words: Words, phrase: Words) -> list[int]:
    size = len(phrase)
    return [start for start in range(len(words) - size + 1) if size and words[start : start + size] == phrase]


def score_document(scored: Scored) -> Outcome:
    """Whether an accepted answer occurs in the whole reply, or in what follows its `Answer:`."""
    parts = fact_parts(scored.reply_text, scored.accepted, ())
    return scored.outcome([part for part in parts if part.name != "stale"])


SINGLE, CHAINED = "ruler_qa1_197K", "ruler_qa2_421K"
MADE = {"single": "ruler_qa1_generated", "chained": "ruler_qa2_generated"}
MADE_CHUNK_TOKENS = 160
"""Generated documents have about 100 tokens and stay whole."""


FAMILY = Family(
    name="ruler_qa",
    split="Accurate_Retrieval",
    output_tokens=50,
    chunk_tokens=512,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    measure="substring_exact_match",
    words=lambda source: {"needed": "one document" if "_qa1_" in source.name else "two documents"},
    score=score_document,
    finder=document_finder,
)

SOURCES = (
    Source(name=SINGLE, family=FAMILY, questions=100, context_tokens=197_000),
    Source(name=CHAINED, family=FAMILY, questions=100, context_tokens=421_000),
    *(Source(name=name, family=FAMILY, questions=None) for name in MADE.values()),
)
