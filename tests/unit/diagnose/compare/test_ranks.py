"""Ranks by what can be told apart, and what becomes of them."""

from __future__ import annotations

import pytest

from recollect.diagnose.compare.ranks import Unit, Values, _concordance, difference, ranks
from recollect.domain.ids import HistoryId

BOUNDS = (-1.0, 1.0)
USERS = 6


def values(*by_user: float) -> Values:
    """One value for each of six users."""
    return {Unit(HistoryId(f"h{user}"), "q"): value for user, value in enumerate(by_user)}


BEST = values(0.9, 0.8, 0.9, 0.8, 0.9, 0.8)
MIDDLE = values(0.9, 0.6, 1.0, 0.5, 0.9, 0.5)
"""0.1 below the best on average, and now above, now below it."""
WORST = values(0.6, 0.4, 0.6, 0.4, 0.6, 0.5)
CLOSE = values(0.7, 0.2, 0.9, 0.2, 0.8, 0.3)
"""0.0 from the worst on average, by as much as 0.3 a user."""


def placed(**rows: Values) -> dict[str, int]:
    return ranks(rows, BOUNDS, seed=0)


def test_rows_that_differ_clearly_stand_in_order() -> None:
    assert placed(worst=WORST, best=BEST) == {"worst": 2, "best": 1}


def test_rows_whose_difference_holds_zero_share_a_rank() -> None:
    assert placed(worst=WORST, close=CLOSE, best=BEST) == {"worst": 2, "close": 2, "best": 1}


def test_a_rank_counts_the_rows_that_are_clearly_better_however_ties_chain() -> None:
    """The middle is tied with the best; were a tie with a tie a tie, all would share one rank."""
    apart = difference(BEST, MIDDLE, BOUNDS, seed=0)
    assert apart.low is not None
    assert apart.high is not None
    assert apart.low < 0 < apart.high
    assert placed(best=BEST, middle=MIDDLE, worst=WORST) == {"best": 1, "middle": 1, "worst": 3}


def test_the_order_of_rows_changes_no_rank() -> None:
    forth = placed(best=BEST, middle=MIDDLE, worst=WORST, close=CLOSE)
    assert placed(close=CLOSE, worst=WORST, middle=MIDDLE, best=BEST) == forth


def test_a_difference_is_paired_on_what_both_have() -> None:
    part = {unit: value for unit, value in BEST.items() if unit.history != "h5"}
    found = difference(part, WORST, BOUNDS, seed=0)
    assert found.n == 5
    assert found.estimate == pytest.approx(0.34), "(0.3 + 0.4 + 0.3 + 0.4 + 0.3) / 5"
    nothing = difference({}, WORST, BOUNDS, seed=0)
    assert (nothing.estimate, nothing.why) == (None, "nothing that both have a value for")


def test_rows_that_share_nothing_are_tied() -> None:
    assert placed(best=BEST, nobody={}) == {"best": 1, "nobody": 1}


@pytest.mark.parametrize(
    ("pairs", "tau", "why"),
    [
        ([(0.3, 0.1), (0.2, 0.2), (0.1, 0.3)], -1.0, ""),
        ([(0.3, 0.3), (0.2, 0.1), (0.1, 0.2)], pytest.approx(1 / 3), ""),
        ([(1, 1), (1, 1)], None, "a measure is constant"),
        ([(1, 1)], None, "fewer than 2 pairs"),
        ([(1, 1), (None, 2), (2, 2)], 1.0, ""),
    ],
    ids=["reversed", "one pair swapped", "all tied", "one row", "a row without a rank"],
)
def test_tau_says_how_far_the_orders_agree(
    pairs: list[tuple[float | None, float | None]], tau: float | None, why: str
) -> None:
    """By hand: of three pairs of rows, two agree and one does not, (2 - 1) / 3."""
    found = _concordance(pairs)
    assert (found.tau, found.why) == (tau, why)
