"""Words of a text with their places, and the stems that carry its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.text.stemmer import stem as plain_stem

_WORD = re.compile(r"['’]s\b|\d+(?:[.,:]\d+)+|[^\W_]+(?:[.\-&'’](?!s\b)[^\W_]+)*")


class Word(NamedTuple):
    """One word as written, folded, and where it stands."""

    text: str
    low: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        """Written like a name or a number."""
        return not self.text[0].islower() and self.text[0] not in "'’"


def words(text: str) -> tuple[Word, ...]:
    """All words of *text*, in order; a possessive `'s` is a word of its own."""
    return tuple(Word(m.group(), m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(text))


def stem(low: str) -> str:
    """The stem of a folded word, of an irregular form that of its base."""
    return plain_stem(lexicon.IRREGULAR.get(low, low))


def content(found: Iterable[Word]) -> tuple[str, ...]:
    """Stems of the words that are no function words, in order, repeats kept."""
    return tuple(stem(w.low) for w in found if w.low not in lexicon.FUNCTION)


def alike(one: str, other: str) -> float:
    """How far two words share a root: 1 for equal words, 0.9 for a long common beginning, else 0."""
    one, other = (lexicon.IRREGULAR.get(low, low) for low in (one, other))
    if one == other:
        return 1.0
    shared = agreed(one, other)
    return 0.9 if shared >= 4 and shared >= 0.6 * max(len(one), len(other)) else 0.0


def agreed(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the beginning that two words, or two lists of words, have in common."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def bare(lows: Sequence[str]) -> tuple[str, ...]:
    """Folded words without a leading article."""
    return tuple(lows[1:] if len(lows) > 1 and lows[0] in lexicon.ARTICLES else lows)


_ABBREVIATED = re.compile(r"(?:(?<![^\W_])[^\W\d_]\.){2,}\Z")


def tidy(text: str) -> str:
    """A piece of a sentence as an answer: no outer blanks, no closing punctuation; `D.C.` keeps its stop."""
    text = " ".join(text.split()).strip()
    while text and text[-1] in ".,;:!?" and not (_ABBREVIATED.search(text) and text[-1] == "."):
        text = text[:-1].rstrip()
    return text.strip('"“” ') if text.count('"') % 2 or text[:1] + text[-1:] == '""' else text


def cut(text: str, found: Sequence[Word]) -> str:
    """The text of neighbouring words as an answer, with the sign of a currency or the like before the first."""
    if not found:
        return ""
    start = found[0].start
    while start > 0 and text[start - 1] in "$€£¥₹#@":
        start -= 1
    return tidy(text[start : found[-1].end])
