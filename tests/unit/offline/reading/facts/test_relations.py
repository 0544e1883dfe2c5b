"""Subject, relation and object, found by counting or by form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.offline.reading.facts.relations import cut_all, cut_by_form, name_runs
from recollect.offline.reading.words import words

PLACES = ["Denn", "Quill Bay", "Port Sorrow", "Marl", "Upper Fenn", "Tosk", "Old Reach", "Brigg"]
LANDS = ["Orvalia", "Zembla", "Ruritania", "Tervo", "North Halm", "Usk", "Vellin", "Carst"]
PEOPLE = ["Tam Rusk", "Ida Holt", "Bo Lind", "Mary of Usk", "Jon Falk", "Eve Stroud", "Cy Marr", "Una Pell"]


def parts(sentence: str, others: list[str]) -> tuple[str, str, str]:
    """Subject, infix and object of the first sentence among others."""
    found = [words(one) for one in [sentence, *others]]
    cut = cut_all(found)[0]
    assert cut is not None
    lows = [w.text for w in found[0]]
    return (
        " ".join(lows[cut.subject : cut.infix]),
        " ".join(lows[cut.infix : cut.object]),
        " ".join(lows[cut.object :]),
    )


CAPITALS = [f"The chief town of {land} is {place}" for land, place in zip(LANDS, PLACES, strict=True)]
OWNERS = [f"{place} was bought for a pound by {person}" for place, person in zip(PLACES, PEOPLE, strict=True)]
HOBBIES = [f"The hobby that {person} enjoys is {n} fishing" for n, person in enumerate(PEOPLE)]


def test_a_frame_with_words_before_the_subject_is_found() -> None:
    assert parts(CAPITALS[4], CAPITALS + OWNERS + HOBBIES) == ("North Halm", "is", "Upper Fenn")


def test_a_frame_without_words_before_the_subject_is_found() -> None:
    assert parts(OWNERS[1], CAPITALS + OWNERS + HOBBIES) == ("Quill Bay", "was bought for a pound by", "Ida Holt")


def test_a_verb_behind_the_subject_belongs_to_the_relation() -> None:
    assert parts(HOBBIES[0], CAPITALS + OWNERS + HOBBIES) == ("Tam Rusk", "enjoys is", "0 fishing")


def test_a_subject_may_hold_small_words() -> None:
    assert parts(HOBBIES[3], CAPITALS + OWNERS + HOBBIES)[0] == "Mary of Usk"


def test_unrelated_sentences_have_no_frame() -> None:
    assert cut_all([words("Tam saw rain"), words("Every bird flew over Marl"), words("Yes")]) == [None, None, None]


@pytest.mark.parametrize(
    ("sentence", "subject", "object_"),
    [
        pytest.param("Tam Rusk is a citizen of Orvalia", "Tam Rusk", "Orvalia", id="name-first"),
        pytest.param("The capital of Orvalia is Quill Bay", "Orvalia", "Quill Bay", id="name-inside"),
        pytest.param("chess was invented in Zembla", "chess", "Zembla", id="no-name"),
        pytest.param("Ida Holt studied at the University of Usk", "Ida Holt", "University of Usk", id="name-with-of"),
    ],
)
def test_a_lone_fact_is_cut_by_its_form(sentence: str, subject: str, object_: str) -> None:
    found = words(sentence)
    cut = cut_by_form(found)
    assert cut is not None
    assert " ".join(w.text for w in found[cut.subject : cut.infix]) == subject
    assert " ".join(w.text for w in found[cut.object :]) == object_


def test_a_function_word_that_opens_a_sentence_is_no_name() -> None:
    found = words("The old mill of Upper Fenn and Usk burns")
    assert [" ".join(w.text for w in found[a:b]) for a, b in name_runs(found)] == ["Upper Fenn and Usk"]


@given(st.lists(st.text(alphabet="abAB .,'", max_size=30), max_size=6))
def test_every_cut_lies_inside_its_sentence(texts: list[str]) -> None:
    found = [words(text) for text in texts]
    for sentence, cut in zip(found, cut_all(found), strict=True):
        if cut is not None:
            assert 0 <= cut.subject < cut.infix < cut.object < len(sentence)
