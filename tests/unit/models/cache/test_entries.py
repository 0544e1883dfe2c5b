"""What goes into the database comes out of it as it was, however short or long."""

from __future__ import annotations

import sqlite3
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.models.cache.entries import squeezed, whole


@given(st.binary(max_size=6_000))
def test_what_is_squeezed_is_whole_again(text: bytes) -> None:
    """Also by readers of earlier releases, which know zlib alone."""
    assert whole(squeezed(text)) == text
    assert zlib.decompress(squeezed(text)) == text


@pytest.mark.parametrize("length", [0, 1, 200, 1_024])
def test_texts_that_are_not_worth_packing_stay_as_they_are(length: int) -> None:
    """With eleven bytes around them."""
    text = b"7" * length
    assert text in squeezed(text)
    assert len(squeezed(text)) == length + 11


@pytest.mark.parametrize("length", [1_025, 4_000, 20_000])
def test_short_texts_take_no_more_room_than_with_the_usual_memory(length: int) -> None:
    """Within 5 % (they take a fraction of the time)."""
    text = b" ".join(str(number * number).encode() for number in range(length))[:length]
    assert len(squeezed(text)) <= 1.05 * len(zlib.compress(text, 1))


def test_a_damaged_text_is_told() -> None:
    """By its checksum."""
    packed = squeezed(b"What was said about the garden?")
    with pytest.raises(sqlite3.DatabaseError, match="damaged"):
        whole(packed[:-1] + bytes([packed[-1] ^ 1]))
