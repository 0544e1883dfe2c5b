"""Every rule of sentences, each with a text that keeps it and one that breaks it."""

from __future__ import annotations

import re

import pytest

from recollect.worlds.sentences import (
    Form,
    content,
    counted,
    different,
    likeness,
    repeated,
    shaped,
    too_alike,
    ungrammatical,
    without,
)

NAME = frozenset({"name"})
PLAIN = Form(words=(3, 6))
LABELS = re.compile(r"\bbenchmarks?\b")


@pytest.mark.parametrize(
    ("form", "kept", "broken", "problem"),
    [
        pytest.param(PLAIN, "It rains a lot.", "It rains.", "2 words, not 3 to 6", id="short"),
        pytest.param(PLAIN, "It rains a lot.", "It rains a lot in the hills.", "7 words, not 3 to 6", id="long"),
        pytest.param(PLAIN, "It rains a lot.", "it rains a lot.", "does not start with a capital", id="start"),
        pytest.param(PLAIN, "It rains a lot.", "It rains a lot", "does not end with .", id="end"),
        pytest.param(PLAIN, "It rains a lot.", "It rains. A lot.", "is not one sentence", id="two"),
        pytest.param(PLAIN, "It rains a lot.", "It rains a lot. ", "has space around it", id="space"),
        pytest.param(PLAIN, "An apple a day.", "A apple an day.", "wrong article in `a apple", id="article"),
        pytest.param(PLAIN, "He said that that helps.", "He said said that.", "says `said said`", id="word-twice"),
        pytest.param(PLAIN, "It rains a lot.", "It rains [a lot.", "square brackets open", id="brackets"),
        pytest.param(PLAIN, "It rains a lot.", "It {rains a lot.", "curly brackets", id="curly"),
        pytest.param(PLAIN, "It rains a lot.", "It rains a {name}.", "slots ['name'], not []", id="slot"),
        pytest.param(PLAIN, "It rains a lot.", "It rains [a lot|on].", "1 choices, not 0 to 0", id="choice"),
        pytest.param(PLAIN, "It rains a lot.", "This benchmark rains.", "has the word `benchmark`", id="label"),
        pytest.param(
            Form(words=(2, 4), start="small", marks=""), "a wet May", "A wet May", "starts with a capital", id="small"
        ),
        pytest.param(
            Form(words=(2, 4), start="small", marks=""), "June in Rome", "June rain.", "ends with a mark", id="mark"
        ),
        pytest.param(
            Form(words=(2, 9), choices=(1, 1)),
            "It [rains|pours] now.",
            "It [rains|rains] now.",
            "different alternatives",
            id="same-choice",
        ),
        pytest.param(
            Form(words=(2, 9), choices=(1, 2), wordings=4),
            "It [rains|pours] [now|today].",
            "It [rains|pours] now.",
            "2 wordings, not 4",
            id="wordings",
        ),
        pytest.param(
            Form(words=(2, 5), slots=NAME), "So {name} came.", "So nobody came.", "slots [], not", id="no-slot"
        ),
        pytest.param(
            Form(words=(2, 5), optional=NAME),
            "So nobody came.",
            "So {name}, {name} came.",
            "once each",
            id="slot-twice",
        ),
        pytest.param(
            Form(words=(2, 9), sentences=2), "It rains. It pours.", "It. Is. Wet.", "is 3 sentences", id="three"
        ),
    ],
)
def test_a_form_finds_what_breaks_it_and_nothing_else(form: Form, kept: str, broken: str, problem: str) -> None:
    assert list(shaped("place", [kept], form, LABELS)) == []
    found = list(shaped("place", [broken], form, LABELS))
    assert any(problem in one for one in found), found
    assert all(one.startswith("place: ") and one.endswith(broken) for one in found)


def test_every_wording_of_a_pattern_is_held_against_the_form() -> None:
    """One alternative makes it too long."""
    found = list(shaped("x", ["It [rains|rains on and on and on] now."], Form(words=(3, 5), choices=(0, 1))))
    assert found == ["x: 8 words, not 3 to 5: It [rains|rains on and on and on] now."]


def test_lists_are_counted() -> None:
    assert list(counted("here", {"rain": [1, 2], "snow": [1]}, {"rain": 2, "snow": 2})) == ["here: 1 snow, not 2"]


def test_texts_that_differ_in_marks_alone_occur_twice() -> None:
    assert list(different("here", ["It rains.", "It snows.", "it rains!"])) == ["here: occurs twice: it rains!"]


def test_content_is_what_carries_the_topic() -> None:
    """Slots, small words and numbers carry none; a stem stands for its forms."""
    assert content("The {entity} [pours|rained] on two of the gardens") == content("rain pouring garden")


def test_a_forbidden_stem_is_found_in_any_form() -> None:
    found = list(without("here", ["It was raining.", "It snowed."], content("rain"), "of the value"))
    assert found == ["here: has the word rain of the value: It was raining."]


def test_what_counts_as_content_can_be_another() -> None:
    def letters(text: str) -> frozenset[str]:
        return frozenset(text)

    assert list(without("here", ["abc"], frozenset("c"), "!", of=letters)) == ["here: has the word c !: abc"]
    assert likeness("ab", "bc", of=letters) == pytest.approx(1 / 3)


def test_sentences_of_two_values_may_not_be_nearly_equal() -> None:
    first, near, far = "Cold rain falls on gardens.", "Warm rain falls on gardens.", "Snow lies in the street."
    assert len(list(too_alike("here", [first], [near]))) == 1
    assert list(too_alike("here", [first], [far])) == []


def test_a_wording_that_two_patterns_have_is_found() -> None:
    found = list(repeated(["It [rains|snows] now.", "It snows now.", "It hails now."]))
    assert found == ["sentence stands 2 times in the file: It [rains|snows] now."]


@pytest.mark.parametrize("fine", ["a university", "an hour", "a one-off", "an 8", "had had it", "so that that helps"])
def test_grammar_has_its_exceptions(fine: str) -> None:
    assert ungrammatical(fine) is None
