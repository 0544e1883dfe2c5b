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
    """The answer in the words of the context; `None` where no word of the question is in it."""
    hits = rank(page, asked)
    return (undecided(hits) or span_of(page, asked, newest_of_tied(hits))) if hits else None


def span_of(page: Page, asked: ParsedQuestion, hit: Hit) -> str:
    """The words of one statement that answer."""
    statement, found = hit.statement, ""
    if asked.kind is Kind.YES_NO and asked.text == asked.question.text:
        denied = any(w.low in lexicon.NEGATIONS for w in asked.words)
        denies = any(w.low in lexicon.NEGATIONS for w in statement.sheet.words)
        return "yes" if denied == denies and hit.share >= _SURE else "no"
    if asked.kind is Kind.WHO:
        speaker = statement.speaker
        told = any(stem(part.casefold()) in asked.stems for part in speaker.split())
        found = next(iter(new_names(page, asked, statement)), "" if told else speaker)
    if asked.kind is Kind.WHERE:
        found = _where(asked, statement)
    return found or clause(page, asked, statement)


def new_names(page: Page, asked: ParsedQuestion, statement: Statement) -> list[str]:
    """The names in a statement that the question does not say.

    A lone word that opens the sentence is a name only if it is one elsewhere.
    """
    words, known, names = statement.sheet.words, set(asked.stems), list[str]()
    for start, end in name_runs(words):
        is_name = words[start].low not in lexicon.FUNCTION and (start > 0 or end > 1 or words[0].low in page.names)
        if is_name and not any(stem(w.low) in known for w in words[start:end]):
            names.append(statement.text[words[start].start : words[end - 1].end])
    return names


def _where(asked: ParsedQuestion, statement: Statement) -> str:
    """What follows a preposition of place: a name, or a noun with its article; no number and no time."""
    words, known = statement.sheet.words, set(asked.stems)
    for place, word in enumerate(words[:-1]):
        if word.low not in lexicon.PLACED:
            continue
        rest = _until_clause_ends(statement, place + 1)
        timed = any(w.low.removesuffix("s") in lexicon.TIME_UNITS for w in rest[:3])
        if not timed and not rest[0].text[0].isdigit() and not all(stem(w.low) in known for w in rest):
            return cut(statement.text, rest)
    return ""


def _until_clause_ends(statement: Statement, start: int) -> list[Word]:
    """Words from one on, up to punctuation or the next preposition that opens another phrase."""
    words = statement.sheet.words
    for place in range(start, len(words) - 1):
        word, following = words[place], words[place + 1]
        if statement.text[word.end : following.start].strip() or following.low in lexicon.BREAKS:
            return list(words[start : place + 1])
    return list(words[start:])


def clause(page: Page, asked: ParsedQuestion, statement: Statement) -> str:
    """The clause that tells most beyond the question, less what it restates."""
    known, text = set(asked.stems), statement.text
    times = () if asked.kind in _TIMED else tuple(dates_in(text, statement.said))
    untimed = [w for w in statement.sheet.words if not any(m.start <= w.start < m.end for m in times)]
    borders = [0, *(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    parts = [[w for w in untimed or statement.sheet.words if a <= w.start < b] for a, b in pairwise(borders)]
    best = max(filter(None, parts), key=lambda part: (round(_news(page, part, known), 6), -part[0].start))
    kept = _without_restated(page, best, known)
    if asked.kind is Kind.WHAT:
        openings = lexicon.PREPOSITIONS | lexicon.LEADS
        kept = kept[next((i for i, w in enumerate(kept) if w.low not in openings), 0) :]
    return cut(text, kept)


def _news(page: Page, part: Sequence[Word], known: set[str]) -> float:
    """Weight of what a clause says beyond the question, by its length, and of what ties it to the question."""
    stems = {stem(w.low) for w in part if w.low not in lexicon.FUNCTION}
    return _weight(page, stems - known) / math.sqrt(len(part) + 2) + _weight(page, stems & known)


def _weight(page: Page, stems: set[str]) -> float:
    return math.fsum(page.weight(one) for one in sorted(stems))


def _without_restated(page: Page, part: Sequence[Word], known: set[str]) -> Sequence[Word]:
    """The stretch between restated words that tells most, the last of equals, without function words at its ends."""
    restated = (i for i, w in enumerate(part) if stem(w.low) in known and w.low not in lexicon.FUNCTION)
    stretches: list[Sequence[Word]] = []
    for before, behind in pairwise([-1, *restated, len(part)]):
        start, end = before + 1, behind
        while start < end and part[start].low in lexicon.LEADS | lexicon.OWNERS:
            start += 1
        while end > start and part[end - 1].low in lexicon.FUNCTION:
            end -= 1
        if start < end:
            stretches.append(part[start:end])
    return max(
        stretches, key=lambda one: (round(_weight(page, {stem(w.low) for w in one}), 6), one[0].start), default=part
    )
