"""Sizes have names, twins in other sentences, and knobs; what cannot be set is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from recollect.domain.errors import UnknownNameError, UsageError
from recollect.worlds.sizes import Sizes, at_least, twinned


@dataclass(frozen=True, kw_only=True)
class Settings:
    people: int = 2
    share: float = 0.0
    mood: Literal["calm", "wild"] = "calm"
    held_out: bool = False

    def __post_init__(self) -> None:
        at_least(self, {"people": 1, "share": 0.0})
        if self.mood not in ("calm", "wild"):
            raise ValueError(f"mood must be one of calm, wild, got {self.mood!r}")
        if self.people > 5 and self.mood == "wild":
            raise ValueError("more than 5 people are never wild")


SIZES = Sizes(
    plain={"small": Settings(), "base": Settings(people=5), "own": Settings(people=3)},
    without_twin=("own",),
    knobs={"people": "how many", "share": "of something", "mood": "of all"},
)


def test_a_size_has_a_twin_in_held_out_sentences() -> None:
    assert list(SIZES.named) == ["small", "base", "own", "small-held-out", "base-held-out"]
    assert SIZES.settings("base-held-out") == Settings(people=5, held_out=True)


def test_names_can_stand_beside_their_twins() -> None:
    assert twinned(("a", "b")) == ("a", "a-held-out", "b", "b-held-out")


def test_knobs_change_a_size() -> None:
    assert SIZES.settings("small+people=4+share=0.25+mood=wild") == Settings(people=4, share=0.25, mood="wild")


@pytest.mark.parametrize("size", ["smal", "own-held-out", ""])
def test_an_unknown_size_is_refused(size: str) -> None:
    with pytest.raises(UnknownNameError, match=f"size `{size}` is not known"):
        SIZES.settings(size)


def test_an_unknown_knob_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="knob `held_out` is not known"):
        SIZES.settings("small+held_out=1")


def test_all_wrong_values_are_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        SIZES.settings("small+people=0+share=much+mood=odd")
    assert str(caught.value) == (
        "size `small+people=0+share=much+mood=odd`: people must be >= 1, got 0; "
        "knob `share`: 'much' is no number; mood must be one of calm, wild, got 'odd'."
    )


def test_values_that_do_not_go_together_are_refused() -> None:
    """Each could be set alone."""
    with pytest.raises(UsageError, match="more than 5 people are never wild"):
        SIZES.settings("small+people=6+mood=wild")
