"""Groups of like vectors: spherical k-means from seeded starts, the same on every machine.

Similarities are rounded before they decide and sums are taken in a fixed order, so that no library's last bits move
a vector from one group to another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recollect.index.dense import DIGITS

ROUNDS = 25
"""Steps at most; groups that change no more end them earlier."""

Doubles = NDArray[np.float64]
Labels = NDArray[np.intp]


def group(vectors: NDArray[np.float32], groups: int, seed: int) -> Labels:
    """The group of each vector, shape (rows,), as numbers from 0 in the order of each group's first member.

    There may be fewer groups than asked for, where vectors are equal.

    Args:
        vectors: Unit vectors, shape (rows, dimensions).
        groups: How many at most, from 1 on.
        seed: The only source of chance.

    Source:
        k-means++ (Arthur and Vassilvitskii 2007) on cosines (Dhillon and Modha 2001).
    """
    wide = vectors.astype(np.float64)
    groups = min(groups, len(wide))
    if groups < 2:
        return np.zeros(len(wide), np.intp)
    centres = wide[_starts(wide, groups, np.random.default_rng(seed))]
    labels = _nearest(wide, centres)
    for _ in range(ROUNDS):
        centres = _centres(wide, labels, centres)
        moved = _nearest(wide, centres)
        if np.array_equal(moved, labels):
            break
        labels = moved
    return _renumbered(labels)


def _starts(wide: Doubles, groups: int, rng: np.random.Generator) -> list[int]:
    """Rows far from each other: each drawn by the square of its distance to those before."""
    chosen = [int(rng.integers(len(wide)))]
    far = _distance(wide, chosen[0])
    while len(chosen) < groups and far.sum() > 0:
        drawn = int(np.searchsorted(np.cumsum(far), rng.random() * far.sum(), side="right"))
        chosen.append(min(drawn, len(wide) - 1))
        far = np.minimum(far, _distance(wide, chosen[-1]))
    return chosen


def _distance(wide: Doubles, row: int) -> Doubles:
    """Of all rows to one, as 1 - cosine, which is half the square of the distance."""
    distance: Doubles = np.clip(1 - (wide @ wide[row]).round(DIGITS), 0, None)
    distance[row] = 0
    return distance


def _nearest(wide: Doubles, centres: Doubles) -> Labels:
    nearest: Labels = np.argmax((wide @ centres.T).round(DIGITS), axis=1)
    return nearest


def _centres(wide: Doubles, labels: Labels, before: Doubles) -> Doubles:
    """Mean directions; a group that lost all its members keeps its centre."""
    order = np.argsort(labels, kind="stable")
    held, first = np.unique(labels[order], return_index=True)
    sums = np.add.reduceat(wide[order], first, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    centres = before.copy()
    centres[held] = sums / np.where(lengths > 0, lengths, 1)
    return centres


def _renumbered(labels: Labels) -> Labels:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.intp)
    order[np.argsort(first, kind="stable")] = np.arange(len(first))
    return order[inverse.reshape(-1)]
