"""What the forward pass must know and change about numpy's BLAS library: how it treats rows, and its threads.

Two threads that each run one-threaded products beat one thread that runs two-threaded products, because the
element-wise steps between them then use both cores too. numpy has no switch for it; the OpenBLAS that its wheels
carry has one.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_UNITS = (1, 4, 12, 16, 48)
_PROBE_ROWS = 192
_MOST_WORKERS = 16


class _Switch(NamedTuple):
    """OpenBLAS's own functions for its number of threads."""

    read: ctypes._NamedFuncPointer
    write: ctypes._NamedFuncPointer


class _Users:
    """How many callers hold the library at one thread, and what to go back to."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        self.before = 1


_USERS = _Users()


@contextmanager
def workers() -> Iterator[int]:
    """How many threads may multiply at once; inside the block the library uses one thread for each product.

    Where its threads cannot be set, one thread multiplies and the library splits each product by itself.
    """
    switch = _switch()
    if switch is None:
        yield 1
        return
    with _USERS.lock:
        if not _USERS.count:
            _USERS.before = switch.read()
            switch.write(1)
        _USERS.count += 1
    try:
        yield _processors()
    finally:
        with _USERS.lock:
            _USERS.count -= 1
            if not _USERS.count:
                switch.write(_USERS.before)


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return min(_MOST_WORKERS, len(affinity(0)) if affinity else os.cpu_count() or 1)


@cache
def _switch() -> _Switch | None:
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            for name in ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads"):
                library = ctypes.CDLL(str(path))
                if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
                    return _Switch(library[name.format("get")], library[name.format("set")])
    return None


@cache
def row_unit() -> int:
    """Rows per unit within which a row's place may change the last bits of a product; to be asked inside `workers`.

    Found by trying: 1 on x86 processors with AVX-512, where no place matters; 12 with the AVX2 kernels of OpenBLAS;
    0 where nothing helps and each text must be multiplied alone.
    """
    left = np.sin(np.arange(_PROBE_ROWS * 384, dtype=np.float32)).reshape(_PROBE_ROWS, 384)
    right = np.cos(np.arange(384 * 384, dtype=np.float32)).reshape(384, 384)
    return next((unit for unit in _UNITS if alike(left, right, unit)), 0)


def alike(left: Floats, right: Floats, unit: int) -> bool:
    """Whether rows of *left* @ *right* keep every bit when they are multiplied from another multiple of *unit* on."""
    whole = left @ right
    parts = ((at, at + 16 * unit) for at in range(0, 48 + unit, unit))
    return all(np.array_equal(left[start:end] @ right, whole[start:end]) for start, end in parts)
