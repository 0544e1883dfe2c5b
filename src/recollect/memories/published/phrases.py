"""Names and phrases of a text, found by rules, to tie passages together in a graph without a model.

A sentence is cut at function words and at signs, as in RAKE (Rose et al. 2010); what is left are runs of content words.
A run is cut again where words with a capital letter meet words without, so that names stand alone, and names that
`of`, `de`, `van` or the like join are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recollect.text.normal import search_tokens
from recollect.text.sentences import split
from recollect.text.words import STOP_WORDS

LONGEST = 3
"""Words of a phrase without capitals; longer runs are taken word by word."""
_JOINS = frozenset({"of", "de", "van", "von", "der", "del", "da", "di", "du"})
_WORD = re.compile(r"[^\W_]+(?:['’.\-&][^\W_]+)*")
_BETWEEN = re.compile(r"[ \t]+|\.[ \t]+(?=[A-Z])")
_LEAST_DIGITS = 4
_LONGEST_KEY = 80


class Phrase(NamedTuple):
    """One run of words in a sentence."""

    key: str
    """Its stems; phrases with equal keys are the same thing."""
    text: str
    start: int
    end: int
    is_name: bool
    """All its words have a capital."""


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    rank: int
    """0: a function word, 1: a word, 2: with a capital."""


def phrases(sentence: str) -> list[Phrase]:
    """The phrases of *sentence*, in order."""
    found = []
    for run in _runs(sentence):
        start, end = run[0].start, run[-1].end
        text = sentence[start:end]
        key = key_of(text)
        if key and not (text.isdigit() and len(text) < _LEAST_DIGITS):
            found.append(Phrase(key, text, start, end, run[0].rank == 2))
    return found


def keys_of(text: str) -> list[str]:
    """The keys of all phrases of a text, each once, in the order of their first place."""
    return list(dict.fromkeys(phrase.key for sentence in split(text) for phrase in phrases(sentence)))


def key_of(text: str) -> str:
    """The key of a phrase; empty if it has no word."""
    return " ".join(search_tokens(text, stop=False))[:_LONGEST_KEY]


def unique_keys(listed: Iterable[str]) -> tuple[str, ...]:
    """The keys of *listed*, each once, without empty ones."""
    return tuple(dict.fromkeys(key for key in map(key_of, listed) if key))


def _runs(sentence: str) -> Iterator[list[_Word]]:
    """Neighbouring words of one rank with nothing but space between them; long runs without capitals word by word."""
    runs: list[list[_Word]] = []
    for word in _words(sentence):
        last = runs[-1][-1] if runs else None
        if last and last.rank == word.rank and _BETWEEN.fullmatch(sentence, last.end, word.start):
            runs[-1].append(word)
        else:
            runs.append([word])
    for run in runs:
        if run[0].rank == 1 and len(run) > LONGEST:
            yield from ([word] for word in run)
        elif run[0].rank > 0:
            yield run


def _words(sentence: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(sentence):
        is_function_word = match[0].casefold().replace("’", "'") in STOP_WORDS
        rank = 0 if is_function_word else 2 if match[0][0].isupper() else 1
        found.append(_Word(match[0], match.start(), match.end(), rank))
    for place in range(1, len(found) - 1):
        before, word, after = found[place - 1 : place + 2]
        if word.text in _JOINS and before.rank == after.rank == 2:
            found[place] = word._replace(rank=2)
    return found
