"""Both values, where nothing tells which one holds."""

from __future__ import annotations

import pytest

from recollect.offline.reading.operators.conflicts import contrast
from recollect.offline.reading.pages import ParsedText
from recollect.offline.reading.words import content, words

from tests.unit.offline.reading.one_line import Said, ask


def sheet(text: str) -> ParsedText:
    return ParsedText(text, words(text), frozenset(content(words(text))))


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        pytest.param("The bridge opened in Denn.", "The bridge opened in Marl.", ("Denn", "Marl"), id="last-word"),
        pytest.param("The bridge is 40 m long.", "The bridge is 45 m long.", ("40", "45"), id="inside"),
        pytest.param("Bo studied at Old Denn.", "Bo studied at Old Marl.", ("Old Denn", "Old Marl"), id="whole-name"),
        pytest.param("The bridge opened in Denn.", "The bridge opened in Denn!", None, id="same"),
        pytest.param("The bridge opened in Denn.", "A cat sleeps on the mat.", None, id="nothing-in-common"),
        pytest.param("The bridge opened.", "The bridge opened in Denn.", None, id="one-says-more"),
    ],
)
def test_statements_contrast_in_one_value(one: str, other: str, values: tuple[str, str] | None) -> None:
    found = contrast(sheet(one), sheet(other))
    assert (None if found is None else tuple(found)) == values


SAME_TIME: list[Said] = [
    ("2024-05-01T10:00", "Ida", "The Falk bridge opened in 1931."),
    ("2024-05-01T10:00", "Bo", "The Falk bridge opened in 1934."),
    ("2024-05-02T10:00", "Bo", "The weather is fine."),
]


def test_sources_of_one_time_that_disagree_are_both_named() -> None:
    reply = ask(SAME_TIME, "In what number of years AD did the Falk bridge open?")
    assert "1931" in reply.text or "1934" in reply.text
    reply = ask(SAME_TIME, "What about the Falk bridge that opened?")
    assert "1931" in reply.text
    assert "1934" in reply.text
    assert "2024-05-01T10:00" in reply.text


def test_a_later_statement_decides() -> None:
    """A twin with an order: the newest holds, and the older is not named."""
    said: list[Said] = [
        ("2024-05-01", "Ida", "The keeper of the Falk bridge is Jo Marr."),
        ("2024-07-01", "Bo", "The keeper of the Falk bridge is Eve Stroud."),
    ]
    reply = ask(said, "Who is the keeper of the Falk bridge?")
    assert reply.text == "Eve Stroud"


@pytest.mark.parametrize(
    "question",
    [
        "Do the sources disagree about the keeper of the Falk bridge?",
        "Which conflicting accounts are there of the keeper of the Falk bridge?",
        "Is there a contradiction about who keeps the Falk bridge?",
    ],
)
def test_asked_about_a_disagreement_both_values_are_named_whatever_their_order(question: str) -> None:
    said: list[Said] = [
        ("2024-05-01", "Ida", "The keeper of the Falk bridge is Jo Marr."),
        ("2024-07-01", "Bo", "The keeper of the Falk bridge is Eve Stroud."),
    ]
    reply = ask(said, question)
    assert "Jo Marr (Ida, 2024-05-01)" in reply.text
    assert "Eve Stroud (Bo, 2024-07-01)" in reply.text


def test_without_times_two_speakers_disagree_and_one_does_not() -> None:
    two: list[Said] = [(None, "Ida", "The kiln is in Denn."), (None, "Bo", "The kiln is in Marl.")]
    one: list[Said] = [(None, "Ida", "The kiln is in Denn."), (None, "Ida", "The kiln is in Marl.")]
    assert "Denn" in ask(two, "Where is the kiln?").text
    assert "Marl" in ask(two, "Where is the kiln?").text
    assert ask(one, "Where is the kiln?").text == "Marl"
