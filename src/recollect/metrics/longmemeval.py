"""LongMemEval's own retrieval figures, kept apart since they differ from the measures of their names.

Its nDCG does not discount the second place, and its sessions are found by reading on in a ranking of turns
until enough sessions are seen.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet


def longmemeval_ndcg_at_k(
    retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], corpus: Sequence[Hashable], *, k: int
) -> float | None:
    """nDCG in which places 1 and 2 weigh the same and every occurrence of an id counts.

    Args:
        retrieved: Ids, best first; sessions come as often as they have turns.
        gold: Ids of the evidence.
        corpus: Every id that could be retrieved, as often as it could be.
        k: Places that count, at least 1.

    Returns:
        A ratio; `None` where the corpus holds no evidence (the reference: 0).

    Source:
        LongMemEval (Wu et al. 2024), released retrieval evaluation; checked in
        `tests/reference/test_metrics_parity.py`.
    """
    best = sum(found in gold for found in corpus)
    if not best:
        return None
    weights = [1 / max(1.0, math.log2(place)) for place in range(1, k + 1)]
    gained = math.fsum(w for w, found in zip(weights, retrieved, strict=False) if found in gold)
    return gained / math.fsum(weights[:best])


def session_cutoff(sessions: Sequence[Hashable], *, k: int) -> int:
    """How many turns of a ranking to read until they come from *k* sessions.

    Args:
        sessions: Session of each turn, best turn first.
        k: Sessions wanted, at least 1.

    Returns:
        At least *k*; one more than there are turns if they come from fewer sessions.

    Source:
        As `longmemeval_ndcg_at_k`.
    """
    cutoff = k
    while cutoff <= len(sessions) and len(set(sessions[:cutoff])) < k:
        cutoff += 1
    return cutoff
