"""The BLAS library runs one thread a product while texts are embedded, and gets its threads back."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.offline.embedder import model

SWITCH = model._switch()
NEEDS_SWITCH = pytest.mark.skipif(SWITCH is None, reason="numpy's BLAS library here has no switch for its threads")


def threads() -> int:
    return int(SWITCH.read()) if SWITCH else 0


@NEEDS_SWITCH
def test_threads_are_given_back_when_the_last_user_leaves() -> None:
    before = threads()
    with model.workers() as outer:
        with model.workers() as inner:
            assert threads() == 1
        assert threads() == 1
    assert threads() == before
    assert inner == outer >= 1


@NEEDS_SWITCH
def test_threads_are_given_back_after_an_error() -> None:
    before = threads()
    with pytest.raises(RuntimeError), model.workers():
        raise RuntimeError
    assert threads() == before


def test_without_a_switch_one_worker_multiplies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_switch", lambda: None)
    with model.workers() as workers:
        assert workers == 1


def test_products_that_keep_every_bit_are_alike() -> None:
    left, right = np.eye(400, 8, dtype=np.float32), np.ones((8, 8), np.float32)
    assert model.alike(left, right, 1)


class Wobbling(np.ndarray[tuple[int, int], np.dtype[np.float32]]):
    """A matrix whose products depend on the parity of the row they begin with."""

    def __matmul__(self, other: NDArray[np.float32]) -> NDArray[np.float32]:  # type: ignore[override]
        product = np.asarray(self) @ other
        return product + np.float32(np.asarray(self)[0, 0] % 2)


def test_products_that_depend_on_the_place_are_told_apart() -> None:
    """Begun at odd rows they differ, at multiples of 4 they do not: the probe sees both."""
    left = np.repeat(np.arange(400, dtype=np.float32), 8).reshape(400, 8).view(Wobbling)
    right = np.ones((8, 8), np.float32)
    assert not model.alike(left, right, 1)
    assert model.alike(left, right, 4)
