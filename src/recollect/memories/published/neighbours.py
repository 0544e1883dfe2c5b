"""Pairs of like vectors, found block by block: products of matrices, and no loop over pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.index.dense import DIGITS

_ROWS_AT_ONCE = 256
_PAIRS_AT_ONCE = 8192

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Places = NDArray[np.intp]


class Pairs(NamedTuple):
    """Pairs of rows, one a place of the three arrays."""

    later: Places
    earlier: Places
    cosines: Doubles
    """Rounded, so that no library's last bits decide."""


def near_pairs(vectors: Floats, *, start: int, least: float, most: int) -> Pairs:
    """Each row from *start* on with the rows before it that are like it.

    A row's own partners never change when rows are added: it is tied to earlier ones only. Time grows with the square
    of the rows, as blocks of matrix products; memory with the rows.

    Args:
        vectors: Unit vectors, shape (rows, dimensions); a row of zeros is like nothing.
        start: The first row whose partners are wanted.
        least: Lowest cosine, above 0.
        most: Partners of a row; the likest, among equals the earliest.
    """
    blocks = [
        _of_block(vectors, first, min(first + _ROWS_AT_ONCE, len(vectors)), least=least, most=most)
        for first in range(start, len(vectors), _ROWS_AT_ONCE)
    ]
    empty = Pairs(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))
    return Pairs(*(np.concatenate(parts) for parts in zip(empty, *blocks, strict=True)))


def exact(one: Floats, other: Floats) -> Doubles:
    """Rounded cosines of the rows of two arrays of one shape, (rows, dimensions)."""
    found = np.empty(len(one))
    for first in range(0, len(one), _PAIRS_AT_ONCE):
        part = slice(first, first + _PAIRS_AT_ONCE)
        found[part] = (one[part].astype(np.float64) * other[part].astype(np.float64)).sum(axis=1)
    rounded: Doubles = found.round(DIGITS) + 0.0
    return rounded


def _of_block(vectors: Floats, first: int, end: int, *, least: float, most: int) -> Pairs:
    rough = vectors[first:end] @ vectors[:end].T
    rough[np.arange(end)[None, :] >= np.arange(first, end)[:, None]] = -2.0
    noise = vectors.shape[1] * 2.0**-23 + 10.0**-DIGITS  # of a float32 product of unit vectors, and the rounding
    near = rough >= least - noise
    many = np.flatnonzero(near.sum(axis=1) > most)
    if many.size:  # equal ones stay, and so do those that the noise hides
        cut = np.partition(rough[many], end - most, axis=1)[:, end - most, None]
        near[many] &= rough[many] >= cut - noise
    rows, earlier = np.nonzero(near)
    later = rows + first
    return _likest(later, earlier, exact(vectors[later], vectors[earlier]), least, most)


def _likest(later: Places, earlier: Places, cosines: Doubles, least: float, most: int) -> Pairs:
    """Of each later row the best partners."""
    kept = cosines >= least
    later, earlier, cosines = later[kept], earlier[kept], cosines[kept]
    order = np.lexsort((earlier, -cosines, later))
    later, earlier, cosines = later[order], earlier[order], cosines[order]
    rank = np.arange(len(later)) - np.searchsorted(later, later)
    few = rank < most
    return Pairs(later[few], earlier[few], cosines[few])
