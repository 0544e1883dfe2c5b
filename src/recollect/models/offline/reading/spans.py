"""Operator: the words of a statement that answer an open question.

Rule: the best statement answers; of statements that hold the very same words of the question, most of them, the newest.
Statements that tie, differ in one value and have no order are both named. *Who* asks for a name, *where* for what follows a
preposition of place, a yes-or-no question whether the statement denies; anything else for the clause that tells most that
the question did not say, without what it restates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.asking import Asked, Kind
from recollect.models.offline.reading.conflicts import undecided
from recollect.models.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.models.offline.reading.forms import name_runs
from recollect.models.offline.reading.pages import Page, Statement
from recollect.models.offline.reading.words import Word, stem, tidy

_CLAUSE = re.compile(r"[,;:—–()]|\s-\s|\b(?:and|but|so|because|which|though|although|while)\b", re.IGNORECASE)
_SURE = 0.5


def span(page: Page, asked: Asked) -> str | None:
    """The answer in the words of the context; `None` where no word of the question is held."""
    hits = rank(page, asked)
    if not hits:
        return None
    both = undecided(hits)
    if both is not None:
        return both
    return span_of(page, asked, newest_of_tied(hits))


def span_of(page: Page, asked: Asked, hit: Hit) -> str:
    """The words of one statement that answer."""
    statement = hit.statement
    if asked.kind is Kind.YES_NO and asked.text == asked.question.text:
        return _yes_or_no(asked, hit)
    if asked.kind is Kind.WHO:
        return _who(asked, statement) or clause(page, asked, statement)
    if asked.kind is Kind.WHERE:
        return _where(asked, statement) or clause(page, asked, statement)
    return clause(page, asked, statement)


def _yes_or_no(asked: Asked, hit: Hit) -> str:
    denied = {w.low for w in asked.words} & lexicon.NEGATIONS
    denies = {w.low for w in hit.statement.sheet.words} & lexicon.NEGATIONS
    return "yes" if bool(denied) == bool(denies) and hit.share >= _SURE else "no"


def _new_names(asked: Asked, statement: Statement) -> list[str]:
    found, known = statement.sheet.words, set(asked.stems)
    runs = [(a, b) for a, b in name_runs(found) if not any(stem(w.low) in known for w in found[a:b])]
    return [statement.text[found[a].start : found[b - 1].end] for a, b in runs if found[a].low not in lexicon.FUNCTION]


def _who(asked: Asked, statement: Statement) -> str:
    names = _new_names(asked, statement)
    if names:
        return names[0]
    said = statement.speaker
    return said if said and not any(stem(part.casefold()) in asked.stems for part in said.split()) else ""


def _where(asked: Asked, statement: Statement) -> str:
    found = statement.sheet.words
    known = set(asked.stems)
    for place, word in enumerate(found[:-1]):
        rest = _until_clause_ends(statement, place + 1)
        if word.low in lexicon.PLACED and rest and not all(stem(w.low) in known for w in rest) and _is_place(rest):
            return tidy(statement.text[rest[0].start : rest[-1].end])
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


def clause(page: Page, asked: Asked, statement: Statement) -> str:
    """The clause that tells most beyond the question, less its restated start."""
    parts = [part for part in _parts(statement) if part]
    known = set(asked.stems)
    if not parts:
        return tidy(statement.text)
    best = max(parts, key=lambda part: (round(_news(page, part, known), 6), -part[0].start))
    kept = _without_restated(best, known)
    return tidy(statement.text[kept[0].start : kept[-1].end])


def _parts(statement: Statement) -> list[list[Word]]:
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(statement.text)), len(statement.text)]
    return [[w for w in statement.sheet.words if a <= w.start < b] for a, b in pairwise(cuts)]


def _news(page: Page, part: Sequence[Word], known: set[str]) -> float:
    new = {stem(w.low) for w in part if w.low not in lexicon.FUNCTION} - known
    old = {stem(w.low) for w in part} & known
    return sum(page.weight(one) for one in sorted(new)) / (len(part) + 2) ** 0.5 + sum(page.weight(one) for one in sorted(old))


def _without_restated(part: Sequence[Word], known: set[str]) -> Sequence[Word]:
    """Words after the last one that the question said, if content follows; no function word in front."""
    said = [i for i, w in enumerate(part) if stem(w.low) in known and w.low not in lexicon.FUNCTION]
    rest = part[said[-1] + 1 :] if said else part
    if not any(w.low not in lexicon.FUNCTION for w in rest):
        rest = part[: said[0]] if said and any(w.low not in lexicon.FUNCTION for w in part[: said[0]]) else part
    start = next((i for i, w in enumerate(rest) if w.low not in lexicon.LEADS), 0)
    return rest[start:] or part
