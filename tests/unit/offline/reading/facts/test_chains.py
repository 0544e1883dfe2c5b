"""Chains through numbered facts."""

from __future__ import annotations

import pytest

from recollect.offline.reading import RuleReader

from tests.unit.offline.reading.one_line import SYNONYMS, ask

PEOPLE = ["Tam Rusk", "Ida Holt", "Bo Lind", "Jon Falk", "Eve Stroud", "Cy Marr", "Una Pell", "Al Dow"]
LANDS = ["Orvalia", "Zembla", "Ruritania", "Tervo", "Halm", "Usk", "Vellin", "Carst"]
TOWNS = ["Denn", "Quill Bay", "Marl", "Tosk", "Brigg", "Fenn", "Reach", "Sorrow"]
BOOKS = ["The Long Tide", "Grey Sun", "Salt", "Under Ash", "Nine Gates", "Low Water", "The Moth", "Ember"]


def numbered(facts: list[str]) -> list[str]:
    return ["\n".join(f"{serial}. {fact}." for serial, fact in enumerate(facts))]


FACTS = [
    *(f"{person} is a citizen of {land}" for person, land in zip(PEOPLE, LANDS, strict=True)),
    *(f"The capital of {land} is {town}" for land, town in zip(LANDS, TOWNS, strict=True)),
    *(f"{book} was written by {person}" for book, person in zip(BOOKS, PEOPLE, strict=True)),
    *(f"The guardian of {one} is {other}" for one, other in zip(PEOPLE, [*PEOPLE[1:], PEOPLE[0]], strict=True)),
    "Ida Holt is a citizen of Carst",
    "The capital of Carst is New Reach",
]
LIST = numbered(FACTS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Which country is Bo Lind a citizen of?", "Ruritania", id="one-hop"),
        pytest.param("What is the capital of the country that Bo Lind is a citizen of?", "Marl", id="two-hops"),
        pytest.param("What is the capital of the country of citizenship of the writer of Salt?", "Marl", id="three"),
        pytest.param(
            "What is the capital of the country where the guardian of the writer of Salt holds citizenship?",
            "Tosk",
            id="four-hops",
        ),
        pytest.param("Which land is the writer of Under Ash a citizen of?", "Tervo", id="other-words"),
    ],
)
def test_a_chain_is_followed(question: str, answer: str) -> None:
    assert ask(LIST, question).text == answer


def test_the_newest_fact_holds_at_every_hop() -> None:
    """Ida Holt's country and its capital were both changed: Zembla -> Carst, Sorrow -> New Reach."""
    assert ask(LIST, "What is the capital of the country that Ida Holt is a citizen of?").text == "New Reach"


def test_the_oldest_list_gives_the_old_answer() -> None:
    """A twin without the two edits, to prove that the edits decide."""
    old = numbered(FACTS[:-2])
    assert ask(old, "What is the capital of the country that Ida Holt is a citizen of?").text == "Quill Bay"


def test_a_chain_is_followed_through_a_handful_of_facts() -> None:
    """An oracle shows so few facts that no relation can be counted."""
    few = [
        "3. Salt was written by Bo Lind.",
        "9. Bo Lind is a citizen of Ruritania.",
        "12. The capital of Ruritania is Marl.",
    ]
    assert ask(few, "What is the capital of the country that the writer of Salt is a citizen of?").text == "Marl"


def test_an_embedder_bridges_words_that_share_no_root() -> None:
    question = "What is the name of the keeper of Bo Lind?"
    assert ask(LIST, question, RuleReader(SYNONYMS)).text == "Jon Falk"


def test_circles_end() -> None:
    circle = numbered([f"A{i} leads to A{(i + 1) % 5}" for i in range(5)])
    assert ask(circle, "Where does the thing that A0 leads to lead?").text
