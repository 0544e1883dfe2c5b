"""Sentences with choices: what is drawn, filled in and counted."""

from __future__ import annotations

from random import Random

import pytest

from recollect.worlds.patterns import draw, filled, slots_in, wordings

PATTERN = "[Keep|Leave] the {thing}[ gladly|] in the [shed|barn|loft]."


def test_every_wording_is_drawn_sooner_or_later_and_no_other() -> None:
    """2 x 2 x 3 choices make 12 wordings."""
    rng = Random("patterns")
    drawn = {draw(PATTERN, rng, {"thing": "ladder"}) for _ in range(500)}
    assert len(drawn) == 12
    assert drawn == {filled(one, {"thing": "ladder"}) for one in wordings(PATTERN)}


def test_the_same_seed_draws_the_same_wordings() -> None:
    """Nothing but the given generator decides."""
    first, second = Random("seed"), Random("seed")
    slots = {"thing": "ladder"}
    assert [draw(PATTERN, first, slots) for _ in range(20)] == [draw(PATTERN, second, slots) for _ in range(20)]


def test_wordings_come_in_order_with_their_slots() -> None:
    """The last choice changes fastest."""
    assert list(wordings("[A|B] {x} [c|d]")) == ["A {x} c", "A {x} d", "B {x} c", "B {x} d"]
    assert list(wordings("as it is")) == ["as it is"]


@pytest.mark.parametrize(
    ("pattern", "wording"),
    [
        pytest.param("Good [|], then.", "Good, then.", id="space-before-a-comma"),
        pytest.param("It is [|] so.", "It is so.", id="two-spaces"),
        pytest.param("[|] So it is [|].", "So it is.", id="at-the-ends"),
    ],
)
def test_an_empty_choice_leaves_no_space(pattern: str, wording: str) -> None:
    """Neither a doubled one nor one before a mark."""
    assert draw(pattern, Random(1)) == wording
    assert set(wordings(pattern)) == {wording}


def test_what_fills_a_slot_is_not_read_as_a_pattern() -> None:
    """Names with brackets stay as they are."""
    assert draw("See {x}.", Random(1), {"x": "[a|b] {y}"}) == "See [a|b] {y}."


def test_a_slot_without_a_value_is_an_error() -> None:
    """Rather than a sentence with a hole."""
    with pytest.raises(KeyError, match="thing"):
        draw(PATTERN, Random(1))


def test_the_slots_of_a_pattern_are_named_once_each() -> None:
    """Also those inside a choice."""
    assert slots_in("{a} [of {b}|of {a}] and {b}") == {"a", "b"}
    assert slots_in("none") == frozenset()
