"""Neighbours: near, of other seeds, and never the same thing again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.benchmarks.subtlememory.make.sources.neighbours import neighbours
from recollect.benchmarks.subtlememory.make.sources.seeds import Evidence, Seed


def seed(name: str, *told: tuple[str, str]) -> Seed:
    evidence = tuple(
        Evidence(memory_id=f"e{number}", asked=asked, accepted=(answer,))
        for number, (asked, answer) in enumerate(told, start=1)
    )
    return Seed(
        family="fanoutqa",
        name=name,
        subtype="K>1",
        question=told[0][0],
        answers=(),
        evidence=evidence,
        place="here",
    )


FLOWER = seed("a", ("Which flower grows in Borvand?", "lupin"), ("Which flower grows in Tissen?", "thistle"))
OTHER = seed("b", ("Which flower grows in Quarl?", "gorse"), ("Which flower grows in Hemmerby?", "heather"))
SAME = seed("c", ("Which flower grows near Borvand?", "lupin"))
BRIDGE = seed("d", ("Who designed the Arn bridge?", "Ilse Vanek"))
TREE = seed("e", ("Which tree grows in Borvand?", "alder"))
ALL = (FLOWER, OTHER, SAME, BRIDGE, TREE)


class ByLetters:
    """Vectors of how often each letter occurs, which are cosines by hand."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(len(texts))
        rows = [[text.casefold().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        return np.array(rows, np.float32)


def test_the_nearest_by_words_comes_first_and_one_of_each_seed() -> None:
    """A tree in the same town shares three words with the question, a flower elsewhere two."""
    near = neighbours(ALL, [FLOWER], most=3)[FLOWER.key]
    assert [(one.memory_id, one.accepted[0]) for one in near] == [("n1", "alder"), ("n2", "gorse")]


def test_what_answers_as_the_seed_does_is_no_neighbour() -> None:
    near = neighbours(ALL, [FLOWER], most=9)[FLOWER.key]
    assert "lupin" not in {one.accepted[0] for one in near}


def test_an_embedder_decides_where_there_is_one() -> None:
    """Of letters, the question about a bridge is farthest from all; with words it has nothing in common."""
    embedder = ByLetters()
    near = neighbours(ALL, [FLOWER], most=9, embedder=embedder)[FLOWER.key]
    assert [one.accepted[0] for one in near][-1] == "Ilse Vanek"
    assert len(near) == 3
    assert embedder.batches == [1, 7]


@pytest.mark.parametrize("most", [0, 1])
def test_there_are_no_more_than_are_wanted(most: int) -> None:
    assert len(neighbours(ALL, [FLOWER], most=most)[FLOWER.key]) == most


def test_the_order_of_seeds_changes_nothing() -> None:
    assert neighbours(ALL, [FLOWER], most=2) == neighbours(tuple(reversed(ALL)), [FLOWER], most=2)


def test_what_is_as_good_as_the_question_itself_is_no_neighbour() -> None:
    """One text of the corpus points where the question does, another leans that way."""

    class Leaning:
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.array([[1, 1] if "gorse" in text else [1, 0] for text in texts], np.float32)

    near = neighbours((FLOWER, OTHER, BRIDGE), [FLOWER], most=9, embedder=Leaning())[FLOWER.key]
    assert [one.accepted[0] for one in near] == ["gorse"]
