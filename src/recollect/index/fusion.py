"""Sparse and dense rankings in one: the sum of their z-scores.

A row that only one of the two lists found gets, for the other, the lowest score of that list. It was not found there
because it scores no more than the last row that was; the mean (a z of 0) would lift it above half of the rows that
were found.

Above `LAZY_TOKENS` embedding a whole history costs more than it gives: there only the best rows of the sparse index
are embedded, at the question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

LAZY_TOKENS = 1_000_000
"""Histories longer than this are embedded lazily."""

DEPTH = 100
"""Rows of each list that take part; in the lazy way, the rows that are embedded."""

DIGITS = 6
_NO_SPREAD = 1e-9
"""Equal scores have a spread of a few last bits; dividing by it would make noise look like evidence."""

Hits = Sequence[tuple[int, float]]
Floats = NDArray[np.float32]


def is_lazy(tokens: int) -> bool:
    """Whether a history of *tokens* tokens is embedded at the question instead of when it is written."""
    return tokens > LAZY_TOKENS


def fuse(sparse: Hits, dense: Hits, limit: int) -> list[tuple[int, float]]:
    """The rows of both lists by the sum of their z-scores, best first, equal sums by row number.

    The z-scores are taken over the union of the rows; a list without spread adds nothing. The order of the two
    lists' entries does not matter.

    Raises:
        ValueError: *limit* is below 1, or a list has a row twice.
    """
    if limit < 1:
        raise ValueError(f"limit counts rows and starts at 1, got {limit}")
    lists = [_scores(sparse, "sparse"), _scores(dense, "dense")]
    rows = sorted(set().union(*lists))
    total = sum((_z_scores(rows, scores) for scores in lists), np.zeros(len(rows)))
    pairs = zip(rows, total.round(DIGITS) + 0.0, strict=True)
    return sorted(((row, float(score)) for row, score in pairs), key=lambda pair: (-pair[1], pair[0]))[:limit]


def lazy_dense(
    sparse: Hits, query: Floats, *, text_of: Callable[[int], str], embed: Callable[[Sequence[str]], Floats]
) -> list[tuple[int, float]]:
    """Cosines of *query* and the best `DEPTH` rows of *sparse*, whose texts are embedded here, as a dense list.

    Args:
        sparse: Rows with their scores, best first.
        query: The query's unit vector, shape (dimensions,).
        text_of: A row's text.
        embed: Unit vectors of texts, shape (texts, dimensions); give one that caches.
    """
    rows = [row for row, _ in sparse[:DEPTH]]
    if not rows:
        return []
    vectors = embed([text_of(row) for row in rows]).astype(np.float64)
    cosines = (vectors * query.astype(np.float64)).sum(axis=1).round(DIGITS) + 0.0
    return sorted(zip(rows, cosines.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))


def _scores(hits: Hits, name: str) -> dict[int, float]:
    scores = dict(hits)
    if len(scores) < len(hits):
        raise ValueError(f"the {name} list has a row twice")
    return scores


def _z_scores(rows: Sequence[int], scores: dict[int, float]) -> NDArray[np.float64]:
    if not scores:
        return np.zeros(len(rows))
    lowest = min(scores.values())
    values = np.array([scores.get(row, lowest) for row in rows])
    spread = values.std()
    return (values - values.mean()) / spread if spread > _NO_SPREAD else np.zeros(len(rows))
