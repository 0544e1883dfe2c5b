"""How well a ranking finds the evidence: recall, precision, nDCG, reciprocal rank, average precision, success.

A ranking is a sequence of ids, best first. An id that comes twice takes two places and counts once. Where there
is no evidence every measure is undefined: `None`, for a 0 or a 1 would move the mean.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def recall_at_k(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None) -> float | None:
    """Share of the evidence among the first *k* ids.

    Args:
        retrieved: Ids, best first.
        gold: Ids of the evidence.
        k: Places that count, at least 1; `None` for all.

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
    """Share of evidence among the first *k* places; places that stay empty count against it.

    Args:
        retrieved: Ids, best first.
        gold: Ids of the evidence.
        k: Places, at least 1; `None` for as many as were filled, as under a token budget.

    Returns:
        A ratio in [0, 1]; `None` without evidence, or without *k* when nothing was retrieved.

    Raises:
        ValueError: If *k* is below 1.

    Source:
        As `recall_at_k`.
    """
    hits, places = sum(_hits(retrieved, gold, k)), len(retrieved) if k is None else k
    return hits / places if gold and places else None


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
    """1 / place of the first evidence; 0 if it is not among the first *k*.

    Arguments and refusals as for `recall_at_k`.

    Source:
        Voorhees (1999), TREC-8 question answering; see `recall_at_k`.
    """
    hits = _hits(retrieved, gold, k)
    return next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0) if gold else None


def average_precision(
    retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], *, k: int | None = None
) -> float | None:
    """Mean over the evidence of the precision at its place; evidence beyond *k* counts 0.

    Arguments, refusals and source as for `recall_at_k`.
    """
    hits, found, total = _hits(retrieved, gold, k), 0, 0.0
    if not gold:
        return None
    for place, hit in enumerate(hits, 1):
        found += hit
        total += found / place if hit else 0.0
    return total / len(gold)


def ndcg_at_k(retrieved: Sequence[Id], grades: Mapping[Id, float], *, k: int | None = None) -> float | None:
    """Discounted gain of the first *k* ids over that of the best possible ranking.

    Args:
        retrieved: Ids, best first.
        grades: Id -> grade; the gain is the grade, ids without one or with one below 0 gain nothing.
        k: Places that count, at least 1; `None` for all.

    Returns:
        A ratio in [0, 1]; `None` where no id has a grade above 0.

    Raises:
        ValueError: If *k* is below 1.

    Source:
        Jarvelin and Kekalainen (2002), discount log2(place + 1) as in trec_eval; see `recall_at_k`.
    """
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    gains = (max(0.0, grades.get(found, 0.0)) if new else 0.0 for found, new in _places(retrieved, k))
    if not best:
        return None
    return _discounted(gains) / _discounted(iter(best[:k]))


def _discounted(gains: Iterator[float]) -> float:
    return math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


def _hits(retrieved: Sequence[Hashable], gold: AbstractSet[Hashable], k: int | None) -> Iterator[bool]:
    return (new and found in gold for found, new in _places(retrieved, k))


def _places(retrieved: Sequence[Id], k: int | None) -> Iterator[tuple[Id, bool]]:
    """The first *k* ids, each with whether it comes for the first time; a bad *k* is refused at once."""
    if k is not None and k < 1:
        raise ValueError(f"k counts places and starts at 1, got {k}")
    return _with_novelty(islice(retrieved, k))


def _with_novelty(retrieved: Iterator[Id]) -> Iterator[tuple[Id, bool]]:
    seen: set[Id] = set()
    for found in retrieved:
        yield found, found not in seen
        seen.add(found)


def rank_by_score(scores: Mapping[str, float]) -> list[str]:
    """Ids from the highest score to the lowest; equal scores are ordered by id."""
    return sorted(scores, key=lambda found: (-scores[found], found))


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
