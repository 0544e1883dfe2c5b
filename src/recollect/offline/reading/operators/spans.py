"""Operator: the words of a statement that answer an open question.

Rule: the best statement answers; of statements that hold the very same words of the question, most of them, the
newest. Statements that tie, differ in one value and have no order are both named. *Who* asks for a name, *where*
for what follows a preposition of place, a yes-or-no question whether the statement denies; anything else for the
clause that tells most that the question did not say, without what it restates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.offline.reading.facts.relations import name_runs
from recollect.offline.reading.operators.conflicts import undecided
from recollect.offline.reading.pages import Page, Statement, dates_in
from recollect.offline.reading.question import Kind, ParsedQuestion
from recollect.offline.reading.words import Word, cut, stem

_CLAUSE = re.compile(r"[,;:—–()]|\s-\s|\b(?:and|but|so|because|which|though|although|while)\b", re.IGNORECASE)
_SURE = 0.5
_TIMED = frozenset({Kind.WHEN, Kind.DURATION})


def span(page: Page, asked: ParsedQuestion) -> str | None:
    """The answer in the words of the context; `None` where no word of the question is held."""
    hits = rank(page, asked)
    if not hits:
        return None
    both = undecided(hits)
    if both is not None:
        return both
    return span_of(page, asked, newest_of_tied(hits))


def span_of(page: Page, asked: ParsedQuestion, hit: Hit) -> str:
    """The words of one statement that answer."""
    statement = hit.statement
    if asked.kind is Kind.YES_NO and asked.text == asked.question.text:
        return _yes_or_no(asked, hit)
    if asked.kind is Kind.WHO:
        return _who(page, asked, statement) or clause(page, asked, statement)
    if asked.kind is Kind.WHERE:
        return _where(asked, statement) or clause(page, asked, statement)
    return clause(page, asked, statement)


def _yes_or_no(asked: ParsedQuestion, hit: Hit) -> str:
    denied = {w.low for w in asked.words} & lexicon.NEGATIONS
    denies = {w.low for w in hit.statement.sheet.words} & lexicon.NEGATIONS
    return "yes" if bool(denied) == bool(denies) and hit.share >= _SURE else "no"


def new_names(page: Page, asked: ParsedQuestion, statement: Statement) -> list[str]:
    """The names in a statement that the question does not say."""
    found, known = statement.sheet.words, set(asked.stems)
    runs = [run for run in name_runs(found) if not any(stem(w.low) in known for w in found[slice(*run)])]
    return [statement.text[found[a].start : found[b - 1].end] for a, b in runs if _is_name(page, found, a, b)]


def _is_name(page: Page, found: Sequence[Word], start: int, end: int) -> bool:
    """A lone word that opens the sentence is a name only if it is one elsewhere."""
    return found[start].low not in lexicon.FUNCTION and (start > 0 or end > 1 or found[0].low in page.names)


def _who(page: Page, asked: ParsedQuestion, statement: Statement) -> str:
    names = new_names(page, asked, statement)
    if names:
        return names[0]
    said = statement.speaker
    return said if said and not any(stem(part.casefold()) in asked.stems for part in said.split()) else ""


def _where(asked: ParsedQuestion, statement: Statement) -> str:
    found = statement.sheet.words
    known = set(asked.stems)
    for place, word in enumerate(found[:-1]):
        rest = _until_clause_ends(statement, place + 1)
        if word.low in lexicon.PLACED and rest and not all(stem(w.low) in known for w in rest) and _is_place(rest):
            return cut(statement.text, rest)
    return ""


def _is_place(rest: Sequence[Word]) -> bool:
    """A name, or a noun with its article; no number and no time."""
    return not rest[0].text[0].isdigit() and not any(w.low.removesuffix("s") in lexicon.TIME_UNITS for w in rest[:3])


def _until_clause_ends(statement: Statement, start: int) -> list[Word]:
    """Words from one on, up to punctuation or the next preposition that opens another phrase."""
    rest: list[Word] = []
    for one, following in pairwise([*statement.sheet.words[start:], None]):
        if one is None:
            break
        rest.append(one)
        gap = statement.text[one.end : following.start] if following is not None else "."
        if gap.strip() or following is None or following.low in lexicon.BREAKS:
            break
    return rest


def clause(page: Page, asked: ParsedQuestion, statement: Statement) -> str:
    """The clause that tells most beyond the question, less what it restates."""
    known = set(asked.stems)
    times = () if asked.kind in _TIMED else tuple(dates_in(statement.text, statement.said))
    told = [w for w in statement.sheet.words if not any(m.start <= w.start < m.end for m in times)]
    parts = [part for part in _parts(statement.text, told or statement.sheet.words) if part]
    best = max(parts, key=lambda part: (round(_news(page, part, known), 6), -part[0].start))
    kept = _without_restated(page, best, known)
    if asked.kind is Kind.WHAT:
        kept = _without_preposition(kept)
    return cut(statement.text, kept)


def _parts(text: str, told: Sequence[Word]) -> list[list[Word]]:
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    return [[w for w in told if a <= w.start < b] for a, b in pairwise(cuts)]


def _news(page: Page, part: Sequence[Word], known: set[str]) -> float:
    """Weight of what a clause says beyond the question, by its length, and of what ties it to the question."""
    stems = {stem(w.low) for w in part if w.low not in lexicon.FUNCTION}
    return _weight(page, stems - known) / math.sqrt(len(part) + 2) + _weight(page, stems & known)


def _weight(page: Page, stems: set[str]) -> float:
    return math.fsum(page.weight(one) for one in sorted(stems))


def _without_restated(page: Page, part: Sequence[Word], known: set[str]) -> Sequence[Word]:
    """The stretch between restated words that tells most, the last of equals, without function words at its ends."""
    borders = [-1, *(i for i, w in enumerate(part) if _restates(w, known)), len(part)]
    stretches = [_trimmed(part[a + 1 : b]) for a, b in pairwise(borders)]
    told = [stretch for stretch in stretches if stretch]
    if not told:
        return part
    return max(told, key=lambda one: (round(_weight(page, {stem(w.low) for w in one}), 6), one[0].start))


def _without_preposition(stretch: Sequence[Word]) -> Sequence[Word]:
    start = next((i for i, w in enumerate(stretch) if w.low not in lexicon.PREPOSITIONS | lexicon.LEADS), 0)
    return stretch[start:]


def _restates(word: Word, known: set[str]) -> bool:
    return stem(word.low) in known and word.low not in lexicon.FUNCTION


def _trimmed(stretch: Sequence[Word]) -> Sequence[Word]:
    start = next((i for i, w in enumerate(stretch) if w.low not in lexicon.LEADS | lexicon.OWNERS), len(stretch))
    end = len(stretch)
    while end > start and stretch[end - 1].low in lexicon.FUNCTION:
        end -= 1
    return stretch[start:end]
