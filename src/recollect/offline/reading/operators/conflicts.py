"""Operator: name both values where sources disagree and nothing tells which one holds.

Rule: asked about a disagreement, the first two statements about the matter that differ in one value are named with
their times, whatever their order. Unasked, two values are named only where the statements hold the very same words
of the question, most of them, and were said at the same time, or at no known time by different sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Hit, rank
from recollect.offline.reading.facts.relations import links_names
from recollect.offline.reading.pages import Page, ParsedText, Statement
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import Word, agreed, tidy

_LEAST_SHARE = 0.6
_LOOKED_AT = 12


def disagreement(page: Page, asked: ParsedQuestion) -> str | None:
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
    best, one = hits[0], hits[0].statement
    for hit in hits[1:_LOOKED_AT] if best.share >= _LEAST_SHARE else ():
        other = hit.statement
        if one.said is None and other.said is None:
            unordered = one.speaker != other.speaker
        else:
            unordered = one.said is not None and other.said is not None and one.said.local == other.said.local
        found = contrast(one.sheet, other.sheet) if unordered and hit.held == best.held else None
        if found is not None:
            return both(found, one, other)
    return None


def both(found: Contrast, one: Statement, other: Statement) -> str:
    """The two values, the older first, each with who said it and when."""
    first, second = (found.one, one), (found.other, other)
    if (other.age, other.place) < (one.age, one.place):
        first, second = second, first
    return lexicon.BOTH.format(first=_with_source(*first), second=_with_source(*second))


def _with_source(value: str, statement: Statement) -> str:
    told = [part for part in (statement.speaker, statement.said.said if statement.said else "") if part]
    return f"{value} ({', '.join(told)})" if told else value


_LONGEST = 8
_LEAST_AGREED = 2


class Contrast(NamedTuple):
    """The two values."""

    one: str
    other: str


def contrast(one: ParsedText, other: ParsedText) -> Contrast | None:
    """The values in which two statements differ; `None` where they say the same or speak of different things."""
    first, second = one.words, other.words
    lead = agreed([w.low for w in first], [w.low for w in second])
    shorter, longer = sorted((len(first), len(second)))
    trail = min(shorter - lead, agreed([w.low for w in reversed(first)], [w.low for w in reversed(second)]))
    lead = min(_before_name(first, lead), _before_name(second, lead))
    shared = lead + trail
    if shared < _LEAST_AGREED or 2 * shared < longer or longer - shared > _LONGEST:
        return None
    if lead < 3 and not any(lexicon.looks_like_verb(w.low) for w in first[:lead]):
        return None
    values = _text(one, lead, len(first) - trail), _text(other, lead, len(second) - trail)
    return Contrast(*values) if all(values) and values[0] != values[1] else None


def _before_name(found: Sequence[Word], place: int) -> int:
    """*place* moved back so that the name it stands in is not cut."""
    place = min(place, len(found))
    while 1 < place < len(found) and (found[place - 1].capital or links_names(found, place - 1)):
        place -= 1
    return place


def _text(sheet: ParsedText, start: int, end: int) -> str:
    if not start < end <= len(sheet.words):
        return ""
    return tidy(sheet.text[sheet.words[start].start : sheet.words[end - 1].end])
