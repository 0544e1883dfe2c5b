"""Cuts long texts where their content says so: two texts that share a passage share most of its pieces.

A prompt is often one long context and another question each time. Cut at fixed places, one more letter at the front
would move every border; cut where a rolling hash of the last bytes has a certain value, borders move with the text.
"""

from __future__ import annotations

from bisect import bisect_left
from hashlib import blake2b, shake_256

import numpy as np

LEAST, MOST = 512, 8192
"""Bytes of a piece; the last one may be shorter."""
WHOLE = 1536
"""Bytes of a text that is not worth cutting."""
_BITS = 11
"""A border about every 2 ** _BITS bytes."""
_NUMBERS = np.frombuffer(shake_256(b"recollect: pieces of prompts, 1").digest(1024), "<u4")
"""A random number for each byte; others would cut elsewhere, and new pieces would meet no old ones."""


def hash_of(piece: bytes) -> bytes:
    """Names a piece, in 16 bytes."""
    return blake2b(piece, digest_size=16).digest()


def pieces_of(text: bytes) -> list[bytes]:
    """*text* (UTF-8) in pieces that make it up again; no character is cut in two."""
    if len(text) <= WHOLE:
        return [text] if text else []
    borders, pieces, start = _borders(text), [], 0
    while start < len(text):
        end = _end(text, borders, start)
        pieces.append(text[start:end])
        start = end
    return pieces


def _borders(text: bytes) -> list[int]:
    """Places where the hash of the 16 bytes before them says so."""
    rolled = _NUMBERS.take(np.frombuffer(text, np.uint8))
    for shift in (1, 2, 4, 8):
        rolled[shift:] += rolled[:-shift] << np.uint32(shift)
    places: list[int] = (np.flatnonzero(rolled >> np.uint32(32 - _BITS) == 0) + 1).tolist()
    return places


def _end(text: bytes, borders: list[int], start: int) -> int:
    """Where the piece from *start* on ends."""
    if len(text) - start <= LEAST:
        return len(text)
    at = bisect_left(borders, start + LEAST)
    end = min(borders[at] if at < len(borders) else len(text), start + MOST, len(text))
    while end < len(text) and text[end] & 0xC0 == 0x80:  # inside a character
        end -= 1
    return end
