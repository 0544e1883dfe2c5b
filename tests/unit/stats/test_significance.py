from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.stats.significance import holm, mcnemar, mcnemar_p


def test_mcnemar_counts_the_four_cells() -> None:
    found = mcnemar([True, True, False, False, True], [True, False, True, False, False])
    assert (found.both, found.first_only, found.second_only, found.neither) == (1, 2, 1, 1)


def test_mcnemar_of_systems_that_never_differ_is_one() -> None:
    assert mcnemar_p(0, 0) == 1.0


@given(st.integers(0, 12), st.integers(0, 12))
def test_mcnemar_is_the_share_of_coin_throws_at_least_as_uneven(first_only: int, second_only: int) -> None:
    """Counted out over all throws of so many coins."""
    n, fewer = first_only + second_only, min(first_only, second_only)
    throws = [sum(throw) for throw in product((0, 1), repeat=min(n, 12))] if n <= 12 else []
    if throws:
        uneven = sum(min(heads, n - heads) <= fewer for heads in throws) / len(throws)
        assert mcnemar_p(first_only, second_only) == pytest.approx(uneven)


def test_mcnemar_takes_thousands_of_pairs() -> None:
    assert 0 < mcnemar_p(5_100, 4_900) < 1


def test_graded_scores_are_refused_by_mcnemar() -> None:
    with pytest.raises(ValueError, match="right"):
        mcnemar([1, 0.5], [0, 1])  # type: ignore[list-item]


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="start at 0"):
        mcnemar_p(-1, 3)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_value_nor_changes_their_order(raw: list[float]) -> None:
    adjusted = holm(raw)
    assert all(before <= after <= 1 for before, after in zip(raw, adjusted, strict=True))
    order = sorted(range(len(raw)), key=raw.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        holm([0.2, 1.2])
