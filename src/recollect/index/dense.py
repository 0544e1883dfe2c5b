"""Cosine search over rows of vectors: every row is looked at, nothing is approximated.

Scores are float32 products where they only decide who is a candidate, and float64 sums in a fixed order where they
are returned: a BLAS library's last bits depend on the shape of the matrix, a ranking must not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.domain.errors import DataError, StoreError

DIGITS = 6
"""Scores are rounded to so many digits before rows are ranked."""

_FIRST_BLOCK = 1024
_EXACT_AT_ONCE = 4096
_ROWS, _VECTORS = "rows.npy", "vectors.npy"

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Rows = NDArray[np.int64]
Places = NDArray[np.intp]


@dataclass(slots=True)
class _Block:
    """Rows and their vectors, filled from the front, never moved."""

    start: int
    """Place of the first row in the whole index."""
    rows: Rows
    vectors: Floats
    """Shape (capacity, dimensions)."""
    used: int = 0


class DenseIndex:
    """Vectors by row number, in blocks of doubling size, so that growing never copies what is there."""

    def __init__(self, dimensions: int) -> None:
        """An empty index of vectors with *dimensions* components."""
        self.dimensions = dimensions
        self._blocks: list[_Block] = []
        self._places: dict[int, int] = {}

    @property
    def count(self) -> int:
        """Rows in the index."""
        return len(self._places)

    def add(self, rows: Sequence[int], vectors: Floats) -> None:
        """Take in the vectors of *rows*, shape (rows, dimensions); unit length is the caller's promise.

        Raises:
            ValueError: Shapes differ, a number is not finite, or a row is in the index already.
        """
        numbers = np.asarray(rows, np.int64)
        expected = (len(numbers), self.dimensions)
        if vectors.shape != expected:
            raise ValueError(f"vectors of {len(numbers)} rows have shape {expected}, got {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise ValueError("a vector holds a number that is not finite")
        seen: set[int] = set()
        for row in numbers.tolist():
            if row in self._places or row in seen:
                raise ValueError(f"row {row} is in the index already; a row's vector never changes")
            seen.add(row)
        self._places |= zip(numbers.tolist(), range(self.count, self.count + len(numbers)), strict=False)
        while len(numbers):
            block = self._open_block(len(numbers))
            end = min(block.used + len(numbers), len(block.rows))
            taken = end - block.used
            block.rows[block.used : end] = numbers[:taken]
            block.vectors[block.used : end] = vectors[:taken]
            block.used = end
            numbers, vectors = numbers[taken:], vectors[taken:]

    def search(self, vector: Floats, limit: int) -> list[tuple[int, float]]:
        """The *limit* rows nearest to *vector* with their cosines, best first, equal ones by row number.

        Raises:
            ValueError: *limit* is below 1, or the vector is not finite or not of shape (dimensions,).
        """
        if limit < 1:
            raise ValueError(f"limit counts rows and starts at 1, got {limit}")
        self._must_be_one(vector)
        rows, cosines = self._exact(vector, self._candidates(vector, limit))
        best = np.lexsort((rows, -cosines))[:limit]
        return list(zip(rows[best].tolist(), cosines[best].tolist(), strict=True))

    def scores(self, vector: Floats, rows: Sequence[int]) -> Doubles:
        """Cosines of *vector* and the vectors of *rows*, shape (rows,).

        Raises:
            KeyError: A row is not in the index.
            ValueError: The vector is not finite or not of shape (dimensions,).
        """
        self._must_be_one(vector)
        return self._exact(vector, np.array([self._places[row] for row in rows], np.intp))[1]

    def vectors(self, rows: Sequence[int]) -> Floats:
        """The vectors of *rows*, shape (rows, dimensions); a copy.

        Raises:
            KeyError: A row is not in the index.
        """
        places = np.array([self._places[row] for row in rows], np.intp)
        found = np.empty((len(places), self.dimensions), np.float32)
        for block, at, inside in self._parts(places):
            found[at] = block.vectors[inside]
        return found

    def save(self, folder: Path) -> None:
        """Write the index to *folder*; the row numbers come last and make it whole.

        Raises:
            StoreError: *folder* holds an index already.
        """
        if (folder / _ROWS).exists():
            raise StoreError(f"{folder}: holds an index already. Give the copy a folder of its own.")
        folder.mkdir(parents=True, exist_ok=True)
        shape = (self.count, self.dimensions)
        if self.count:
            target = np.lib.format.open_memmap(folder / _VECTORS, mode="w+", dtype=np.float32, shape=shape)
            for block in self._blocks:
                target[block.start : block.start + block.used] = block.vectors[: block.used]
            target.flush()
        else:
            np.save(folder / _VECTORS, np.empty(shape, np.float32), allow_pickle=False)
        part = folder / f"{_ROWS}.part"
        with part.open("wb") as stream:
            np.save(stream, np.fromiter(self._places, np.int64, self.count), allow_pickle=False)
        part.replace(folder / _ROWS)

    @classmethod
    def load(cls, folder: Path) -> DenseIndex:
        """The index that `save` wrote to *folder*; its vectors stay on disk until they are read.

        Raises:
            DataError: A file is missing or damaged.
        """
        try:
            rows = np.load(folder / _ROWS, allow_pickle=False)
            vectors = np.load(folder / _VECTORS, mmap_mode="r" if len(rows) else None, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise DataError(f"not a dense index: {error}", folder, fix="Delete it and index again.") from error
        if vectors.ndim != 2 or len(vectors) != len(rows):
            problem = f"{len(rows)} rows but vectors of shape {vectors.shape}"
            raise DataError(problem, folder, fix="Delete it and index again.")
        index = cls(vectors.shape[1])
        index._blocks = [_Block(0, rows, vectors, len(rows))]
        index._places = dict(zip(rows.tolist(), range(len(rows)), strict=True))
        return index

    def _open_block(self, coming: int) -> _Block:
        """A block with room: the last one, or a new one as large as all before it together."""
        if not self._blocks or self._blocks[-1].used == len(self._blocks[-1].rows):
            held = sum(block.used for block in self._blocks)
            capacity = max(_FIRST_BLOCK, held, coming)
            vectors = np.empty((capacity, self.dimensions), np.float32)
            self._blocks.append(_Block(held, np.empty(capacity, np.int64), vectors))
        return self._blocks[-1]

    def _must_be_one(self, vector: Floats) -> None:
        if vector.shape != (self.dimensions,) or not np.isfinite(vector).all():
            raise ValueError(f"the query's vector is finite and of shape {(self.dimensions,)}, got {vector.shape}")

    def _candidates(self, vector: Floats, limit: int) -> Places:
        """Places of all rows that may be among the best *limit*."""
        if limit >= self.count:
            return np.arange(self.count)
        rough = np.concatenate([block.vectors[: block.used] @ vector for block in self._blocks])
        cut = np.partition(rough, self.count - limit)[self.count - limit]
        # twice the bound of a float32 product of unit vectors, and the rounding
        noise = self.dimensions * 2.0**-23 + 10.0**-DIGITS
        return np.flatnonzero(rough >= cut - noise)

    def _exact(self, vector: Floats, places: Places) -> tuple[Rows, Doubles]:
        """Row numbers and rounded cosines at *places*, in their order."""
        rows, cosines = np.empty(len(places), np.int64), np.empty(len(places))
        wide = vector.astype(np.float64)
        for block, at, inside in self._parts(places):
            rows[at] = block.rows[inside]
            cosines[at] = (block.vectors[inside] * wide).sum(axis=1)
        return rows, cosines.round(DIGITS) + 0.0  # no negative zero

    def _parts(self, places: Places) -> Iterator[tuple[_Block, Places, Places]]:
        """Which of *places* lie in which block, and where there, a bounded number at a time."""
        for block in self._blocks:
            at = np.flatnonzero((places >= block.start) & (places < block.start + block.used))
            for first in range(0, len(at), _EXACT_AT_ONCE):
                few = at[first : first + _EXACT_AT_ONCE]
                yield block, few, places[few] - block.start
