"""Measures of a ranking against its evidence: recall, precision, nDCG, reciprocal rank, average precision, success.

A ranking is a sequence of ids, best first. A repeated id takes two ranks and counts once. Without evidence every
measure is undefined: `None`, since a 0 or a 1 would move the mean.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def recall_at_k(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None) -> float | None:
    """Share of the evidence among the first *k* ids.

    Args:
        retrieved: Ids, best first.
        gold: Ids of the evidence.
        k: Ranks that count, at least 1; `None` for all.

    Returns:
        A ratio in [0, 1]; `None` without evidence.

    Raises:
        ValueError: If *k* is below 1.

    Source:
        Manning, Raghavan and Schuetze (2008), chapter 8; this and the other measures of this module are checked
        against ir_measures and ranx in `tests/reference/test_metrics_parity.py`.
    """
    hits = _hits(retrieved, gold, k)
    return sum(hits) / len(gold) if gold else None


def precision_at_k(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None) -> float | None:
    """Share of evidence among the first *k* ranks; empty ranks count as misses.

    Without *k* only filled ranks count, as under a token budget: `None` if nothing was retrieved. Arguments, errors and
    source as for `recall_at_k`.
    """
    hits, ranks = sum(_hits(retrieved, gold, k)), len(retrieved) if k is None else k
    return hits / ranks if gold and ranks else None


def success_at_k(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None) -> float | None:
    """1 if any evidence is among the first *k* ids, else 0; also called hit rate or recall-any.

    Arguments, refusals and source as for `recall_at_k`.
    """
    hits = _hits(retrieved, gold, k)
    return float(any(hits)) if gold else None


def complete_at_k(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None) -> float | None:
    """1 if all evidence is among the first *k* ids, else 0; also called recall-all.

    Arguments and refusals as for `recall_at_k`.

    Source:
        LongMemEval (Wu et al. 2024), retrieval metrics.
    """
    hits = _hits(retrieved, gold, k)
    return float(sum(hits) == len(gold)) if gold else None


def reciprocal_rank(
    retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None
) -> float | None:
    """1 / rank of the first evidence; 0 if it is not among the first *k*.

    Arguments and refusals as for `recall_at_k`.

    Source:
        Voorhees (1999), TREC-8 question answering; see `recall_at_k`.
    """
    hits = _hits(retrieved, gold, k)
    return next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0) if gold else None


def average_precision(
    retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None
) -> float | None:
    """Mean over the evidence of the precision at its rank; evidence beyond *k* counts 0.

    Arguments, refusals and source as for `recall_at_k`.
    """
    hits, found, total = _hits(retrieved, gold, k), 0, 0.0
    if not gold:
        return None
    for rank, hit in enumerate(hits, 1):
        found += hit
        total += found / rank if hit else 0.0
    return total / len(gold)


def ndcg_at_k(retrieved: Sequence[Id], grades: Mapping[Id, float], *, k: int | None = None) -> float | None:
    """Discounted gain of the first *k* ids over that of the ideal ranking.

    Args:
        retrieved: Ids, best first.
        grades: Id -> grade; the gain is the grade, ids without one or with one below 0 gain nothing.
        k: Ranks that count, at least 1; `None` for all.

    Returns:
        A ratio in [0, 1]; `None` where no id has a grade above 0.

    Raises:
        ValueError: If *k* is below 1.

    Source:
        Jarvelin and Kekalainen (2002), discount log2(rank + 1) as in trec_eval; see `recall_at_k`.
    """
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    hits = _hits(retrieved, {found for found, grade in grades.items() if grade > 0}, k)
    gains = [grades[found] if hit else 0.0 for found, hit in zip(retrieved, hits, strict=False)]
    return _discounted(gains) / _discounted(best[:k]) if best else None


def _discounted(gains: Iterable[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _hits(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], k: int | None) -> list[bool]:
    """Whether each of the first *k* ids is evidence that was not seen before."""
    if k is not None and k < 1:
        raise ValueError(f"k counts ranks and starts at 1, got {k}")
    left = set(gold)
    hits = []
    for found in retrieved[:k]:
        hits.append(found in left)
        left.discard(found)
    return hits


def longmemeval_ndcg_at_k(
    retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], corpus: Sequence[Hashable], *, k: int
) -> float | None:
    """nDCG in which ranks 1 and 2 weigh the same and every occurrence of an id counts.

    Args:
        retrieved: Ids, best first; sessions come as often as they have turns.
        gold: Ids of the evidence.
        corpus: Every id that could be retrieved, as often as it could be.
        k: Ranks that count, at least 1.

    Returns:
        A ratio; `None` where the corpus holds no evidence (the reference: 0).

    Source:
        LongMemEval (Wu et al. 2024), released retrieval evaluation; checked in
        `tests/reference/test_metrics_parity.py`.
    """
    best = sum(found in gold for found in corpus)
    if not best:
        return None
    weights = [1 / max(1.0, math.log2(rank)) for rank in range(1, k + 1)]
    gained = math.fsum(w for w, found in zip(weights, retrieved, strict=False) if found in gold)
    return gained / math.fsum(weights[:best])


def session_cutoff(sessions: Sequence[Hashable], *, k: int) -> int:
    """The number of turns of a ranking that come from *k* sessions.

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
