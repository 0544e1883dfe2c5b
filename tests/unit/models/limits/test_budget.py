"""The cap holds before a call is sent, whoever sends it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from recollect.domain.errors import OverBudgetError, UsageError
from recollect.models.limits.budget import Budget


def test_a_call_that_would_pass_the_cap_is_refused_and_the_message_says_what_to_do() -> None:
    budget = Budget(max_cost=1.0, spent=0.9)
    with pytest.raises(OverBudgetError) as caught:
        budget.reserve(0.11)
    for part in ("1.0000", "0.9000", "0.1100", "higher `--max-cost`"):
        assert part in str(caught.value)


def test_the_last_cent_may_be_spent() -> None:
    """0.1 + 0.2 is 0.3 here, which it is not in binary."""
    budget = Budget(max_cost=0.3, spent=0.1)
    budget.settle(budget.reserve(0.2), 0.2)
    assert budget.spent == 0.3


def test_calls_in_flight_count_with_what_they_cost_at_least() -> None:
    budget = Budget(max_cost=1.0)
    first = budget.reserve(0.6)
    with pytest.raises(OverBudgetError, match="in flight"):
        budget.reserve(0.5)
    budget.settle(first, 0.0)
    budget.reserve(0.5)


def test_what_was_set_aside_gives_way_to_what_was_paid() -> None:
    budget = Budget(max_cost=1.0)
    budget.settle(budget.reserve(0.1), 0.95)
    with pytest.raises(OverBudgetError):
        budget.reserve(0.1)


def test_a_refused_call_sets_nothing_aside() -> None:
    budget = Budget(max_cost=1.0)
    for _ in range(3):
        with pytest.raises(OverBudgetError):
            budget.reserve(2.0)
    budget.settle(budget.reserve(1.0), 1.0)


def test_without_a_cap_everything_goes_and_is_counted() -> None:
    budget = Budget(spent=1.5)
    budget.settle(budget.reserve(100.0), 123.25)
    assert budget.spent == 124.75


def test_a_cap_with_models_of_unknown_price_is_refused_at_the_start() -> None:
    """Such calls would be free for the budget, and so without limit."""
    with pytest.raises(UsageError, match="`mine`") as caught:
        Budget(max_cost=5.0, unpriced=["mine"])
    assert "--prices" in str(caught.value)
    Budget(unpriced=["mine"])


def test_a_cap_of_nothing_lets_only_free_calls_through() -> None:
    budget = Budget(max_cost=0.0)
    budget.reserve(0.0)
    with pytest.raises(OverBudgetError):
        budget.reserve(0.000001)


def test_many_threads_overshoot_by_the_replies_in_flight_at_most() -> None:
    """32 threads, prompts of a cent, replies of another: each counts its prompt before it is sent."""
    workers, cap = 32, 2.0
    budget, ready, refused = Budget(max_cost=cap), Barrier(workers), []

    def work() -> None:
        ready.wait()
        while True:
            try:
                held = budget.reserve(0.01)
            except OverBudgetError as error:
                refused.append(error)
                return
            budget.settle(held, 0.02)

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    assert len(refused) == workers
    assert cap - 0.02 < budget.spent <= cap + workers * 0.01
