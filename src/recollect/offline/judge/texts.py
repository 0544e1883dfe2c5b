"""A text as the rules read it: words, stems, clauses, names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.offline.judge.lexicon import ALIASES, CAPITALS, CONFIRMING, CURRENCIES, KEPT, LIGHT
from recollect.text.normal import fold, stem, words
from recollect.text.words import FUNCTION_WORDS, NEGATIONS

SHORT_WORD = 4

_clause = re.compile(r"[,;:](?=\s|$)|[.!?…](?=\s|$)|\s[-–—]+\s|[()\n]|—")
_item = re.compile(r"\s*(?:[,;\n•]|\b(?:and|or|plus)\b|&)\s*(?:\b(?:and|or|also|then)\b\s*)?", re.IGNORECASE)
_times = re.compile(r"\b(?:(once)(?=\s*(?:$|[.,;]|an?\s|per\s|every\s|each\s))|(twice)|(thrice))\b", re.IGNORECASE)
_dotted = re.compile(r"\b(?:[A-Za-z]\.){2,}")
_code = re.compile(r"(?<=[A-Za-z]{2})(?=\d)")
_short = re.compile("|".join(rf"\b{re.escape(short)}(?!\w)" for short in sorted(CAPITALS, key=len, reverse=True)))
_capital = re.compile(r"[A-Z][\w'’-]*")
_IDIOMS = tuple(tuple(idiom.split()) for idiom in CONFIRMING)
_EMPTY = (FUNCTION_WORDS | LIGHT) - NEGATIONS - KEPT


@dataclass(frozen=True, slots=True)
class PreparedText:
    """One text, prepared for comparison."""

    text: str
    words: tuple[str, ...]
    """Normalised, short forms spelled out."""
    stems: tuple[str, ...]
    """Of each word, in order."""
    starts: frozenset[int]
    """Positions of words that open a clause."""
    content: tuple[str, ...]
    """Stems without function words; negations and numbers stay."""
    names: frozenset[str]
    """Stems of words that capitals mark as names."""
    items: tuple[str, ...]
    """The text cut at commas, semicolons, `and` and `or`."""

    @property
    def clause_ends(self) -> frozenset[int]:
        """Positions right behind a clause."""
        return (self.starts | {len(self.words)}) - {0}

    def clause_at(self, at: int) -> tuple[int, int]:
        """Start and end of the clause around a position."""
        start = max((begin for begin in self.starts if begin <= at), default=0)
        return start, min((stop for stop in self.clause_ends if stop > at), default=len(self.words))


@lru_cache(maxsize=8192)
def prepare(text: str) -> PreparedText:
    """The text as the rules read it: names written out, `once` and `twice` as counts, codes parted from digits."""
    spelled = _dotted.sub(lambda match: match[0].replace(".", ""), text)
    spelled = _short.sub(lambda match: CAPITALS[match[0]], spelled)
    spelled = _times.sub(lambda match: "1 time" if match[1] else "2 times" if match[2] else "3 times", spelled)
    spelled = _code.sub(" ", spelled)
    found: list[str] = []
    starts: set[int] = set()
    for clause in _clause.split(spelled):
        starts.add(len(found))
        for word in words(clause):
            found += CURRENCIES.get(word, ALIASES.get(word, word)).split()
    return PreparedText(
        text=text,
        words=tuple(found),
        stems=tuple(map(stem_of, found)),
        starts=frozenset(start for start in starts if start < len(found)),
        content=tuple(stem_of(word) for word in found if word not in _EMPTY),
        names=_names(spelled),
        items=tuple(part for part in map(str.strip, _item.split(text)) if part),
    )


def stem_of(word: str) -> str:
    """The stem; a short word keeps its last e, for Ann and Anne are two."""
    short = stem(word)
    return word if len(word) <= SHORT_WORD and short == word[:-1] and word.endswith("e") else short


def positions_of(wanted: Sequence[str], text: PreparedText) -> list[int]:
    """Where the stems *wanted* stand side by side in *text*."""
    size, first = len(wanted), tuple(wanted)
    return [at for at in range(len(text.stems) - size + 1) if size and text.stems[at : at + size] == first]


def affirmed_negators(text: PreparedText) -> frozenset[int]:
    """Positions of negators in phrases that deny nothing, such as `no doubt`."""
    found: set[int] = set()
    for idiom in _IDIOMS:
        for at in range(len(text.words) - len(idiom) + 1):
            if text.words[at : at + len(idiom)] == idiom:
                found.update(range(at, at + len(idiom)))
    return frozenset(found)


def _names(text: str) -> frozenset[str]:
    """Capitalised words; the first of a clause only where another one follows directly."""
    found: set[str] = set()
    for clause in re.split(r"[.!?](?:\s|$)", text):
        tokens = clause.split()
        capital = [bool(_capital.match(token.strip("\"'“”‘’(),;:"))) for token in tokens]
        for at, token in enumerate(tokens):
            if capital[at] and (at > 0 or capital[1:2] == [True]):
                found.update(stem_of(word) for word in words(token) if fold(word) not in FUNCTION_WORDS)
    return frozenset(found)
