"""The authors' measure, case by case; `test_parity` holds it against the frozen results."""

from __future__ import annotations

import pytest

from recollect.benchmarks.locomo.histories import scored_gold
from recollect.benchmarks.locomo.rows import CATEGORIES
from recollect.benchmarks.locomo.score import answer_f1, listed_f1, normalised, stemmed_f1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The cat and a hat", "cat hat", id="articles-and-and"),
        pytest.param("1,522", "1522", id="comma-in-a-number"),
        pytest.param("band and sand", "band sand", id="inside-a-word"),
        pytest.param("A\u0301 b", "a\u0301 b", id="a-letter-with-a-mark-is-no-article"),
    ],
)
def test_normalisation(text: str, expected: str) -> None:
    assert normalised(text) == expected


def test_words_meet_by_their_stems_as_bags() -> None:
    assert stemmed_f1("running", "runs") == 1.0
    assert stemmed_f1("hike hike", "hike") == pytest.approx(2 / 3)  # precision 1/2, recall 1
    assert stemmed_f1("the", "a") == 0.0  # no word is left


def test_a_list_is_the_mean_over_its_wanted_parts() -> None:
    assert listed_f1("pottery, camping", "camping, painting") == 0.5
    assert listed_f1("a goose, fig trees, a boat", "fig trees, a goose") == 1.0  # what is too much costs nothing


@pytest.mark.parametrize(
    ("category", "said", "wanted", "expected"),
    [
        pytest.param(1, "pottery", "pottery, camping", 0.5, id="multi-hop-by-parts"),
        pytest.param(4, "pottery", "pottery, camping", 2 / 3, id="single-hop-as-a-whole"),
        pytest.param(5, "It is not mentioned.", "", 1.0, id="adversarial-declined"),
        pytest.param(5, "No information available", "", 1.0, id="adversarial-declined-otherwise"),
        pytest.param(5, "I do not know", "", 0.0, id="adversarial-declined-in-words-the-authors-do-not-know"),
    ],
)
def test_the_category_decides_how(category: int, said: str, wanted: str, expected: float) -> None:
    assert answer_f1(category, said, wanted) == pytest.approx(expected)


def test_only_open_domain_answers_lose_their_reason() -> None:
    assert scored_gold(3, "Likely no; she prefers cats") == "Likely no"
    assert scored_gold(4, "Likely no; she prefers cats") == "Likely no; she prefers cats"


def test_the_categories_are_those_of_the_authors_code() -> None:
    """Counts: 1,986 questions about ten conversations, 282, 321, 96, 841 and 446 by number."""
    assert [(number, one.name, one.published) for number, one in CATEGORIES.items()] == [
        (1, "multi_hop", 282),
        (2, "temporal", 321),
        (3, "open_domain", 96),
        (4, "single_hop", 841),
        (5, "adversarial", 446),
    ]
    assert sum(one.published for one in CATEGORIES.values()) == 1_986
