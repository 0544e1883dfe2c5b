"""What a clause names of a key's fields and values."""

from __future__ import annotations

import pytest

from recollect.offline.judge.swaps import Gold, wordings
from recollect.offline.judge.texts import prepare

QUESTION = "Who raised the Drin Pippin and the Galdo Pippin?"
GOLD: Gold = {"the Drin Pippin": ("Adela Bladrend", "Bladrend"), "the Galdo Pippin": ("Ivo Tolbek", "Tolbek")}


def named(text: str, gold: Gold = GOLD, question: str = QUESTION) -> list[str]:
    """Each mention as `name` or `value` with the second word of the field that it is of."""
    found = wordings(question, gold, text).mentions(prepare(text))
    return [f"{one.kind} {'/'.join(sorted(name.split()[1] for name in one.of))}" for one in found]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Adela Bladrend raised the Drin Pippin", ["value Drin", "name Drin"]),
        ("Tolbek, that is Ivo Tolbek", ["value Galdo"]),
        ("the Drin", ["name Drin"]),
        ("the Pippin", []),
        ("a drin, and Drin", []),
        ("the Drin Pipin", ["name Drin"]),
        ("Bladrent and Galdo", ["value Drin", "name Galdo"]),
        ("Adela", []),
    ],
)
def test_names_and_values_are_found_in_full_in_short_and_with_a_slip(text: str, told: list[str]) -> None:
    assert named(text) == told


def test_the_longer_of_two_values_counts() -> None:
    gold = {"the Drin Pippin": ("almond",), "the Galdo Pippin": ("bitter almond",)}
    assert named("bitter almond, then almond", gold) == ["value Galdo", "value Drin"]


def test_a_value_of_two_fields_is_of_both() -> None:
    gold = {"the Drin Pippin": ("quince",), "the Galdo Pippin": ("quince",)}
    assert named("quince", gold) == ["value Drin/Galdo"]


def test_the_wording_to_the_letter_goes_before_one_with_a_slip() -> None:
    gold = {"the Drin Pippin": ("Bladrent",), "the Galdo Pippin": ("Bladrend",)}
    assert named("Bladrend", gold) == ["value Galdo"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Adela raised the Galdo Pippin", True),
        ("Adela Bladrend raised the Galdo Pippin", False),
        ("the drin and the Galdo Pippin", True),
        ("a Pippin, said Tolbek", False),
    ],
)
def test_a_part_of_what_is_not_named_in_full_is_a_hint(text: str, hint: bool) -> None:
    ways, said = wordings(QUESTION, GOLD, text), prepare(text)
    assert ways.hinted(said, ways.mentions(said)) is hint


def test_words_of_the_question_are_no_hint() -> None:
    gold = {"the Drin Pippin": ("raised beds",), "the Galdo Pippin": ("pots",)}
    text = "the Galdo Pippin was raised in pots"
    ways, said = wordings(QUESTION, gold, text), prepare(text)
    assert not ways.hinted(said, ways.mentions(said))
