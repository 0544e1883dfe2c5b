"""Reading a run makes millions of values that all stay: looking for garbage among them only costs time."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Hold the garbage collector, if it was on; nothing made inside may be cyclic and large."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
