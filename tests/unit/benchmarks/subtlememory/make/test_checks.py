"""What could trace somebody is found by its form; what merely looks alike is let through."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.make.checks import identifying, offensive


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Write to mia.ott+trips@post.example.org today.", "e-mail address"),
        ("It is on https://mia.example.org/me, as always.", "web address"),
        ("See www.miaott.net.", "web address"),
        ("Call me on +1 (415) 555-0132.", "phone number"),
        ("Call 415-555-0132.", "phone number"),
        ("Ring 030 901820 44 before noon, or 0171/5551234.", "phone number"),
        ("I live at 221b Baker Street.", "street address"),
        ("Send it to 12 North Mill Rd.", "street address"),
        ("Sie wohnt in der Lindenstraße 14.", "street address"),
        ("My card is 4929 1234 5678 9012.", "card or account number"),
        ("Pay to DE89 3704 0044 0532 0130 00.", "card or account number"),
        ("My number is 078-05-1120.", "number of a document"),
        ("The passport number: X1234567.", "number of a document"),
        ("Passport C01234567 is new.", "number of a document"),
        ("Follow @mia_ott there.", "handle"),
    ],
)
def test_what_could_trace_somebody_is_found(text: str, what: str) -> None:
    assert any(problem.startswith(f"a {what} ") for problem in identifying(text))


@pytest.mark.parametrize(
    "text",
    [
        "I get up at 6:30 and run 10 km in 52 minutes.",
        "The budget is 1,200 to 1,500 euros for 2025-2026.",
        "Between 2019 and 2024 we moved twice, on 12.03.2020 and 2023-04-01.",
        "Room 204 on the 3rd floor, 12 people, 45 minutes each.",
        "The recipe wants 200-250 g of flour and 3 eggs.",
        "On Main Street there are 3 cafes.",
        "ISO 9001 and A4 paper, chapter 12-14.",
        "Take the 14:05 via platform 9, or the 16:35.",
        "Two roads to drive on; 20 ways to close a deal.",
    ],
)
def test_numbers_of_daily_life_are_let_through(text: str) -> None:
    assert list(identifying(text)) == []


@pytest.mark.parametrize("text", ["You bastard.", "What the FUCK is this?", "Go kill yourself.", "They are retarded."])
def test_words_that_offend_are_found(text: str) -> None:
    assert list(offensive(text))


@pytest.mark.parametrize(
    "text", ["Scunthorpe has a fine church.", "A cocktail, shiitake and assessments.", "Retardant paint, spicy beans."]
)
def test_words_that_hold_such_letters_are_let_through(text: str) -> None:
    assert list(offensive(text)) == []
