from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.retrieval import (
    average_precision,
    complete_at_k,
    longmemeval_ndcg_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    session_cutoff,
    success_at_k,
)

BY_SET = [recall_at_k, precision_at_k, success_at_k, complete_at_k, reciprocal_rank, average_precision]
Measure = Callable[..., float | None]


@pytest.mark.parametrize("measure", BY_SET)
def test_without_evidence_every_measure_is_undefined(measure: Measure) -> None:
    assert measure(["a"], set(), k=1) is None
    assert ndcg_at_k(["a"], {"a": 0}, k=1) is None


@pytest.mark.parametrize("measure", BY_SET)
def test_an_empty_recall_scores_zero_not_undefined(measure: Measure) -> None:
    assert measure([], {"a"}, k=3) == 0
    assert ndcg_at_k([], {"a": 1}, k=3) == 0


@pytest.mark.parametrize("measure", BY_SET)
def test_k_starts_at_one_even_without_evidence(measure: Measure) -> None:
    for gold in ({"a"}, set[str]()):
        with pytest.raises(ValueError, match="starts at 1"):
            measure(["a"], gold, k=0)
    with pytest.raises(ValueError, match="starts at 1"):
        ndcg_at_k(["a"], {}, k=-1)


def test_the_measures_of_one_ranking() -> None:
    """Evidence at places 2 and 4 of 4, three pieces in all; by hand."""
    ranking, gold = ["x", "a", "y", "b"], {"a", "b", "c"}
    assert recall_at_k(ranking, gold, k=4) == pytest.approx(2 / 3)
    assert precision_at_k(ranking, gold, k=4) == 0.5
    assert precision_at_k(ranking, gold, k=8) == 0.25
    assert reciprocal_rank(ranking, gold) == 0.5
    assert reciprocal_rank(ranking, gold, k=1) == 0
    assert average_precision(ranking, gold) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert (success_at_k(ranking, gold, k=4), complete_at_k(ranking, gold, k=4)) == (1, 0)
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    assert ndcg_at_k(ranking, dict.fromkeys(gold, 1)) == pytest.approx(gained / best)


def test_precision_under_a_budget_counts_the_places_that_were_filled() -> None:
    assert precision_at_k(["a", "x"], {"a"}) == 0.5
    assert precision_at_k([], {"a"}) is None


def test_an_id_that_comes_twice_takes_two_places_and_counts_once() -> None:
    assert precision_at_k(["a", "a"], {"a", "b"}, k=2) == 0.5
    assert recall_at_k(["a", "a"], {"a", "b"}, k=2) == 0.5
    assert (ndcg_at_k(["a", "a"], {"a": 1, "b": 1}, k=2) or 1) < 1


@given(st.lists(st.integers(0, 12), max_size=12), st.sets(st.integers(0, 12), min_size=1), st.integers(1, 15))
def test_measures_lie_between_zero_and_one(ranking: list[int], gold: set[int], k: int) -> None:
    for measure in BY_SET:
        value = measure(ranking, gold, k=k)
        assert value is not None
        assert 0 <= value <= 1 + 1e-12
    graded = ndcg_at_k(ranking, {found: found + 1 for found in gold}, k=k)
    assert graded is not None
    assert 0 <= graded <= 1 + 1e-12


@given(st.sets(st.integers(0, 12), min_size=1))
def test_the_evidence_alone_is_a_perfect_ranking(gold: set[int]) -> None:
    ranking = sorted(gold)
    for measure in BY_SET:
        assert measure(ranking, gold, k=len(gold)) == pytest.approx(1)


def test_longmemeval_does_not_discount_the_second_place() -> None:
    assert longmemeval_ndcg_at_k(["x", "a"], {"a"}, ["a", "x"], k=2) == 1
    assert longmemeval_ndcg_at_k(["x", "a"], set(), ["a", "x"], k=2) is None


def test_turns_are_read_until_enough_sessions_are_seen() -> None:
    assert session_cutoff(["s1", "s1", "s2"], k=2) == 3
    assert session_cutoff(["s1", "s1", "s1"], k=2) == 4
