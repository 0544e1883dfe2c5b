"""Frames: which words of a fact say the relation, found by counting alone.

Rule: a fact reads `prefix subject infix object`, such as `The capital of | Orvalia | is | Denn`. A candidate is any
start of the sentence as prefix and any run of uncapitalised words as infix. The frame that the most different
subjects share wins, longer ones before shorter ones; subjects that swallow uncapitalised words, prefixes that
swallow names, and links without a verb lose points. Nothing about any particular relation is known beforehand.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.words import Word

_LONGEST_PREFIX, _LONGEST_INFIX = 12, 8
_POWER, _SWALLOWED, _NO_VERB, _LEAST = 0.7, 1.0, 8.0, 4.5
_LONGEST_FACT = 60

Lows = tuple[str, ...]
Frame = tuple[Lows, Lows, Lows]
"""What stands before the first argument, between the two, and behind the second."""


class Cut(NamedTuple):
    """Where a fact falls apart: words [subject, infix) are the first argument, [object, end) the second."""

    frame: Frame
    subject: int
    infix: int
    object: int
    end: int
    mark: float = 0.0
    """How clearly counting speaks for it; 0 for a cut by form."""


def cut_all(sentences: Sequence[Sequence[Word]]) -> list[Cut | None]:
    """The best cut of each sentence; `None` where no frame is shared clearly."""
    prefixes, infixes = _frequent(sentences)
    candidates = [list(_cuts(sentence, prefixes, infixes)) for sentence in sentences]
    subjects: dict[Frame, set[Lows]] = defaultdict(set)
    objects: dict[Frame, set[Lows]] = defaultdict(set)
    for sentence, cuts in zip(sentences, candidates, strict=True):
        lows = tuple(w.low for w in sentence)
        for cut in cuts:
            subjects[cut.frame].add(lows[cut.subject : cut.infix])
            objects[cut.frame].add(lows[cut.object :])
    weight = {frame: _weight(frame, len(found), len(objects[frame])) for frame, found in subjects.items()}
    return [_best(sentence, cuts, weight) for sentence, cuts in zip(sentences, candidates, strict=True)]


def _weight(frame: Frame, subjects: int, objects: int) -> float:
    if subjects < 2:
        return -math.inf
    spread = math.log(1 + min(subjects, 3 * objects)) ** _POWER
    verb = any(lexicon.looks_like_verb(low) for low in frame[1])
    return float((len(frame[0]) + len(frame[1])) * spread - (0.0 if verb else _NO_VERB))


def _best(sentence: Sequence[Word], cuts: Sequence[Cut], weight: dict[Frame, float]) -> Cut | None:
    best: tuple[float, int, int] | None = None
    chosen = None
    for cut in cuts:
        swallowed = sum(not w.capital for w in sentence[cut.subject : cut.infix])
        names = sum(w.capital for w in sentence[1 : cut.subject])
        mark = (round(weight[cut.frame] - _SWALLOWED * swallowed - names, 9), cut.subject, cut.infix)
        if mark[0] >= _LEAST and (best is None or mark > best):
            best, chosen = mark, cut._replace(mark=mark[0])
    return chosen


def _frequent(sentences: Sequence[Sequence[Word]]) -> tuple[set[Lows], set[Lows]]:
    """Prefixes with at least two continuations, infixes with at least two words on either side."""
    after: dict[Lows, set[str]] = defaultdict(set)
    left: dict[Lows, set[str]] = defaultdict(set)
    right: dict[Lows, set[str]] = defaultdict(set)
    for sentence in sentences:
        lows = tuple(w.low for w in sentence)
        for end in _prefix_ends(sentence):
            after[lows[:end]].add(lows[end])
        for start, end in _infix_places(sentence):
            left[lows[start:end]].add(lows[start - 1])
            right[lows[start:end]].add(lows[end])
    prefixes = {prefix for prefix, found in after.items() if len(found) > 1}
    return prefixes, {infix for infix, found in left.items() if len(found) > 1 and len(right[infix]) > 1}


def _prefix_ends(sentence: Sequence[Word]) -> range:
    return range(1, min(len(sentence) - 2, _LONGEST_PREFIX + 1))


def _infix_places(sentence: Sequence[Word]) -> Iterator[tuple[int, int]]:
    if len(sentence) > _LONGEST_FACT:
        return
    for start in range(1, len(sentence) - 1):
        for end in range(start + 1, min(len(sentence), start + _LONGEST_INFIX + 1)):
            if sentence[end - 1].capital:
                break
            yield start, end


def _cuts(sentence: Sequence[Word], prefixes: set[Lows], infixes: set[Lows]) -> Iterator[Cut]:
    lows = tuple(w.low for w in sentence)
    starts = [0, *(end for end in _prefix_ends(sentence) if lows[:end] in prefixes)]
    for start, end in _infix_places(sentence):
        infix = lows[start:end]
        if infix in infixes:
            yield from (Cut((lows[:p], infix, ()), p, start, end, len(sentence)) for p in starts if p < start)
