"""The paper's chunks, and chunks that keep units whole."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import sentences
from recollect.text.chunking import Chunk, Span, chunk_sentences, chunk_units, unit_spans
from recollect.text.tokens import count

UNIT = st.text(alphabet="ab cé中 .!?\n", max_size=30)
UNITS = st.lists(UNIT, max_size=8)


def count_pieces(text: str) -> int:
    """Pieces between white space, as the parity data counts."""
    return len(text.split())


def end_at_marks(text: str) -> list[Span]:
    """Sentences end at white space behind `.`, `!` or `?`, as the parity data splits."""
    start, stop = len(text) - len(text.lstrip()), len(text.rstrip())
    found = []
    for gap in re.finditer(r"(?<=[.!?])\s+", text[:stop]):
        if gap.start() > start:
            found.append((start, gap.start()))
            start = gap.end()
    return [*found, (start, stop)] if start < stop else found


@pytest.mark.real
def test_the_papers_chunks_are_those_of_the_reference(data: Path) -> None:
    """All 118 cases of `mab_chunks.json`, which says where they are from."""
    cases = json.loads((data / "parity" / "mab_chunks.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) == 118
    for case in cases:
        text, size = case["input"]["text"], case["input"]["chunk_size"]
        chunks = chunk_sentences(text, size, count=count_pieces, split=end_at_marks)
        assert [chunk.text for chunk in chunks] == case["expected"]["value"], case["id"]


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        pytest.param("A b. C d.\nE f.", 4, ["A b. C d.", "E f."], id="greedy-and-joined-by-a-space"),
        pytest.param("A b c d e. F.", 3, ["", "A b c d e.", "F."], id="first-sentence-over-the-size"),
        pytest.param("F. A b c d e. G.", 3, ["F.", "A b c d e.", "G."], id="later-sentence-over-the-size"),
        pytest.param("", 3, [], id="empty"),
    ],
)
def test_the_papers_chunks_pack_sentences(text: str, size: int, expected: list[str]) -> None:
    """Expected by hand from the rule in the docstring."""
    chunks = chunk_sentences(text, size, count=count_pieces, split=end_at_marks)
    assert [chunk.text for chunk in chunks] == expected


def test_the_papers_chunks_list_every_unit_they_touch() -> None:
    """A fact that is parted belongs to both chunks; the separators belong to none."""
    facts = ["1. Ann sings", "2. Bob. Cid runs.", "3. Dan"]
    chunks = chunk_sentences("\n".join(facts), 5, count=count_pieces, split=end_at_marks, units=unit_spans(facts, "\n"))
    assert [(chunk.text, chunk.units) for chunk in chunks] == [
        ("1. Ann sings\n2. Bob.", (0, 1)),
        ("Cid runs. 3. Dan", (1, 2)),
    ]


def test_an_empty_first_chunk_covers_nothing() -> None:
    first = chunk_sentences("a b c d.", 2, count=count_pieces, split=end_at_marks, units=[(0, 8)])[0]
    assert first == Chunk("", 0, 0, ())


@given(UNITS, st.integers(-1, 30))
def test_the_papers_chunks_lose_no_sentence_and_no_unit(units: list[str], size: int) -> None:
    text = "\n".join(units)
    chunks = chunk_sentences(text, size, units=unit_spans(units, "\n"))
    assert " ".join(chunk.text for chunk in chunks).split() == " ".join(sentences.split(text)).split()
    covered = {number for chunk in chunks for number in chunk.units}
    assert {number for number, unit in enumerate(units) if unit.strip()} <= covered
    for chunk in chunks:
        assert "".join(chunk.text.split()) == "".join(text[chunk.start : chunk.end].split())


@given(UNITS, st.integers(1, 30), st.sampled_from(["\n", "\n\n", "", " | "]))
def test_chunks_of_units_lose_nothing_and_fit(units: list[str], size: int, separator: str) -> None:
    source = separator.join(units)
    chunks = chunk_units(units, size, separator=separator)
    assert [chunk.text for chunk in chunks] == [source[chunk.start : chunk.end] for chunk in chunks]
    assert all(count(chunk.text) <= size for chunk in chunks)
    pieces = [""] * len(units)
    for chunk in chunks:
        if len(chunk.units) == 1:
            pieces[chunk.units[0]] += chunk.text
        else:
            assert chunk.text == separator.join(units[number] for number in chunk.units)
            for number in chunk.units:
                pieces[number] += units[number]
    assert pieces == units


@given(UNITS, st.integers(1, 30))
def test_only_a_unit_over_the_size_is_parted(units: list[str], size: int) -> None:
    chunks = chunk_units(units, size)
    for number, unit in enumerate(units):
        holders = [chunk for chunk in chunks if number in chunk.units]
        assert (len(holders) == 1) == (count(unit) <= size)


@given(UNITS, st.integers(1, 30))
def test_units_are_packed_as_full_as_they_go(units: list[str], size: int) -> None:
    """The first unit of the next chunk would not have fitted, with its separator."""
    chunks = chunk_units(units, size)
    whole = [chunk for chunk in chunks if all(count(units[number]) <= size for number in chunk.units)]
    for chunk, after in pairwise(chunks):
        if chunk in whole and after in whole:
            used = sum(count(units[number]) + 1 for number in chunk.units)
            assert used + count(units[after.units[0]]) > size


def test_a_long_unit_is_cut_at_sentences_then_at_tokens() -> None:
    """Sizes by hand: a sentence `Go on.` is three tokens, and `yes yes yes yes` four."""
    unit = "Go on. Go on. yes yes yes yes."
    assert [chunk.text for chunk in chunk_units(["Ann.", unit, "Bob."], 4)] == [
        "Ann.", "Go on. ", "Go on. ", "yes yes yes yes", ".", "Bob.",
    ]  # fmt: skip


def test_the_separator_is_counted() -> None:
    """Two units of two tokens and a separator of one make five."""
    assert len(chunk_units(["Go.", "Go."], 4)) == 2
    assert len(chunk_units(["Go.", "Go."], 5)) == 1


def test_a_size_below_one_is_an_error_with_the_value() -> None:
    with pytest.raises(ValueError, match="got 0"):
        chunk_units(["a"], 0)
