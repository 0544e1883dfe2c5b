"""Operator: an extractive summary.

Rule: sentences are taken, until the budget is spent, by how much weight of the context's frequent words they add
that is not yet covered, by the square root of their length; words that the question names weigh more. They stand in
the order of the context.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping

from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.pages import Page, Statement
from recollect.text.tokens import count

_DEFAULT_TOKENS = 400
_ASKED_FOR = 2.0
_SHORTEST, _LONGEST = 5, 80


def summary(page: Page, asked: Asked, limit: int | None) -> str:
    """The sentences that cover most; empty where there are none."""
    weights = _weights(page, asked)
    taken = _cover(page, weights, limit or _DEFAULT_TOKENS)
    return " ".join(" ".join(statement.text.split()) for statement in sorted(taken, key=lambda s: (s.age, s.place)))


def _weights(page: Page, asked: Asked) -> Mapping[str, float]:
    frequency = Counter(one for statement in page.statements for one in statement.sheet.stems)
    boosted = set(asked.stems)
    return {
        one: math.log(1 + n) * (_ASKED_FOR if one in boosted else 1.0) for one, n in frequency.items() if n > 1
    } or dict.fromkeys(frequency, 1.0)


def _gain(statement: Statement, weights: Mapping[str, float], covered: set[str]) -> float:
    new = sorted(statement.sheet.stems - covered)
    return round(sum(weights.get(one, 0.0) for one in new) / math.sqrt(len(statement.sheet.words)), 6)


def _cover(page: Page, weights: Mapping[str, float], limit: int) -> list[Statement]:
    """Greedy, lazily: a gain only ever falls, so the top of the heap is looked at again before it is taken."""
    fitting = [s for s in page.statements if _SHORTEST <= len(s.sheet.words) <= _LONGEST and not s.sheet.asks]
    heap = [(-_gain(s, weights, set()), s.place) for s in fitting or page.statements]
    heapq.heapify(heap)
    taken: list[Statement] = []
    covered: set[str] = set()
    room = limit
    while heap and room > 0:
        old, place = heapq.heappop(heap)
        statement = page.statements[place]
        gain = _gain(statement, weights, covered)
        if gain <= 0:
            continue
        if -gain > old and heap and (-gain, place) > heap[0]:
            heapq.heappush(heap, (-gain, place))
            continue
        cost = count(" ".join(statement.text.split())) + 1
        if cost <= room:
            taken.append(statement)
            covered |= statement.sheet.stems
            room -= cost
    return taken
