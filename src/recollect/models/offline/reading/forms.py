"""The two arguments and the relation of a lone fact, by the form of its words, where nothing is counted.

Rule: where a sentence holds just two names (runs of capitalised words; a quoted title is one name; a function word
that opens the sentence is none), these are the arguments and all other words the relation, unless bare nouns follow
the second. Otherwise the second argument is what follows the last function word that links no names, and the first
the longest name before it, else what stands before the verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.frames import Cut
from recollect.models.offline.reading.words import Word

_QUOTED = re.compile(r'"[^"]{1,120}"|“[^”]{1,120}”')


def cut_by_names(text: str, sentence: Sequence[Word]) -> Cut | None:
    """The cut of a sentence with two names and a relation; `None` for any other."""
    runs = _with_titles(text, sentence)
    if len(runs) != 2 or runs[0][1] >= runs[1][0]:
        return None
    (start, infix), (object_start, end) = runs
    lows = tuple(w.low for w in sentence)
    frame = (lows[:start], lows[infix:object_start], lows[end:])
    said = [low for part in frame for low in part]
    if frame[2] and not any(low in lexicon.FUNCTION for low in frame[2]):
        return None
    if all(low in lexicon.FUNCTION and not lexicon.looks_like_verb(low) for low in said):
        return None
    return Cut(frame, start, infix, object_start, end)


def _with_titles(text: str, sentence: Sequence[Word]) -> list[tuple[int, int]]:
    """Names, where what stands in quotes is one."""
    titles = []
    for found in _QUOTED.finditer(text):
        inside = [i for i, w in enumerate(sentence) if found.start() <= w.start and w.end <= found.end()]
        if inside:
            titles.append((inside[0], inside[-1] + 1))
    names = [run for run in name_runs(sentence) if not any(run[0] < b and a < run[1] for a, b in titles)]
    return sorted([*names, *titles])


def cut_by_form(sentence: Sequence[Word]) -> Cut | None:
    """The cut of one sentence; `None` where no subject stands before an object."""
    object_start = after_last_function_word(sentence)
    run = _subject(sentence[:object_start])
    if run is None or not 0 < object_start < len(sentence):
        return None
    start, end = run
    lows = tuple(w.low for w in sentence)
    if end >= object_start:
        return None
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


def _subject(key: Sequence[Word]) -> tuple[int, int] | None:
    runs = [run for run in name_runs(key) if run[1] <= len(key)]
    if runs:
        return max(runs, key=lambda run: (run[1] - run[0], -run[0]))
    verb = next((i for i, w in enumerate(key) if i > 0 and lexicon.looks_like_verb(w.low)), 0)
    return (0, verb) if verb else None
