"""Operator: which of the given values holds now.

Rule: a value is told by the words that not all of them share. A statement tells a value if it holds most of these,
and no other value's better; the newest statement that tells one decides. Where no words tell any and there is an
embedder, the value whose phrase lies nearest to a statement, measured against the mean of all values, decides;
newer ones count a little more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
    if place is not None or page.vectors is None or not values:
        return place
    phrases = [spoken(value) for value in values]
    hits = rank(page, asked.part(f"{asked.text} {' '.join(phrases)}"), limit=_LOOKED_AT)
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


def told(page: Page, asked: ParsedQuestion, values: Sequence[str]) -> int | None:
    """The same by words alone."""
    phrases = [spoken(value) for value in values]
    stems = [frozenset(content(words(phrase))) or frozenset(w.low for w in words(phrase)) for phrase in phrases]
    shared = frozenset.intersection(*stems) if stems else frozenset()
    weights = [page.weights(sorted(one - shared)) for one in stems]
    about = set(asked.stems)
    told_by: dict[tuple[bool, int, int], int] = {}
    for statement in page.statements:
        if statement.sheet.asks or any(w.low in lexicon.NEGATIONS for w in statement.sheet.words):
            continue
        shares = [_share(statement, of_value) for of_value in weights]
        top = max(shares, default=0.0)
        if top >= _MOST_OF and shares.count(top) == 1:
            told_by[bool(about & statement.stems), statement.age, statement.place] = shares.index(top)
    return told_by[max(told_by)] if told_by else None


def _share(statement: Statement, weights: Mapping[str, float]) -> float:
    whole = sum(weights.values())
    return round(sum(w for one, w in weights.items() if one in statement.stems) / whole, 6) if whole else 0.0
