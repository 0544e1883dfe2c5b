"""Operator: all that is asked for, each once.

Rule: every statement that holds the words of the question that the best one holds gives what stands behind them, taken
apart at commas and *and*; statements that hold at least half of these give names only, if more are wanted. Equal values
count once. A list of n stops at n; they stand in the order of time, best first where the list is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.counting import alike
from recollect.models.offline.reading.evidence import Hit, rank
from recollect.models.offline.reading.pages import Page
from recollect.models.offline.reading.spans import clause, new_names
from recollect.models.offline.reading.words import content, cut, stem, words

_SPLIT = re.compile(r"\s*[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|as well as|or)\s+", re.IGNORECASE)
_LOOKED_AT, _MOST = 200, 50


def union(page: Page, asked: Asked, n: int | None = None) -> list[str]:
    """The values, each once; at most *n*."""
    asked = asked.part(lexicon.COMMANDS.sub(" ", asked.text))
    hits = rank(page, asked, limit=_LOOKED_AT)
    same = alike(hits)
    if n is None:
        same = sorted(same, key=lambda hit: (hit.statement.age, hit.statement.place))
    values = _distinct(value for hit in same for value in _values(page, asked, hit))
    wanted = n if n is not None else _MOST
    if n is not None and len(values) < n:
        values = _distinct([*values, *(name for hit in hits for name in new_names(page, asked, hit.statement))])
    return values[:wanted]


def _values(page: Page, asked: Asked, hit: Hit) -> Iterator[str]:
    """What a statement says behind the words of the question, taken apart."""
    rest = _behind_known(asked, hit) or clause(page, asked, hit.statement)
    for part in _SPLIT.split(rest):
        kept = _without_leads(part)
        if kept:
            yield kept


def _behind_known(asked: Asked, hit: Hit) -> str:
    known, found = set(asked.stems), hit.statement.sheet.words
    said = [i for i, w in enumerate(found) if stem(w.low) in known and w.low not in lexicon.FUNCTION]
    verbs = [i for i, w in enumerate(found) if w.low in lexicon.AUXILIARIES and said and i > said[0]]
    start = max([*said[-1:], *verbs[-1:]], default=-1) + 1
    behind = found[start:]
    return cut(hit.statement.text, behind) if content(behind) else ""


def _without_leads(part: str) -> str:
    found = words(part)
    start = next(
        (i for i, w in enumerate(found) if w.low not in lexicon.LEADS | lexicon.PREPOSITIONS | lexicon.OWNERS), None
    )
    return cut(part, found[start:]) if start is not None else ""


def _distinct(values: Iterator[str] | Sequence[str]) -> list[str]:
    """The first of each; two are equal where their content stems are."""
    seen: dict[tuple[str, ...], str] = {}
    for value in values:
        key = tuple(content(words(value))) or (value.casefold(),)
        seen.setdefault(key, value)
    return list(seen.values())


def listed(values: Sequence[str], *, numbered: bool) -> str:
    """Values as an answer: one a line with its number, or one after the other."""
    if numbered:
        return "\n".join(f"{place}. {value}" for place, value in enumerate(values, 1))
    return ", ".join(values)
