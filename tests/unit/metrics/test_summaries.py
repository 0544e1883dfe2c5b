"""Shares of a summary and their F1, with sound counts and as published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.summaries import SummaryCounts, published_summary_scores, share, summary_f1

RATIO = st.floats(0, 1)


@pytest.mark.parametrize(
    ("fluency", "recall", "precision", "f1"),
    [
        (1.0, 0.5, 1.0, 2 / 3),  # 2 * 0.5 * 1 / (0.5 + 1)
        (0.0, 0.5, 1.0, 0.0),
        (1.0, 0.0, 0.0, 0.0),
        (0.0, None, None, 0.0),
        (1.0, 0.0, None, 0.0),
        (None, 0.5, 1.0, None),
        (1.0, 0.5, None, None),
    ],
)
def test_f1_is_zero_as_soon_as_one_part_is_and_else_undecided_with_any(
    fluency: float | None, recall: float | None, precision: float | None, f1: float | None
) -> None:
    assert summary_f1(fluency, recall, precision) == pytest.approx(f1)


@given(RATIO, RATIO)
def test_f1_lies_between_recall_and_precision(recall: float, precision: float) -> None:
    found = summary_f1(1.0, recall, precision)
    assert found is not None
    assert 0 <= found <= max(recall, precision) + 1e-12


@pytest.mark.parametrize(
    ("found", "total", "ratio"), [(3, 4, 0.75), (5, 4, 1.0), (0, 4, 0.0), (0, 0, None), (2, 0, None)]
)
def test_a_share_never_exceeds_all_and_is_undefined_of_nothing(found: int, total: int, ratio: float | None) -> None:
    assert share(found, total) == ratio


def test_a_count_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="start at 0"):
        share(-1, 4)


def test_the_published_recall_can_exceed_one() -> None:
    """Case summary_scores-288 of the parity fixtures: 5 of 4 points, 8 of 9 sentences."""
    scores = published_summary_scores(SummaryCounts(1, 5, 4, 8, 9))
    assert scores == pytest.approx((1.0, 1.25, 8 / 9, 1.038961038961039))
    assert published_summary_scores(SummaryCounts(1, 0, 0, 0, 0)) == (1.0, 0.0, 0.0, 0.0)
