"""Phrases, near pairs, groups, walks and ranks: the parts of which the `-like` memories are made."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.memories.published.fact_graph import Network, pagerank
from recollect.memories.published.neighbours import near_pairs
from recollect.memories.published.passage_graph import PassageGraph, Ties
from recollect.memories.published.phrases import phrases
from recollect.memories.published.tree import group

Floats = NDArray[np.float32]


def unit(rows: NDArray[np.float64]) -> Floats:
    found: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def drawn(rows: int, dimensions: int = 16, seed: int = 3) -> Floats:
    return unit(np.random.default_rng(seed).normal(size=(rows, dimensions)))


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The author of Our Mutual Friend is Charles Dickens.", ["author", "Mutual Friend", "Charles Dickens"]),
        ("She works for the Bank of England in York.", ["works", "Bank of England", "York"]),
        ("I adopted a grey cat called Pebble.", ["adopted", "grey cat called", "Pebble"]),
        ("red green blue white black", ["red", "green", "blue", "white", "black"]),
        ("In 1904, room 12 was empty.", ["1904", "room 12", "empty"]),
        ("Is it so?", []),
    ],
)
def test_a_sentence_falls_into_names_and_phrases(sentence: str, found: list[str]) -> None:
    """Function words and signs part them; numbers of less than four digits say too little."""
    assert [phrase.text for phrase in phrases(sentence)] == found


def test_near_pairs_are_those_of_the_whole_matrix() -> None:
    """The same by a loop in double precision."""
    vectors, wide = drawn(700), drawn(700).astype(np.float64)
    pairs = near_pairs(vectors, start=0, least=0.5, most=1000)
    cosines = wide @ wide.T
    expected = {(i, j) for i in range(700) for j in range(i) if round(cosines[i, j], 6) >= 0.5}
    assert set(zip(pairs.later.tolist(), pairs.earlier.tolist(), strict=True)) == expected
    assert len(expected) > 700


def test_near_pairs_found_in_parts_are_those_found_at_once() -> None:
    vectors = drawn(600)
    whole = near_pairs(vectors, start=0, least=0.3, most=4)
    parts = [near_pairs(vectors[:257], start=0, least=0.3, most=4), near_pairs(vectors, start=257, least=0.3, most=4)]
    for part, one in enumerate(whole):
        assert np.array_equal(np.concatenate([pairs[part] for pairs in parts]), one)


def test_a_row_has_the_likest_partners_and_among_equals_the_earliest() -> None:
    vectors = unit(np.array([[1.0, 0], [1, 0], [1, 0], [1, 1], [1, 0.1]]))
    pairs = near_pairs(vectors, start=4, least=0.2, most=2)
    assert pairs.earlier.tolist() == [0, 1]
    assert near_pairs(np.zeros((3, 2), np.float32), start=0, least=0.2, most=2).later.size == 0


def test_vectors_around_three_centres_fall_into_three_groups() -> None:
    rng = np.random.default_rng(0)
    centres = np.eye(12)[:3].repeat(20, axis=0)
    vectors = unit(centres + rng.normal(scale=0.05, size=centres.shape))
    labels = group(vectors, 3, seed=5)
    assert labels.tolist() == [0] * 20 + [1] * 20 + [2] * 20
    assert np.array_equal(labels, group(vectors, 3, seed=5))


@pytest.mark.parametrize(("rows", "groups"), [(1, 5), (5, 1), (6, 6), (40, 7)])
def test_groups_are_numbered_in_the_order_of_their_first_members(rows: int, groups: int) -> None:
    labels = group(drawn(rows), groups, seed=1).tolist()
    assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
    assert len(set(labels)) <= groups


def test_equal_vectors_are_one_group() -> None:
    assert set(group(unit(np.ones((9, 4))), 3, seed=1).tolist()) == {0}


def test_a_rank_is_the_solution_of_its_equation() -> None:
    """m = d P'm + (1 - d) s, solved directly."""
    ends = np.array([[0, 1], [1, 2], [2, 3], [0, 1], [4, 4]])
    weights = np.array([1.0, 2.0, 1.0, 0.5, 9.0])
    network = Network.of(6, ends, weights)
    matrix = np.zeros((6, 6))
    for (one, other), weight in zip(ends[:4].tolist(), weights[:4].tolist(), strict=True):
        matrix[one, other] += weight
        matrix[other, one] += weight
    shares = matrix[:4, :4] / matrix[:4, :4].sum(axis=1, keepdims=True)
    seeds = np.array([1.0, 0, 0, 3, 0, 0])
    start = seeds[:4] / 4
    expected = np.linalg.solve(np.eye(4) - 0.5 * shares.T, 0.5 * start)
    mass = pagerank(network, seeds, damping=0.5)
    assert mass[:4] == pytest.approx(expected, abs=1e-8)
    assert mass[4:].tolist() == [0, 0]


def test_where_no_edge_leads_on_the_walk_jumps_back() -> None:
    mass = pagerank(Network.of(3, np.array([[0, 1]]), np.ones(1)), np.array([0.0, 0, 2]), damping=0.5)
    assert mass.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("seeds", "damping"), [([0.0, 0.0], 0.5), ([1.0, 0.0], 1.0)])
def test_a_walk_without_seeds_or_jumps_is_refused(seeds: list[float], damping: float) -> None:
    with pytest.raises(ValueError, match=r"seed|damping"):
        pagerank(Network.of(2, np.array([[0, 1]]), np.ones(1)), np.array(seeds), damping=damping)


def test_a_tie_weighs_likeness_and_shared_concepts() -> None:
    """0.7 x 0.9 + 0.3 x 1/2, as the benchmark's graph agent weighs them."""
    graph = PassageGraph(Ties())
    assert graph.weight(0.9, frozenset("ab"), frozenset("bcd")) == pytest.approx(0.78)
    assert graph.weight(0.9, frozenset(), frozenset("b")) == pytest.approx(0.63)


def grown(vectors: Floats) -> PassageGraph:
    graph = PassageGraph(Ties(least_cosine=0.9))
    graph.grow([frozenset({"x"})] * len(vectors), vectors)
    return graph


def test_a_walk_reaches_what_is_tied_before_what_is_only_next_in_rank() -> None:
    """Passages 0 and 3 are alike; 3 is the last in rank, and 0 is the only seed."""
    graph = grown(unit(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0.1, 0]])))
    ranked = [(0, 0.9), (1, 0.5), (2, 0.4), (3, 0.1)]
    assert graph.walk(ranked, 4, seeds=1, enough=lambda _: False) == [0, 3, 1, 2]
    assert graph.walk(ranked, 4, seeds=4, enough=lambda _: False) == [0, 1, 3, 2]
    assert graph.walk(ranked, 2, seeds=1, enough=lambda _: False) == [0, 3]


def test_a_walk_ends_where_it_has_found_enough() -> None:
    graph = grown(drawn(4))
    assert graph.walk([(2, 0.9), (1, 0.5)], 4, seeds=2, enough=lambda place: place == 2) == [2]
