"""Dealing is even, seeded, and avoids what was just had as far as it can."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from recollect.worlds.dealing import Bag, Dealer, first_fitting, shares


def test_what_was_dealt_least_often_comes_next() -> None:
    dealer = Dealer(Random(1))
    dealt = Counter(dealer.deal("abc") for _ in range(31))
    assert sorted(dealt.values()) == [10, 10, 11]


def test_what_is_to_be_avoided_comes_only_where_nothing_else_is_left() -> None:
    dealer = Dealer(Random(1))
    assert {dealer.deal("ab", avoid="a") for _ in range(20)} == {"b"}
    assert dealer.deal("a", avoid="a") == "a"


def test_dealt_in_one_list_counts_in_the_next() -> None:
    dealer = Dealer(Random(1))
    dealer.deal(["a"])
    assert dealer.deal(["a", "b"]) == "b"


def test_nothing_comes_again_before_all_were_there() -> None:
    bag = Bag("abcd", Random(5))
    rounds = [{bag.draw() for _ in range(4)} for _ in range(3)]
    assert rounds == [set("abcd")] * 3


def test_each_round_has_an_order_of_its_own() -> None:
    bag = Bag(range(20), Random(5))
    assert [bag.draw() for _ in range(20)] != [bag.draw() for _ in range(20)]


@pytest.mark.parametrize(("count", "expected"), [(0, [0, 0, 0]), (7, [3, 2, 2]), (8, [3, 3, 2]), (9, [3, 3, 3])])
def test_what_does_not_divide_goes_to_the_first(count: int, expected: list[int]) -> None:
    assert list(shares(count, ["a", "b", "c"]).values()) == expected


def test_the_first_attempt_that_fits_is_taken() -> None:
    assert first_fitting(lambda attempt: f"try {attempt}" if attempt > 2 else None, 10, "none") == "try 3"


def test_where_no_attempt_fits_the_last_word_is_said() -> None:
    tried: list[int] = []
    with pytest.raises(ValueError, match="3 tried"):
        first_fitting(tried.append, 3, lambda: f"{len(tried)} tried")
