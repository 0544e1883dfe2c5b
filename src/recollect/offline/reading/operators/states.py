"""Operator: which of the given values holds now.

Rule: a value is told by the words that not all of them share. A statement tells a value if it holds most of these,
and no other value's better; the newest statement that tells one decides. Where no words tell any and there is an
embedder, the value whose phrase lies nearest to a statement, measured against the mean of all values, decides;
newer ones count a little more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import rank
from recollect.offline.reading.pages import Page, Statement
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, words

_MOST_OF = 0.6
_LOOKED_AT, _NEWER, _LEAST_MARGIN = 60, 0.03, 0.04


def spoken(name: str) -> str:
    """A value or a field's name in words: `one_helper`, `oneHelper` -> `one helper`."""
    parted = re.sub(r"(?<=[a-z])[A-Z](?=[a-z])", lambda capital: f" {capital[0].lower()}", name)
    return " ".join(parted.replace("_", " ").replace("-", " ").split())


def choose(page: Page, asked: ParsedQuestion, values: Sequence[str]) -> int | None:
    """The place of the value that holds now; `None` where nothing tells any."""
    place = told(page, asked, values)
    return place if place is not None else _by_meaning(page, asked, [spoken(value) for value in values])


def told(page: Page, asked: ParsedQuestion, values: Sequence[str]) -> int | None:
    """The same by words alone."""
    phrases = [spoken(value) for value in values]
    stems = [frozenset(content(words(phrase))) or frozenset(w.low for w in words(phrase)) for phrase in phrases]
    shared = frozenset.intersection(*stems) if stems else frozenset()
    marks = [one - shared for one in stems]
    about = set(asked.stems)
    best: tuple[bool, int, int] | None = None
    chosen = None
    for statement in page.statements:
        place = _told_by(page, statement, marks)
        if place is None or statement.sheet.asks:
            continue
        key = (bool(about & statement.stems), statement.age, statement.place)
        if best is None or key > best:
            best, chosen = key, place
    return chosen


def _told_by(page: Page, statement: Statement, marks: Sequence[frozenset[str]]) -> int | None:
    """The one value that a statement tells."""
    if {w.low for w in statement.sheet.words} & lexicon.NEGATIONS:
        return None
    shares = [_share(page, statement, mark) for mark in marks]
    top = max(shares, default=0.0)
    return shares.index(top) if top >= _MOST_OF and shares.count(top) == 1 else None


def _share(page: Page, statement: Statement, mark: frozenset[str]) -> float:
    weights = page.weights(sorted(mark))
    whole = sum(weights.values())
    return round(sum(w for one, w in weights.items() if one in statement.stems) / whole, 6) if whole else 0.0


def _by_meaning(page: Page, asked: ParsedQuestion, phrases: Sequence[str]) -> int | None:
    if page.vectors is None or not phrases:
        return None
    about = asked.part(f"{asked.text} {' '.join(phrases)}")
    hits = rank(page, about, limit=_LOOKED_AT)
    statements = [hit.statement for hit in hits] or list(page.statements[-_LOOKED_AT:])
    if not statements:
        return None
    rows = [page.vectors.cosines(f"{asked.text}: {phrase}", [s.text for s in statements]) for phrase in phrases]
    newest = max(s.age for s in statements) or 1
    margins = [
        max(row[i] - sum(r[i] for r in rows) / len(rows) + _NEWER * s.age / newest for i, s in enumerate(statements))
        for row in rows
    ]
    top = max(margins)
    return margins.index(top) if top >= _LEAST_MARGIN else None
