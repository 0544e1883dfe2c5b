"""Dealing is even, and relations come in the shares of the plan."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.cases.specs import relation_plan
from recollect.worlds.dealing import Dealer


@pytest.mark.parametrize(
    ("count", "planned"),
    [
        pytest.param(54, (9, 9, 9, 9, 18), id="even"),
        pytest.param(55, (9, 9, 10, 9, 18), id="one-over-is-nuanced"),
        pytest.param(56, (9, 9, 10, 9, 19), id="two-over"),
        pytest.param(10, (2, 1, 2, 2, 3), id="small"),
        pytest.param(0, (0, 0, 0, 0, 0), id="none"),
    ],
)
def test_cases_are_split_over_relations_and_then_over_their_subtypes(count: int, planned: tuple[int, ...]) -> None:
    """Worked out by hand from the rule; the rest goes to nuanced, then to contradictory."""
    assert tuple(relation_plan(count).values()) == planned


def test_nothing_is_dealt_twice_before_all_were_dealt_once() -> None:
    """Three rounds of five."""
    dealer = Dealer(Random(1))
    dealt = [dealer.deal("abcde") for _ in range(15)]
    assert [Counter(dealt[start : start + 5]) for start in (0, 5, 10)] == [Counter("abcde")] * 3


def test_what_is_to_be_avoided_is_dealt_only_if_nothing_else_is_left() -> None:
    """`a` is next, and passed over."""
    dealer = Dealer(Random(1))
    dealer.deal("bc"), dealer.deal("bc")
    assert dealer.deal("abc", avoid="a") in "bc"
    assert dealer.deal("a", avoid="a") == "a"
