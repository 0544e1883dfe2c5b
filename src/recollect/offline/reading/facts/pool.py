"""Numbered facts such as `17. <sentence>`, even where chunking separated number and sentence; the newest one wins."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from recollect.domain.exchange import ContextItem
from recollect.offline.reading import lexicon
from recollect.offline.reading.facts.relations import Cut, after_last_function_word, cut_all, cut_by_form, cut_by_names
from recollect.offline.reading.words import Word, alike, content, stem, tidy, words

_ROOT, _CLEAR = 4, 10.0


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact; its place in the pool is its age."""

    text: str
    words: tuple[Word, ...]

    def piece(self, start: int, end: int | None = None) -> str:
        """The text of some of its words; what follows the last word of all belongs to it."""
        if not start < (len(self.words) if end is None else end) <= len(self.words):
            return ""
        stop = None if end in (None, len(self.words)) else self.words[(end or 0) - 1].end
        return tidy(self.text[self.words[start].start : stop])


@dataclass(frozen=True, slots=True)
class Found:
    """A fact that answers."""

    text: str
    place: int
    share: float
    """Of the question's weight that the fact holds, in [0, 1]."""
    values: tuple[str, ...] = ()
    """All values of the tied facts, oldest first, each once."""


class FactPool:
    """Facts in order, oldest first, with an index of their content words."""

    def __init__(self, facts: Iterable[Numbered]) -> None:
        self.facts = tuple(Fact(f.text, words(f.text)) for f in facts)
        self._postings: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            for one in dict.fromkeys(content(fact.words)):
                self._postings[one].append(place)
        self._roots: dict[str, list[str]] = defaultdict(list)
        for one in self._postings:
            self._roots[one[:_ROOT]].append(one)

    @cached_property
    def cuts(self) -> list[Cut | None]:
        """Subject, relation and object of each fact, as far as counting can tell."""
        cuts: list[Cut | None] = []
        for counted, fact in zip(cut_all([fact.words for fact in self.facts]), self.facts, strict=True):
            clear = counted is not None and counted.mark >= _CLEAR
            by_names = None if clear else cut_by_names(fact.text, fact.words)
            cuts.append(by_names or counted or cut_by_form(fact.words))
        return cuts

    def look_up(self, question: Sequence[Word]) -> Found | None:
        """The newest of the facts that hold most of *question*; `None` where none holds a word of it."""
        wanted = {one: self._places(one) for one in dict.fromkeys(content(question))}
        weights = {one: 1 / (1 + math.log(1 + len(places))) for one, places in wanted.items()}
        scores: dict[int, float] = defaultdict(float)
        for one, places in wanted.items():
            for place in places:
                scores[place] += weights[one]
        if not scores:
            return None
        best = max(scores.values())
        tied = sorted(place for place, score in scores.items() if score >= best - 1e-9)
        start = _first_difference([self.facts[place] for place in tied])
        values = [self._value(place, start, set(wanted)) for place in tied]
        return Found(values[-1], tied[-1], min(1.0, best / sum(weights.values())), tuple(dict.fromkeys(values)))

    def _places(self, one: str) -> Sequence[int]:
        """Places of the facts with a stem, or with one of the same root where no fact has it."""
        if one in self._postings:
            return self._postings[one]
        near = [other for other in self._roots.get(one[:_ROOT], ()) if alike(one, other) > 0]
        return sorted({place for other in near for place in self._postings[other]})

    def _value(self, place: int, start: int | None, wanted: set[str]) -> str:
        fact, cut = self.facts[place], self.cuts[place]
        if start is None and cut is not None:
            for first, last in ((cut.object, cut.end), (cut.subject, cut.infix)):
                stems = content(fact.words[first:last])
                if not stems or not wanted.issuperset(stems):  # what the question itself holds is no answer to it
                    return fact.piece(first, last)
        if start is None:
            known = frozenset(w.low for w in fact.words if stem(w.low) in wanted)
            start = after_last_function_word(fact.words, known)
        return fact.piece(start) or tidy(fact.text)


def _first_difference(tied: Sequence[Fact]) -> int | None:
    """Where the tied facts part, in words, not inside a name; `None` if they never do."""
    lows = [[w.low for w in fact.words] for fact in tied]
    if len({tuple(low) for low in lows}) < 2:
        return None
    newest = tied[-1].words
    same = takewhile(lambda column: len(set(column)) == 1, zip(*lows, strict=False))
    start = min(sum(1 for _ in same), len(newest))
    while start > 0:
        word = newest[start - 1]
        linked = word.low in lexicon.NAME_LINKS and start > 1 and newest[start - 2].capital
        if not word.capital and not linked:
            break
        start -= 1
    return start if 0 < start < len(newest) else None


_SERIAL = re.compile(r"(?<!\S)(\d{1,9})[.)](?=\s|\Z)")
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])|\n")


class Numbered(NamedTuple):
    """A fact with its place in the order."""

    serial: float
    text: str
    item: int
    known: bool
    """The serial stood before it; otherwise it was inferred from its neighbours."""


def numbered(items: Sequence[ContextItem]) -> tuple[Numbered, ...]:
    """The facts of a pool of numbered facts in their order; empty if *items* are no such pool.

    They are one if most of the text, headings apart, is numbered, and a number hardly ever stands before two different
    sentences.
    """
    facts = [fact for place, item in enumerate(items) for fact in _facts_of(item.text, place)]
    known = [fact for fact in facts if fact.known]
    if not known:
        return ()
    covered = sum(len(fact.text) + len(str(int(fact.serial))) + 3 for fact in known)
    size = 0
    for item in items:  # of what stands before the first serial only the sentences count
        first = next(_marks(item.text), None)
        head = item.text[: first.start()] if first else ""
        size += len(item.text) - len(head) + sum(map(len, _sentences(head)))
    texts: dict[float, set[str]] = defaultdict(set)
    for fact in known:
        texts[fact.serial].add(fact.text)
    doubled = sum(len(different) > 1 for different in texts.values())
    if covered < 0.6 * size or doubled > 0.05 * len(texts):
        return ()
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: (fact.serial, fact.item)))


def _facts_of(text: str, place: int) -> Iterator[Numbered]:
    marks = list(_marks(text))
    if not marks:
        return
    first = int(marks[0].group(1))
    for back, sentence in enumerate(reversed(_sentences(text[: marks[0].start()]))):
        yield Numbered(first - 1 - back / 1000, sentence, place, known=False)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=True):
        body = " ".join(text[mark.end() : end].split())
        if body:
            yield Numbered(int(mark.group(1)), body, place, known=True)


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Serials at a line start or after a sentence; elsewhere only the one that is next in turn."""
    last: int | None = None
    for mark in _SERIAL.finditer(text):
        before = text[max(0, mark.start() - 4) : mark.start()].rstrip(" \t")[-1:]
        number = int(mark.group(1))
        if before in ("", "\n", ".", "!", "?", '"', "”") or (last is not None and number == last + 1):
            last = number
            yield mark


def _sentences(head: str) -> list[str]:
    """The whole sentences of what stands before the first serial; a heading is none."""
    return [part.strip() for part in _BREAK.split(head) if part.strip().endswith((".", "!", "?"))]
