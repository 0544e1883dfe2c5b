"""Who does what to whom, told by where the words stand."""

from __future__ import annotations

import pytest

from recollect.offline.reading import RuleReader
from recollect.offline.reading.facts.graph import Role, role

from tests.unit.offline.reading.one_line import Said, WordEmbedder, ask


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param("the mentor of N", Role.HAS, id="of"),
        pytest.param("who mentor N", Role.HAS, id="verb-before"),
        pytest.param("N 's mentor", Role.HAS, id="possessive"),
        pytest.param("N is mentor by", Role.HAS, id="passive"),
        pytest.param("N has someone as mentor", Role.HAS, id="has-as"),
        pytest.param("N mentor someone", Role.DOES, id="verb-behind"),
        pytest.param("N is the mentor of", Role.DOES, id="is-the"),
        pytest.param("mentor by N", Role.DOES, id="by"),
    ],
)
def test_the_role_beside_a_relation_word_is_told(sentence: str, expected: Role) -> None:
    lows = sentence.split()
    place = lows.index("N")
    assert role(lows, (place, place + 1), lows.index("mentor")) is expected


FACTS: list[Said] = [
    "\n".join(
        f"{serial}. {fact}."
        for serial, fact in enumerate(
            [
                "Ida Holt mentors Bo Lind",
                "The mentor of Ida Holt is Jon Falk",
                "Eve Stroud is mentored by Ida Holt",
                "Cy Marr has Eve Stroud as a mentor",
                "Bo Lind is the mentor of Una Pell",
            ]
        )
    )
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Who is the mentor of Bo Lind?", "Ida Holt", id="value-first"),
        pytest.param("Who is the mentor of Ida Holt?", "Jon Falk", id="value-last"),
        pytest.param("By whom is Eve Stroud mentored?", "Ida Holt", id="passive"),
        pytest.param("Who mentors Cy Marr?", "Eve Stroud", id="has-as"),
        pytest.param("Who is the mentor of the mentor of Una Pell?", "Ida Holt", id="twice"),
        pytest.param("Who is the mentor of the mentor of the mentor of Una Pell?", "Jon Falk", id="three-times"),
    ],
)
def test_the_other_end_of_a_fact_is_found_whichever_comes_first(question: str, answer: str) -> None:
    assert ask(FACTS, question).text == answer


def test_a_newer_fact_in_other_words_holds_where_an_embedder_knows_them() -> None:
    """The pool words most facts differently; without an embedder the newest fact in the question's words holds."""
    towns = ["Denn", "Marl", "Tosk", "Brigg"]
    people = ["Ida Holt", "Bo Lind", "Jon Falk", "Eve Stroud"]
    facts = [f"{person} lives in {town}" for person, town in zip(people, towns, strict=True)]
    facts += [f"{person} resides at {town}" for person, town in zip(people, [*towns[1:], towns[0]], strict=True)]
    said: list[Said] = ["\n".join(f"{serial}. {fact}." for serial, fact in enumerate(facts))]
    knows = WordEmbedder(groups=(("lives", "resides"), ("in", "at")))
    assert ask(said, "In which town lives Ida Holt?").text == "Denn"
    assert ask(said, "In which town lives Ida Holt?", RuleReader(knows)).text == "Marl"
