"""Sparse and dense rankings in one: the sum of their z-scores.

A row that only one of the two lists found gets, for the other, the lowest score of that list. It was not found there
because it scores no more than the last row that was; the mean (a z of 0) would lift it above half of the rows that
were found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

DEPTH = 100
"""Rows of each list that take part."""

DIGITS = 6
_NO_SPREAD = 1e-9
"""Equal scores have a spread of a few last bits; dividing by it would make noise look like evidence."""

Hits = Sequence[tuple[int, float]]


def fuse(sparse: Hits, dense: Hits, limit: int) -> list[tuple[int, float]]:
    """The rows of both lists by the sum of their z-scores, best first, equal sums by row number.

    The z-scores are taken over the union of the rows; a list without spread adds nothing. The order of the two
    lists' entries does not matter.

    Raises:
        ValueError: *limit* is below 1, or a list has a row twice.
    """
    if limit < 1:
        raise ValueError(f"limit counts rows and starts at 1, got {limit}")
    lists = [dict(sparse), dict(dense)]
    for name, hits, scores in zip(("sparse", "dense"), (sparse, dense), lists, strict=True):
        if len(scores) < len(hits):
            raise ValueError(f"the {name} list has a row twice")
    rows = sorted(set().union(*lists))
    total = np.zeros(len(rows))
    for scores in lists:
        lowest = min(scores.values(), default=0.0)
        values = np.array([scores.get(row, lowest) for row in rows])
        if scores and values.std() > _NO_SPREAD:
            total += (values - values.mean()) / values.std()
    pairs = zip(rows, total.round(DIGITS) + 0.0, strict=True)
    return sorted(((row, float(score)) for row, score in pairs), key=lambda pair: (-pair[1], pair[0]))[:limit]
