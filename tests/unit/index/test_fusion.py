"""Two rankings in one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.fusion import fuse

HITS = st.dictionaries(st.integers(0, 30), st.floats(-5, 50), max_size=15).map(lambda found: list(found.items()))


def test_the_sum_of_z_scores_by_hand() -> None:
    """
    Sparse 3, 1 and (missing, so the lowest) 1: mean 5/3, spread sqrt(8)/3, z = sqrt 2, -1/sqrt 2, -1/sqrt 2.

    Dense 0.2 (missing), 0.2, 0.8: z = -1/sqrt 2, -1/sqrt 2, sqrt 2. Rows 0 and 2 tie and come by number.
    """
    fused = fuse([(0, 3.0), (1, 1.0)], [(2, 0.8), (1, 0.2)], 3)
    assert fused == [(0, 0.707107), (2, 0.707107), (1, -1.414214)]


def test_a_row_that_one_list_lacks_gets_the_lowest_score_there_not_the_mean() -> None:
    """With the mean, row 3 (first of the dense list, unknown to the sparse one) would come before row 0."""
    sparse = [(0, 9.0), (1, 8.0), (2, 1.0)]
    dense = [(3, 0.9), (0, 0.88), (1, 0.1)]
    assert fuse(sparse, dense, 1)[0][0] == 0


def test_a_list_without_spread_adds_nothing() -> None:
    """0.1 three times has a spread of last bits in floating point."""
    assert fuse([(5, 0.1), (4, 0.1), (3, 0.1)], [], 3) == [(3, 0.0), (4, 0.0), (5, 0.0)]
    assert fuse([(5, 2.0), (4, 1.0)], [(4, 0.1), (5, 0.1)], 2) == [(5, 1.0), (4, -1.0)]


def test_two_empty_lists_fuse_to_nothing() -> None:
    assert fuse([], [], 3) == []


@given(HITS, HITS, st.integers(1, 40), st.randoms())
def test_the_order_of_the_entries_does_not_matter(
    sparse: list[tuple[int, float]], dense: list[tuple[int, float]], limit: int, rng: object
) -> None:
    fused = fuse(sparse, dense, limit)
    assert fused == fuse(sparse[::-1], dense[::-1], limit)
    assert fused == sorted(fused, key=lambda hit: (-hit[1], hit[0]))
    assert {row for row, _ in fused} <= {row for row, _ in sparse + dense}
    assert len(fused) == min(limit, len({row for row, _ in sparse + dense}))


def test_a_row_twice_in_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match="dense list has a row twice"):
        fuse([], [(1, 0.5), (1, 0.4)], 2)
    with pytest.raises(ValueError, match="got 0"):
        fuse([], [], 0)
