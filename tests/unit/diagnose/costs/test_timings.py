"""Quantiles come from single calls."""

from __future__ import annotations

import pytest

from recollect.diagnose.costs.durations import quantile, timings
from recollect.diagnose.records.trials import Measure
from recollect.domain.steps import Arm


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([3.0], 0.5, 3.0),
        ([1.0, 2.0], 0.5, 1.0),
        ([1.0, 2.0, 3.0], 0.5, 2.0),
        ([float(value) for value in range(1, 101)], 0.95, 95.0),
    ],
)
def test_a_quantile_is_a_value_that_was_measured(values: list[float], share: float, expected: float) -> None:
    assert quantile(values, share) == expected


def test_calls_are_grouped_by_task_row_stage_and_arm() -> None:
    calls = [("facts", "bm25", Measure("recall", Arm.SYSTEM, seconds)) for seconds in (0.4, 0.1, 0.2)]
    found = timings([*calls, ("facts", "bm25", Measure("state", None, 2.0))])
    assert [(t.stage, t.arm, t.calls, t.total_s, t.p50_s, t.p95_s) for t in found] == [
        ("recall", Arm.SYSTEM, 3, 0.7, 0.2, 0.4), ("state", None, 1, 2.0, 2.0, 2.0),
    ]  # fmt: skip


def test_an_average_would_hide_a_slow_call() -> None:
    calls = [("facts", "bm25", Measure("recall", Arm.SYSTEM, 10.0 if number == 9 else 0.1)) for number in range(10)]
    found = timings(calls)[0]
    assert (found.p50_s, found.p95_s) == (0.1, 10.0)
