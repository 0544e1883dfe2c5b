"""Which statements speak of what is asked.

Rule: a statement scores the rarity-weighted content words of the question that it holds, half as much for those
that the rest of its item holds, a quarter for those of the item before (an answer often follows its question). With
an embedder the hundred best get their cosine added, both as z-scores. Ties go to the newer statement, then to the
earlier place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.pages import Page, Statement

_ITEM, _BEFORE = 0.5, 0.25
_DENSE = 100
_NO_QUESTIONS = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """A statement that may answer."""

    statement: Statement
    score: float
    share: float
    """Of the question's weight that the statement itself holds, in [0, 1]."""
    held: frozenset[str]
    """The question's stems that the statement itself holds."""


def rank(page: Page, asked: Asked, *, limit: int = 20) -> list[Hit]:
    """The statements that may answer, best first; empty where nothing of the question is held."""
    weights = page.weights(asked.stems)
    items = page.item_scores(weights)
    hits = [_hit(statement, weights, items) for statement in page.statements if _may_count(statement, items)]
    best = sorted((h for h in hits if h.score > 0), key=_order)[: max(limit, _DENSE)]
    if page.vectors is not None and best:
        best = sorted(_with_cosines(page, asked, best), key=_order)
    return best[:limit]


def _order(hit: Hit) -> tuple[float, int, int]:
    return (-hit.score, -hit.statement.age, hit.statement.place)


def _may_count(statement: Statement, items: Mapping[int, float]) -> bool:
    return statement.item in items or statement.item - 1 in items


def _hit(statement: Statement, weights: Mapping[str, float], items: Mapping[int, float]) -> Hit:
    held = frozenset(one for one in weights if one in statement.stems)
    own = sum(weights[one] for one in sorted(held))
    rest = items.get(statement.item, 0.0) - own
    score = own + _ITEM * rest + _BEFORE * items.get(statement.item - 1, 0.0)
    if statement.sheet.asks:
        score *= _NO_QUESTIONS
    total = sum(weights.values())
    return Hit(statement, round(score, 6), min(1.0, own / total) if total else 0.0, held)


def _with_cosines(page: Page, asked: Asked, hits: Sequence[Hit]) -> list[Hit]:
    if page.vectors is None:
        return list(hits)
    cosines = page.vectors.cosines(asked.text, [_said(hit.statement) for hit in hits])
    scores = [
        lexical + dense for lexical, dense in zip(z_scores([hit.score for hit in hits]), z_scores(cosines), strict=True)
    ]
    return [Hit(hit.statement, round(score, 6), hit.share, hit.held) for hit, score in zip(hits, scores, strict=True)]


def _said(statement: Statement) -> str:
    return f"{statement.speaker}: {statement.text}" if statement.speaker else statement.text


def z_scores(values: Sequence[float]) -> list[float]:
    """Values less their mean, in standard deviations; zeros where they are all the same."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / spread if spread > 1e-12 else 0.0 for value in values]


def newest_of_tied(hits: Sequence[Hit], *, least: float = 0.6) -> Hit:
    """The best hit, or the newest of those that hold the very same words of the question, if these are most of it."""
    best = hits[0]
    if best.share < least:
        return best
    tied = [hit for hit in hits if hit.held == best.held and not hit.statement.sheet.asks]
    return max(tied, key=lambda hit: (hit.statement.age, hit.statement.place), default=best)
