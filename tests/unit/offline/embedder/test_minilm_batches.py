"""Texts are laid end to end by length; every text keeps its own rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.offline.embedder.network import plan


@given(st.lists(st.integers(2, 256), max_size=60), st.sampled_from([1, 12, 48]), st.sampled_from([1, 300, 1024]))
def test_every_text_has_its_own_aligned_rows(lengths: list[int], unit: int, rows: int) -> None:
    batches = list(plan(lengths, unit=unit, rows=rows))
    assert sorted(member for batch in batches for member in batch.members) == list(range(len(lengths)))
    for batch in batches:
        starts = [(group.row + at * group.stride, group) for group in batch.groups for at in range(group.texts)]
        assert [group.length for _, group in starts] == [lengths[member] for member in batch.members]
        ends = [start + group.length for start, group in starts]
        assert all(start % unit == 0 for start, _ in starts)
        assert all(end <= start for end, (start, _) in zip(ends, starts[1:], strict=False))
        assert ends[-1] <= batch.rows
        assert batch.rows >= 16
        assert batch.rows % unit == 0


@given(st.lists(st.integers(2, 256), min_size=1, max_size=60))
def test_batches_stay_within_the_rows_unless_one_text_is_longer(lengths: list[int]) -> None:
    assert all(batch.rows <= 300 or len(batch.members) == 1 for batch in plan(lengths, rows=300))


def test_equal_lengths_form_one_group_and_long_texts_come_first() -> None:
    (batch,) = plan([3, 9, 3, 9, 3])
    assert batch.members == [1, 3, 0, 2, 4]
    assert [tuple(group) for group in batch.groups] == [(0, 2, 9, 9), (18, 3, 3, 3)]
    assert batch.rows == 27


def test_one_row_a_batch_means_each_text_alone() -> None:
    assert [batch.members for batch in plan([5, 7, 5], rows=1)] == [[1], [0], [2]]


def test_no_texts_make_no_batch() -> None:
    assert list(plan([])) == []


@pytest.mark.parametrize(("length", "rows"), [(2, 16), (16, 16), (17, 17)])
def test_a_tiny_batch_is_filled_up(length: int, rows: int) -> None:
    (batch,) = plan([length])
    assert batch.rows == rows
