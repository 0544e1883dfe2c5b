"""Which documents a published question needs, worked out from them alone.

One document: the only one that holds an accepted answer. Two documents: those whose titles the question names, where
these are two and one holds the answer, or it is yes or no; else the one that holds the answer, and the one that the
question names and that names it. Where more than one reading is left, there is none. On real questions whose evidence
is known, all single documents found so were right, and nine in ten pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from recollect.benchmarks.memoryagentbench.document_sets import depth
from recollect.benchmarks.memoryagentbench.families.blocks import body_of
from recollect.benchmarks.memoryagentbench.families.documents import WORD, title_of
from recollect.benchmarks.memoryagentbench.family import Asked, Finder, Recovered
from recollect.metrics.text_match import normalise

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
