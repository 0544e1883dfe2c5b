"""Operator: look one fact up among numbered facts; the newest wins.

Rule: a fact scores the weighted share of the question's content words that it holds, rare words weighing more (1 /
(1 + ln(1 + df))). All facts tied with the best say the same thing at different times: the last in order is true.
The answer is what stands after the words that the tied facts have in common, moved back so that no name is cut in
two; where there is no rival, the object of the fact's frame, or what follows its last function or question word.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.forms import after_last_function_word, cut_by_form, cut_by_names
from recollect.models.offline.reading.frames import Cut, cut_all
from recollect.models.offline.reading.serials import Numbered
from recollect.models.offline.reading.words import Word, alike, content, stem, tidy, words

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
        by_count = cut_all([fact.words for fact in self.facts])
        return [_surest(cut, fact) for cut, fact in zip(by_count, self.facts, strict=True)]

    def look_up(self, question: Sequence[Word]) -> Found | None:
        """The newest of the facts that hold most of *question*; `None` where none holds a word of it."""
        wanted = {one: self._holders(one) for one in dict.fromkeys(content(question))}
        weights = {one: 1 / (1 + math.log(1 + len(places))) for one, places in wanted.items()}
        scores: dict[int, float] = defaultdict(float)
        for one, places in wanted.items():
            for place in places:
                scores[place] += weights[one]
        if not scores:
            return None
        best = max(scores.values())
        tied = sorted(place for place, score in scores.items() if score >= best - 1e-9)
        return self._found(tied, set(wanted), min(1.0, best / sum(weights.values())))

    def _holders(self, one: str) -> Sequence[int]:
        """Places of the facts with a stem, or with one of the same root where no fact has it."""
        if one in self._postings:
            return self._postings[one]
        near = [other for other in self._roots.get(one[:_ROOT], ()) if alike(one, other) > 0]
        return sorted({place for other in near for place in self._postings[other]})

    def _found(self, tied: Sequence[int], wanted: set[str], share: float) -> Found:
        start = _first_difference([self.facts[place] for place in tied])
        values = [self._value(place, start, wanted) for place in tied]
        return Found(values[-1], tied[-1], share, tuple(dict.fromkeys(values)))

    def _value(self, place: int, start: int | None, wanted: set[str]) -> str:
        fact, cut = self.facts[place], self.cuts[place]
        if start is None and cut is not None:
            for first, last in ((cut.object, cut.end), (cut.subject, cut.infix)):
                if not _asked_for(fact.words[first:last], wanted):
                    return fact.piece(first, last)
        if start is None:
            known = frozenset(w.low for w in fact.words if stem(w.low) in wanted)
            start = after_last_function_word(fact.words, known)
        return fact.piece(start) or tidy(fact.text)


def _surest(counted: Cut | None, fact: Fact) -> Cut | None:
    """A cut that many facts share, else one at the names, else one that few share, else one by form."""
    if counted is not None and counted.mark >= _CLEAR:
        return counted
    return cut_by_names(fact.text, fact.words) or counted or cut_by_form(fact.words)


def _asked_for(span: Sequence[Word], wanted: set[str]) -> bool:
    """The question itself holds all of the span, which is thus no answer to it."""
    held = content(span)
    return bool(held) and all(one in wanted for one in held)


def _first_difference(tied: Sequence[Fact]) -> int | None:
    """Where the tied facts part, in words; `None` if they never do."""
    lows = [[w.low for w in fact.words] for fact in tied]
    if len({tuple(low) for low in lows}) < 2:
        return None
    start = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*lows, strict=False)))
    newest = tied[-1].words
    start = min(start, len(newest))
    while start > 0 and _inside_name(newest, start - 1):
        start -= 1
    return start if 0 < start < len(newest) else None


def _inside_name(found: Sequence[Word], place: int) -> bool:
    """The word is capitalised, or links two capitalised ones."""
    if found[place].capital:
        return True
    return found[place].low in lexicon.NAME_LINKS and place > 0 and found[place - 1].capital
