"""Texts that share a passage share its pieces."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from recollect.models.cache.entries import LEAST, MOST, WHOLE, chunks_of


def random_bytes(size: int, seed: int) -> bytes:
    """ASCII letters without a pattern."""
    return bytes(random.Random(seed).choices(b"abcdefghijklmnopqrstuvwxyz \n", k=size))


@given(st.text(max_size=3000), st.integers(1, 8))
def test_pieces_make_up_the_text_and_cut_no_character(text: str, times: int) -> None:
    """Joined they are the text; each one is UTF-8 of its own."""
    raw = (text * times).encode("utf-8", "replace")
    pieces = chunks_of(raw)
    assert b"".join(pieces) == raw
    assert "".join(piece.decode() for piece in pieces) == raw.decode()
    assert all(0 < len(piece) <= MOST for piece in pieces)
    assert all(len(piece) > LEAST - 4 for piece in pieces[:-1])


def test_no_text_has_no_pieces() -> None:
    """An empty prompt takes no room."""
    assert chunks_of(b"") == []


def test_a_short_text_is_left_whole() -> None:
    """To cut it would take longer than to store it twice; in a longer one borders are looked for."""
    text = random_bytes(20_000, 2)
    assert chunks_of(text[:WHOLE]) == [text[:WHOLE]]
    assert len(chunks_of(text)) > 1


def test_a_change_in_front_moves_no_later_border() -> None:
    """All pieces but the first few are those of the unchanged text."""
    text = random_bytes(200_000, 1)
    before, after = set(chunks_of(text)), set(chunks_of(b"another beginning, " + text))
    assert len(before - after) <= 3
    assert len(before) > 20


def test_the_cuts_are_those_of_the_first_release() -> None:
    """Other cuts would store every known context once more."""
    lengths = [len(piece) for piece in chunks_of(random_bytes(20_000, 2))]
    assert lengths == [2148, 7645, 2901, 810, 2287, 4209]
