"""Numbered facts, also where chunking broke them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.exchange import ContextItem
from recollect.offline.reading.facts.pool import Numbered, numbered


def facts(*texts: str) -> list[tuple[float, str]]:
    return [(fact.serial, fact.text) for fact in numbered([ContextItem(text=text) for text in texts])]


def test_one_fact_a_line_is_read_with_its_serial() -> None:
    """A heading is no fact."""
    assert facts("Here is a list of facts:\n0. Denn is old.\n1. Orvalia is big.") == [
        (0, "Denn is old."),
        (1, "Orvalia is big."),
    ]


def test_facts_that_lost_their_line_breaks_are_read_too() -> None:
    """The paper's chunker joins sentences with one space."""
    assert facts("4. Denn is old. 5. Orvalia is big. 6. Tam is tall.") == [
        (4, "Denn is old."),
        (5, "Orvalia is big."),
        (6, "Tam is tall."),
    ]


def test_facts_without_full_stops_are_told_apart_by_counting() -> None:
    assert facts("7. Denn is old 8. Orvalia is big 9. Tam is tall") == [
        (7, "Denn is old"),
        (8, "Orvalia is big"),
        (9, "Tam is tall"),
    ]


def test_a_number_inside_a_fact_is_no_serial() -> None:
    assert facts("1. Tam was born in 1990.\n2. Denn has 12. Avenues are there.") == [
        (1, "Tam was born in 1990."),
        (2, "Denn has 12. Avenues are there."),
    ]


def test_a_fact_parted_from_its_serial_by_a_chunk_border_is_ordered_by_its_neighbour() -> None:
    """`17.` ends one chunk, its sentence starts the next, before 18."""
    assert facts("Orvalia is big. 18. Tam is tall.", "16. Denn is old. 17.") == [
        (16, "Denn is old."),
        (17, "Orvalia is big."),
        (18, "Tam is tall."),
    ]


def test_two_sentences_without_serial_keep_their_order() -> None:
    assert [text for _, text in facts("A is here. B is here. 9. C is here and will stay. 10. D is gone for good.")] == [
        "A is here.",
        "B is here.",
        "C is here and will stay.",
        "D is gone for good.",
    ]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["Hello there, I moved to Denn.", "Nice."], id="talk"),
        pytest.param(["1. milk\n2. eggs", "1. rice\n2. beans", "1. tea\n2. salt"], id="lists-that-start-over"),
        pytest.param(["I have many plans for the summer and for the house. 1. Paint it."], id="mostly-prose"),
        pytest.param([], id="nothing"),
    ],
)
def test_other_texts_are_no_pool(texts: list[str]) -> None:
    assert facts(*texts) == []


def test_the_same_chunk_twice_gives_its_facts_once_per_item() -> None:
    """Different items are different sources; the serials agree, so it is still a pool."""
    found = numbered([ContextItem(text="1. A is b.\n2. C is d."), ContextItem(text="1. A is b.\n2. C is d.")])
    assert found[0] == Numbered(1, "A is b.", 0, known=True)
    assert len(found) == 4


@given(st.lists(st.text(max_size=80), max_size=4))
def test_any_text_is_parsed(texts: list[str]) -> None:
    """Facts come in order, and none is empty."""
    found = numbered([ContextItem(text=text) for text in texts])
    assert [fact.serial for fact in found] == sorted(fact.serial for fact in found)
    assert all(fact.text.strip() for fact in found)


@given(
    st.lists(st.sampled_from(["Denn is old", "Tam is tall", "Orvalia has 3 towns"]), min_size=3, max_size=30),
    st.integers(0, 10**6),
)
def test_what_is_numbered_comes_back(sentences: list[str], start: int) -> None:
    """Writing and reading a list are inverse."""
    text = "\n".join(f"{start + i}. {sentence}." for i, sentence in enumerate(sentences))
    assert facts(text) == [(start + i, f"{sentence}.") for i, sentence in enumerate(sentences)]
