"""One fact among numbered facts; the newest wins."""

from __future__ import annotations

from recollect.offline.reading.facts.pool import FactPool, Numbered
from recollect.offline.reading.words import words

from tests.unit.offline.reading.one_line import ask

LIST = [
    "0. The capital of Orvalia is Denn.\n1. Tam Rusk is a citizen of Orvalia.\n2. The mayor of Denn is Ida Holt.",
    "3. The capital of Orvalia is Quill Bay.\n4. The capital of Zembla is Marl.\n5. Jo Marr is a citizen of Zembla.",
]


def pool(*facts: str) -> FactPool:
    return FactPool(Numbered(serial, text, 0, known=True) for serial, text in enumerate(facts))


def test_the_newest_of_tied_facts_answers() -> None:
    assert ask(LIST, "What is the capital of Orvalia?").text == "Quill Bay"


def test_the_newest_answers_whatever_the_order_of_the_items() -> None:
    """Retrieval ranks by score; the serials hold the order."""
    assert ask(LIST[::-1], "What is the capital of Orvalia?").text == "Quill Bay"


def test_a_fact_without_a_rival_answers_with_its_object() -> None:
    assert ask(LIST, "What is the capital of Zembla?").text == "Marl"


def test_other_words_of_the_same_root_find_the_fact() -> None:
    assert ask(LIST, "Tell me the citizenship of Jo Marr.").text == "Zembla"


def test_a_rival_gives_the_border_of_the_answer_without_cutting_a_name() -> None:
    """Both values start with the same word; the answer keeps it."""
    found = pool(
        "Bo Lind studied at University of Denn", "Bo Lind studied at University of Marl", "Ida Holt studied at Usk"
    ).look_up(words("Where did Bo Lind study?"))
    assert found is not None
    assert found.values == ("University of Denn", "University of Marl")


def test_all_values_are_kept_oldest_first() -> None:
    found = pool("The colour of X1 is red", "The colour of X1 is blue", "The colour of X1 is red").look_up(
        words("What is the colour of X1?")
    )
    assert found is not None
    assert (found.text, found.values) == ("red", ("red", "blue"))


def test_a_fact_of_which_the_question_shares_no_word_is_not_found() -> None:
    assert pool("The capital of Orvalia is Denn").look_up(words("Who swims?")) is None


def test_the_share_tells_how_much_of_the_question_is_held() -> None:
    found = pool("The capital of Orvalia is Denn").look_up(words("What is the capital of Orvalia?"))
    assert found is not None
    assert found.share == 1.0


def test_many_facts_to_a_chunk_and_a_lost_serial_still_order() -> None:
    """The newest value lost its serial to the chunk before."""
    chunks = [
        "0. The capital of Orvalia is Denn. 1. Tam Rusk is tall. 2. Jo Marr is small. 3.",
        "The capital of Orvalia is Quill Bay. 4. Ida Holt is old.",
    ]
    assert ask(chunks, "What is the capital of Orvalia?").text == "Quill Bay"


def test_the_distractor_does_not_win_over_the_evidence() -> None:
    """The same question with the evidence alone, and among facts of the same relation about others."""
    evidence = ["8. The capital of Orvalia is Denn.\n9. The capital of Orvalia is Quill Bay."]
    distractors = [f"{10 + i}. The capital of Land{i} is Town{i}." for i in range(30)]
    question = "What is the capital of Orvalia?"
    assert ask(evidence, question).text == ask(evidence + distractors, question).text == "Quill Bay"
    assert ask(distractors, question).text != "Quill Bay"
