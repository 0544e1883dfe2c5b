"""What texts say again, say outright, or hold at all."""

from __future__ import annotations

import pytest

from recollect.worlds.checks import holders, outright, repeated, says, twice

FACT = "Mia collects old harbour charts from Norway."


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("We met at the Blue Door, at last.", "blue door", True),
        ("We met at the Blue Doors.", "blue door", False),
        ("It has two ponds.", "2 ponds", True),
        ("bluedoor", "blue door", False),
    ],
)
def test_words_stand_in_a_text_whole(text: str, words: str, said: bool) -> None:
    assert says(text, words) is said


def test_holders_are_the_places_of_texts_that_say_it() -> None:
    assert holders([" red door ", " blue door ", " bluedoor ", " blue door again "], "Blue door!") == [1, 3]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        pytest.param("She collects old harbour charts from Norway.", True, id="all-but-the-name"),
        pytest.param("Old charts of a harbour in Norway, which somebody collects.", True, id="another-order"),
        pytest.param("She collects old things from Norway.", False, id="three-of-five"),
        pytest.param("The harbour was cold.", False, id="one-word"),
    ],
)
def test_a_sentence_with_nearly_all_words_of_a_fact_says_it_outright(sentence: str, found: bool) -> None:
    assert list(outright(FACT, [sentence], ["Mia"])) == [sentence] * found


def test_a_fact_of_names_alone_is_never_said_outright() -> None:
    assert list(outright("Mia", ["Mia was here."], ["Mia"])) == []


def test_sentences_that_stand_twice_are_counted_from_a_length_on() -> None:
    texts = ["So it goes. The long way round was closed.", "so it goes! The long way round was closed."]
    assert dict(twice(texts, 5)) == {"long way round was closed": 2}
    assert len(dict(twice(texts, 1))) == 2


def test_a_sentence_that_many_sessions_share_is_found_under_its_mask() -> None:
    """Two of three sessions hold it, each with another name; short sentences are not counted."""
    sessions = [
        ["I asked Mia Ott to bring the long ladder on Friday. So be it."],
        ["I asked Ben to bring the long ladder on Friday. So be it."],
        ["Nobody asked for anything in the whole long week. So be it."],
    ]
    wanted = {"i asked _ to bring the long ladder on friday": pytest.approx(2 / 3)}
    assert repeated(sessions, ("Mia Ott", "Ben", "Mia")) == wanted
    assert repeated(sessions, ()) == {}


def test_a_sentence_that_one_session_says_twice_counts_once() -> None:
    said = "The ferry leaves at nine from the northern pier."
    assert repeated([[said, said], ["Something else was said in the other of the two."]], ()) == {}
