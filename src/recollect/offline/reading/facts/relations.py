"""Which words of a fact name its relation and its two arguments: by counting over many facts, or by the form of one."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.words import Word

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
    weights: dict[Frame, float] = {}
    for frame, found in subjects.items():
        spread = math.log(1 + min(len(found), 3 * len(objects[frame]))) ** _POWER
        verb = any(lexicon.looks_like_verb(low) for low in frame[1])
        weight = (len(frame[0]) + len(frame[1])) * spread - (0.0 if verb else _NO_VERB)
        weights[frame] = float(weight) if len(found) > 1 else -math.inf
    return [_best(sentence, cuts, weights) for sentence, cuts in zip(sentences, candidates, strict=True)]


def _best(sentence: Sequence[Word], cuts: Sequence[Cut], weights: dict[Frame, float]) -> Cut | None:
    marked: list[Cut] = []
    for cut in cuts:
        swallowed = sum(not w.capital for w in sentence[cut.subject : cut.infix])
        names = sum(w.capital for w in sentence[1 : cut.subject])
        mark = round(weights[cut.frame] - _SWALLOWED * swallowed - names, 9)
        if mark >= _LEAST:
            marked.append(cut._replace(mark=mark))
    return max(marked, key=lambda cut: (cut.mark, cut.subject, cut.infix), default=None)


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


_QUOTED = re.compile(r'"[^"]{1,120}"|“[^”]{1,120}”')


def cut_by_names(text: str, sentence: Sequence[Word]) -> Cut | None:
    """The cut of a sentence with two names, or titles in quotes, and a relation; `None` for any other."""
    titles = []
    for quoted in _QUOTED.finditer(text):
        inside = [i for i, w in enumerate(sentence) if quoted.start() <= w.start and w.end <= quoted.end()]
        if inside:
            titles.append((inside[0], inside[-1] + 1))
    names = [run for run in name_runs(sentence) if not any(run[0] < b and a < run[1] for a, b in titles)]
    runs = sorted([*names, *titles])
    if len(runs) != 2 or runs[0][1] >= runs[1][0]:
        return None
    (start, infix), (object_start, end) = runs
    lows = tuple(w.low for w in sentence)
    frame = (lows[:start], lows[infix:object_start], lows[end:])
    if frame[2] and lexicon.FUNCTION.isdisjoint(frame[2]):
        return None
    words = [low for part in frame for low in part]
    if all(low in lexicon.FUNCTION and not lexicon.looks_like_verb(low) for low in words):
        return None
    return Cut(frame, start, infix, object_start, end)


def cut_by_form(sentence: Sequence[Word]) -> Cut | None:
    """The cut of one sentence; `None` where no subject stands before an object."""
    object_start = after_last_function_word(sentence)
    head = sentence[:object_start]
    verb = next((i for i, w in enumerate(head) if i > 0 and lexicon.looks_like_verb(w.low)), 0)
    runs = name_runs(head) or ([(0, verb)] if verb else [])
    start, end = max(runs, key=lambda run: (run[1] - run[0], -run[0]), default=(0, object_start))
    if not end < object_start < len(sentence):
        return None
    lows = tuple(w.low for w in sentence)
    return Cut((lows[:start], lows[end:object_start], ()), start, end, object_start, len(sentence))


def after_last_function_word(sentence: Sequence[Word], known: frozenset[str] = frozenset()) -> int:
    """Where the words after the last function word, or word of *known* (folded), begin; 0 if there is none."""
    places = [i for i, w in enumerate(sentence) if w.low in lexicon.FUNCTION or w.low in known]
    places = [i for i in places if not links_names(sentence, i)]
    return places[-1] + 1 if places else 0


def links_names(sentence: Sequence[Word], place: int) -> bool:
    """The word is small and stands between two capitalised ones."""
    around = sentence[max(0, place - 1) : place + 2]
    return sentence[place].low in lexicon.NAME_LINKS and len(around) == 3 and around[0].capital and around[2].capital


def name_runs(sentence: Sequence[Word]) -> list[tuple[int, int]]:
    """Runs of capitalised words, small links included; a function word at the start of the sentence is no name."""
    runs: list[tuple[int, int]] = []
    for place, word in enumerate(sentence):
        named = word.capital and not (place == 0 and word.low in lexicon.FUNCTION)
        if not (named or (runs and runs[-1][1] == place and links_names(sentence, place))):
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs
