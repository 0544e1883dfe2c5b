"""What published rows do not say is worked out from their context, or left open."""

from __future__ import annotations

from random import Random

import pytest

from recollect.benchmarks.memoryagentbench.families.examples import example_finder, labelled
from recollect.benchmarks.memoryagentbench.families.facts import fact_finder
from recollect.benchmarks.memoryagentbench.questions import Asked, Recovered

TEXTS = [
    "Here is a list of facts:",
    "0. Ann Lee is a citizen of Orvalia.",
    "1. The capital of Orvalia is Denn.",
    "2. Bea Oak is a citizen of Murn.",
    "3. The capital of Orvalia is Quill Bay.",
    "4. jazz was created in the country of Murn.",
    "5. Ann Lee plays the type of music of jazz.",
    "6. Denn is located in Westmark.",
    "7. Denn is located in the country of Orvalia.",
    "8. The capital of Murn is Quill Bay.",
    "9. Ann Lee is a citizen of Murn.",
]


def _find(question: str, *gold: str) -> Recovered | None:
    return fact_finder(TEXTS)(Asked(text=question, gold=tuple(gold)))


@pytest.mark.parametrize(
    ("question", "gold", "evidence", "rejected"),
    [
        pytest.param("What is the capital of Orvalia?", ["Quill Bay"], (4,), ("Denn",), id="newest-of-two"),
        pytest.param("What is the capital of Murn?", ["Quill Bay"], (9,), (), id="only-one"),
        pytest.param("Which country is Ann Lee a citizen of?", ["the M.", "Murn"], (10,), ("Orvalia",), id="by-alias"),
        pytest.param("Which country was jazz created in?", ["Murn"], (5,), (), id="subject-in-small-letters"),
        pytest.param("Where is Denn located?", ["Westmark"], (7,), (), id="a-longer-relation-is-no-rival"),
        pytest.param("In which country was the music of Ann Lee created?", ["Murn"], None, None, id="see-below"),
    ],
)
def test_evidence_of_one_hop(
    question: str, gold: list[str], evidence: tuple[int, ...] | None, rejected: tuple[str, ...] | None
) -> None:
    found = _find(question, *gold)
    if evidence is None:
        assert found is not None  # a question of two hops may be taken for one of one: hence the mark
        assert found.labels["evidence"] == "by_rule"
        return
    assert found is not None
    assert (found.evidence, found.rejected) == (evidence, rejected)
    assert found.labels["hops"] == "1"


def test_a_chain_is_followed_back_to_the_subject_that_is_asked_about() -> None:
    found = _find("What is the capital of the country that Ann Lee is a citizen of?", "Quill Bay")
    assert found is not None
    assert found.evidence == (10, 9)
    assert found.labels["hops"] == "2"
    assert found.labels["stratum"] == "conflicted"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        pytest.param("What is the capital of Orvalia?", "Denn", id="gold-is-stale"),
        pytest.param("What is the capital of Orvalia?", "Nowhere", id="gold-is-not-there"),
        pytest.param("Who knows?", "Quill Bay", id="no-subject-in-the-question"),
        pytest.param("What is the capital of Orvalia?", "", id="empty"),
    ],
)
def test_what_cannot_be_told_is_left_open(question: str, gold: str) -> None:
    assert _find(question, gold) is None


def test_two_chains_that_fit_alike_are_left_open() -> None:
    texts = ["0. Ann Lee likes red Murn.", "1. Ann Lee hates blue Murn."]
    assert fact_finder(texts)(Asked(text="What of Ann Lee?", gold=("Murn",))) is None


def test_a_context_made_to_be_ambiguous_takes_no_longer_than_others() -> None:
    texts = [f"{n}. Name{n % 40} knows of Name{Random(n).randrange(40)}." for n in range(2_000)]
    fact_finder(texts)(Asked(text="Whom does Nobody know of?", gold=("Name3",)))


def test_an_unknown_label_has_no_evidence() -> None:
    assert example_finder(["a\nlabel: 1"])(Asked(text="?", gold=("2",))) is None
    with pytest.raises(ValueError, match="no example has label 2"):
        labelled(["a\nlabel: 1"], [("b", 2)])


def test_a_text_that_is_among_the_examples_is_marked() -> None:
    first, second = labelled(["a\nlabel: 1", "b\nlabel: 1"], [("b", 1), ("c", 1)])
    assert (first.labels["in_examples"], second.labels["in_examples"]) == ("yes", "no")
    assert first.evidence == second.evidence == (0, 1)
