"""Operator: name both values where sources disagree and nothing tells which one holds.

Rule: asked about a disagreement, the first two statements about the matter that differ in one value are named with
their times, whatever their order. Unasked, two values are named only where the statements hold the very same words
of the question, most of them, and were said at the same time, or at no known time by different sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.contrasts import Contrast, contrast
from recollect.models.offline.reading.evidence import Hit, rank
from recollect.models.offline.reading.pages import Page, Statement

_LEAST_SHARE = 0.6
_LOOKED_AT = 12


def disagreement(page: Page, asked: Asked) -> str | None:
    """Both values that are held about the matter; `None` where no two statements about it differ in one value."""
    about = asked.part(" ".join(w.text for w in asked.words if not lexicon.DISAGREEMENT.fullmatch(w.low)))
    hits = rank(page, about, limit=_LOOKED_AT)
    for one, other in combinations(hits, 2):
        found = contrast(one.statement.sheet, other.statement.sheet)
        if found is not None and one.held & other.held:
            return both(found, one.statement, other.statement)
    return None


def undecided(hits: Sequence[Hit]) -> str | None:
    """Both values, where the best statements differ and have no order."""
    best = hits[0]
    if best.share < _LEAST_SHARE:
        return None
    for other in hits[1:_LOOKED_AT]:
        if other.held == best.held and _unordered(best.statement, other.statement):
            found = contrast(best.statement.sheet, other.statement.sheet)
            if found is not None:
                return both(found, best.statement, other.statement)
    return None


def _unordered(one: Statement, other: Statement) -> bool:
    if one.said is None and other.said is None:
        return one.speaker != other.speaker
    return one.said is not None and other.said is not None and one.said.local == other.said.local


def both(found: Contrast, one: Statement, other: Statement) -> str:
    """The two values, the older first, each with who said it and when."""
    first, second = (found.one, one), (found.other, other)
    if (other.age, other.place) < (one.age, one.place):
        first, second = second, first
    return lexicon.BOTH.format(first=_with_source(*first), second=_with_source(*second))


def _with_source(value: str, statement: Statement) -> str:
    told = [part for part in (statement.speaker, statement.said.said if statement.said else "") if part]
    return f"{value} ({', '.join(told)})" if told else value
