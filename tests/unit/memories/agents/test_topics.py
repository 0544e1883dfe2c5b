"""A policy decides which sentences are kept, and a system message names what to keep track of."""

from __future__ import annotations

import pytest

from recollect.memories.agents.topics import EVERYTHING, Sieve, lines_of, named_in

TELLS = "I moved to Lisbon in March."
TELLS_LITTLE = "The lentils were good."


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        pytest.param(EVERYTHING, [True, False], id="by-points"),
        pytest.param("food and lentils", [False, True], id="by-topic"),
        pytest.param(f"- {EVERYTHING}\n- lentils", [True, True], id="both"),
        pytest.param("music", [False, False], id="neither"),
        pytest.param("", [False, False], id="nothing"),
    ],
)
def test_the_policy_decides_what_is_kept(policy: str, wanted: list[bool]) -> None:
    assert [Sieve(policy).keeps(sentence) for sentence in (TELLS, TELLS_LITTLE)] == wanted


@pytest.mark.parametrize("sentence", ["Do you like lentils?", "Hi lentils"])
def test_questions_and_scraps_stay_out_even_near_a_topic(sentence: str) -> None:
    assert not Sieve("lentils").keeps(sentence)


def test_lines_lose_their_marks() -> None:
    assert lines_of("- one\n\n2. two\n  * three ") == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Keep these in mind: workout_time, dietStyle; budget", ["workout time", "diet style", "budget"]),
        ("Keep track of these things about the user:\n- workout_time\n- diet", ["workout time", "diet"]),
        ("diet", ["diet"]),
        ("You are a helpful assistant that answers in short sentences.", []),
    ],
)
def test_names_are_read_from_a_system_message(text: str, names: list[str]) -> None:
    assert named_in(text) == names


def test_a_sentence_is_about_the_variable_that_it_shares_most_words_with() -> None:
    sieve = Sieve("", ["workout time", "reading time of day"])
    assert sieve.about("My workout has another time now.") == "workout time"
    assert sieve.about("Reading takes the best part of my day.") == "reading time of day"
    assert sieve.about("I sleep well.") == ""
    assert sieve.keeps("My workout got shorter.")
