"""What a row says of its memory: the card of its examination, or that there is none."""

from __future__ import annotations

from recollect.records.memory_card import CARDS, NOT_EXAMINED
from recollect.records.ran import ABSENT
from recollect.records.summary import Summary

FAILS = "fails:"
"""In what is said of a card where checks failed."""


def card_of(summary: Summary, row: str) -> str:
    """The id of the row's card with the checks that failed, or `not examined`; empty where no memory is under test."""
    kinds = {one.row: one.kind for one in summary.rows if one.ran != ABSENT}
    return str(summary.config.get(CARDS, {}).get(row, NOT_EXAMINED)) if kinds.get(row) == "memory" else ""


def card_mark(card: str) -> list[tuple[str, str]]:
    """A mark with its meaning, where checks of the memory failed."""
    return [("fails checks", f"recollect doctor: {card}")] if FAILS in card else []


def cards_by_row(summary: Summary) -> dict[str, str]:
    """Row -> what is said of its card; rows that are no memories are not in it."""
    return {one.row: card for one in summary.rows if (card := card_of(summary, one.row))}
