"""Pairs of similar vectors, found block by block by products of matrices, without a loop over pairs."""

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
    """Pairs of rows, as three arrays of one length."""

    later: Places
    earlier: Places
    cosines: Doubles
    """Rounded, so that the last bits of a library decide nothing."""


def near_pairs(vectors: Floats, *, start: int, least: float, most: int) -> Pairs:
    """Each row from *start* on with similar rows before it.

    The partners of a row do not change when rows are added, since they are all earlier ones. Time grows with the square
    of the rows, as blocks of matrix products; memory with the rows.

    Args:
        vectors: Unit vectors, shape (rows, dimensions); a row of zeros is similar to nothing.
        start: The first row whose partners are wanted.
        least: Lowest cosine, above 0.
        most: Partners of a row; the most similar, among equals the earliest.
    """
    blocks = [
        _pairs_of_block(vectors, first, min(first + _ROWS_AT_ONCE, len(vectors)), least=least, most=most)
        for first in range(start, len(vectors), _ROWS_AT_ONCE)
    ]
    empty = Pairs(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))
    return Pairs(*(np.concatenate(parts) for parts in zip(empty, *blocks, strict=True)))


def _pairs_of_block(vectors: Floats, first: int, end: int, *, least: float, most: int) -> Pairs:
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
    cosines = _exact(vectors[later], vectors[earlier])
    kept = cosines >= least
    later, earlier, cosines = later[kept], earlier[kept], cosines[kept]
    order = np.lexsort((earlier, -cosines, later))
    later, earlier, cosines = later[order], earlier[order], cosines[order]
    few = np.arange(len(later)) - np.searchsorted(later, later) < most
    return Pairs(later[few], earlier[few], cosines[few])


def _exact(left: Floats, right: Floats) -> Doubles:
    """Rounded cosines of the rows of two arrays of one shape, (rows, dimensions)."""
    found = np.empty(len(left))
    for first in range(0, len(left), _PAIRS_AT_ONCE):
        part = slice(first, first + _PAIRS_AT_ONCE)
        found[part] = (left[part].astype(np.float64) * right[part].astype(np.float64)).sum(axis=1)
    rounded: Doubles = found.round(DIGITS) + 0.0
    return rounded
