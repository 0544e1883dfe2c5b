"""Where sentences end, and where a full stop is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.sentences import spans, split


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"], id="marks"),
        pytest.param("  One.  \n Two. ", ["One.", "Two."], id="white-space-is-left-out"),
        pytest.param("Dr. Smith met Mrs. Jones. They left.", ["Dr. Smith met Mrs. Jones.", "They left."], id="titles"),
        pytest.param("J. R. R. Tolkien wrote it. Good.", ["J. R. R. Tolkien wrote it.", "Good."], id="initials"),
        pytest.param("So do I. It is late.", ["So do I.", "It is late."], id="the-pronoun-i"),
        pytest.param(
            "It costs 3.50 or 1.000.5 each. Fine.", ["It costs 3.50 or 1.000.5 each.", "Fine."], id="decimals"
        ),
        pytest.param("The U.S. economy grew. Yes.", ["The U.S. economy grew.", "Yes."], id="letters-inside"),
        pytest.param("He lives in the U.S. The end.", ["He lives in the U.S.", "The end."], id="letters-at-the-end"),
        pytest.param("Come at 5 p.m. She waits.", ["Come at 5 p.m.", "She waits."], id="abbreviation-at-the-end"),
        pytest.param("On Jan. 5 at approx. 4 kg. Ok.", ["On Jan. 5 at approx. 4 kg.", "Ok."], id="abbreviations"),
        pytest.param("We saw the sun. Tom sat. Ann left.", ["We saw the sun.", "Tom sat.", "Ann left."], id="words"),
        pytest.param("See No. 7 and Fig. 3. No. Not so.", ["See No. 7 and Fig. 3.", "No.", "Not so."], id="no"),
        pytest.param('"Oh!" he said. "Come." She came.', ['"Oh!" he said.', '"Come."', "She came."], id="quotes"),
        pytest.param("He left (quietly.) Then I.", ["He left (quietly.)", "Then I."], id="brackets"),
        pytest.param("She went... and came. Wait... No.", ["She went... and came.", "Wait...", "No."], id="ellipsis"),
        pytest.param("i went home. it was nice.", ["i went home.", "it was nice."], id="small-letters"),
        pytest.param("A title\n\nA line\nwrapped.", ["A title", "A line\nwrapped."], id="blank-line"),
        pytest.param("1. milk.\n2. eggs.\n1203. tea.", ["1. milk.", "2. eggs.", "1203. tea."], id="list-numbers"),
        pytest.param("Born in\n1858. She sang.", ["Born in\n1858.", "She sang."], id="wrapped-year"),
        pytest.param("東京は大きい。大阪も。Big!", ["東京は大きい。", "大阪も。", "Big!"], id="japanese"),
        pytest.param("What?! Really?", ["What?!", "Really?"], id="two-marks"),
        pytest.param(" \n ", [], id="white-space"),
        pytest.param("", [], id="empty"),
    ],
)
def test_sentences_end_where_a_reader_says(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(st.text(alphabet=st.one_of(st.sampled_from("aAI1 .!?…\n\t\"')。"), st.characters()), max_size=60))
def test_spans_are_in_order_and_only_white_space_is_left_out(text: str) -> None:
    place = 0
    for start, end in spans(text):
        assert start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()


@pytest.mark.parametrize("text", ["!" * 50_000, ".)" * 50_000, "\n " * 50_000 + "x", ". " * 50_000])
def test_no_text_takes_more_than_linear_time(text: str) -> None:
    """A rule that scanned a run again from each of its signs would take minutes."""
    start = time.process_time()
    spans(text)
    assert time.process_time() - start < 5
