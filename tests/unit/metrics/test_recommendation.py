"""Recommended titles: how they are read, which entity they are taken for, and what counts among the first k."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from recollect.metrics.recommendation import (
    Entities,
    entity_name,
    lenient_titles,
    recommendation_recall,
    recommended,
    strict_titles,
)

FILMS = {7: "Alien", 3: "Heat", 5: "Aliens", 9: "12 Monkeys", 2: "Up", 4: "heat"}


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("<http://dbpedia.org/resource/The_Long_Rain_(1971_film)>", "The Long Rain"),
        ("<http://dbpedia.org/resource/Spider-Girl>", "Spider Girl"),
        ("", ""),
    ],
)
def test_the_name_of_an_entity_is_the_last_part_of_its_address(uri: str, name: str) -> None:
    assert entity_name(uri) == name


@pytest.mark.parametrize(
    ("reply", "strict", "lenient"),
    [
        pytest.param("1. Heat (1995)\n2. Up", ["Heat", "Up"], ["Heat", "Up"], id="plain"),
        pytest.param("1. Heat\n\n2. Up\n", ["Heat", "", "Up", ""], ["Heat", "Up"], id="empty-lines-count-there"),
        pytest.param("Films from 2021. Try\n1. Up", ["Try", "Up"], ["Up"], id="the-1-of-2021-starts-the-list-there"),
        pytest.param("1) Heat, a film\n2) Up", ["Heat", "a film", "Up"], ["Heat, a film", "Up"], id="parenthesis"),
        pytest.param("1. 12 Monkeys\n2. 300", ["Monkeys", "300"], ["12 Monkeys", "300"], id="number-in-the-title"),
        pytest.param("1.Heat 2.Up", ["Heat 2.Up"], ["Heat", "Up"], id="one-line"),
        pytest.param("- **Heat**\n- *Up*", ["- **Heat**", "- *Up*"], ["Heat", "Up"], id="bullets"),
        pytest.param("Heat, Up.", ["Heat", "Up."], ["Heat", "Up"], id="commas"),
        pytest.param("Sure:\nHeat\nUp", ["Sure:", "Heat", "Up"], ["Sure:", "Heat", "Up"], id="lines"),
        pytest.param("1. Heat\n\nUp", ["Heat", "", "Up"], ["Heat", "Up"], id="only-the-first-has-a-number"),
        pytest.param(
            "1. Heat\nA film of 2 hours.\n2. Up", ["Heat", "A film of 2 hours.", "Up"], ["Heat", "Up"], id="talk"
        ),
        pytest.param("", [""], [], id="nothing"),
        pytest.param("1.", [""], [], id="number-alone"),
    ],
)
def test_a_list_is_read_as_the_paper_does_and_with_more_sense(
    reply: str, strict: list[str], lenient: list[str]
) -> None:
    assert strict_titles(reply) == strict
    assert lenient_titles(reply) == lenient


@pytest.mark.parametrize(
    ("title", "name", "entity_id", "distance"),
    [
        ("HEAT", "Heat", 3, 0),
        ("Aliens", "Aliens", 5, 0),
        ("Alienn", "Aliens", 5, 1),
        ("Alein", "Alien", 7, 2),
        ("13 Monkey", "12 Monkeys", 9, 2),
        ("", "Up", 2, 2),
    ],
)
def test_a_title_is_taken_for_the_nearest_name_and_the_smallest_id(
    title: str, name: str, entity_id: int, distance: int
) -> None:
    """`Alienn` is one edit from `Alien` (7) and from `Aliens` (5)."""
    assert Entities(FILMS).nearest(title) == (name, entity_id, distance)


WORDS = st.text(alphabet="abcé ", max_size=7)


@given(st.dictionaries(st.integers(1, 50), WORDS, min_size=1, max_size=30), WORDS)
def test_the_nearest_is_that_of_a_scan_of_all_names(names: dict[int, str], title: str) -> None:
    found = Entities(names).nearest(title)
    distance = {entity_id: Levenshtein.distance(title.lower(), name.lower()) for entity_id, name in names.items()}
    assert (found.distance, found.entity_id) == min((edits, entity_id) for entity_id, edits in distance.items())


def test_titles_may_be_taken_for_the_films_alone() -> None:
    films = Entities({1: "Heat", 2: "Heath Ledger"}, candidates=[2])
    assert films.nearest("Heat").name == "Heath Ledger"
    assert films.name_of("1") == "Heat"


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: Entities({}), "there is no entity"),
        (lambda: Entities({1: "Heat"}, candidates=[]), "there is no entity"),
        (lambda: Entities({1: "Heat"}, candidates=[1, 9, 8]), "2 candidates have no name, such as 8"),
        (lambda: Entities(FILMS).name_of("77"), "no entity has the id '77'"),
        (lambda: Entities(FILMS).name_of("-3"), "no entity has the id '-3'"),
        (lambda: recommendation_recall([], ["Up"], k=0), "starts at 1"),
    ],
)
def test_what_cannot_be_is_refused(make: object, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(("k", "recall"), [(1, 0.5), (2, 0.5), (3, 1.0), (10, 1.0)])
def test_recall_is_the_share_of_gold_names_among_the_first_k(k: int, recall: float) -> None:
    names = recommended(["Heat", "Alien", "UP"], Entities(FILMS))
    assert recommendation_recall(names, ["Heat", "Up"], k=k) == recall


def test_recall_without_gold_is_undefined_and_a_string_is_no_list_of_gold() -> None:
    assert recommendation_recall(["Heat"], [], k=5) is None
    with pytest.raises(TypeError, match="one string"):
        recommendation_recall(["H"], "Heat", k=5)
