"""What all values may spend together."""

from __future__ import annotations

import pytest

from recollect.runs.ablation import remaining
from recollect.runs.setup.calls import Spending
from recollect.runs.start import Work


@pytest.mark.parametrize(("spent", "left"), [([], 2.0), ([0.5], 1.5), ([0.5, 1.0], 0.5), ([0.5, 9.0], 0.0)])
def test_what_one_value_spent_the_next_may_not(spent: list[float], left: float) -> None:
    work = remaining(Work(spending=Spending(max_cost=2.0)), spent)
    assert work.spending.max_cost == left


def test_without_a_cap_there_is_none() -> None:
    assert remaining(Work(), [5.0]).spending.max_cost is None
