from __future__ import annotations

import pytest

from recollect.offline.judge.amounts import judge_durations, judge_number, numbers_missing
from recollect.offline.judge.texts import prepare

HOW_LONG = prepare("How long was it?")
HOW_MANY = prepare("How many chapters are there?")


@pytest.mark.parametrize(
    ("gold", "reply", "code", "right"),
    [
        ("two weeks", "14 days", "duration", True),
        ("three months", "90 days", "duration", True),  # 91.3 days, 1.4 % off
        ("11 years", "12 years", "duration_other", False),  # 9 % off
        ("a year and a half", "18 months", "duration", True),
        ("two years", "over two decades", "duration_other", False),
        ("a year ago", "two years ago", "duration_other", False),
        ("45 minutes", "45", "duration_missing", False),
        ("3 days", "3 days or 4 days", "duration_alternatives", False),
    ],
)
def test_lengths_of_time_are_compared_in_days(gold: str, reply: str, code: str, right: bool) -> None:
    finding = judge_durations(HOW_LONG, prepare(gold), prepare(reply))
    assert finding is not None
    assert (finding.code, finding.right) == (code, right)


def test_a_bare_number_is_taken_in_the_unit_that_was_asked_for() -> None:
    finding = judge_durations(prepare("How many years has it been?"), prepare("11 years"), prepare("11"))
    assert finding is not None
    assert finding.right


def test_a_rate_is_no_length_of_time() -> None:
    assert judge_durations(HOW_LONG, prepare("twice a week"), prepare("2 weeks")) is None


@pytest.mark.parametrize(
    ("gold", "reply", "code", "right"),
    [
        ("7", "seven", "number", True),
        ("7", "7 of 12 chapters", "number", True),
        ("7", "12 chapters, 7 of them long", "number_other", False),
        ("7", "12 in all, 7 of them long", "number_later", False),
        ("7", "it grew from 6 to 7", "number", True),
        ("7", "it fell from 7 to 6", "number_left", False),
        ("7", "6 or 7", "number_alternatives", False),
        ("7", "7/8", "number_alternatives", False),
        ("7", "fewer than 7", "number_bound", False),
        ("7", "17", "number_other", False),
        ("7", "some", "number_missing", False),
        ("$1,250", "1250 dollars", "number", True),
        ("$1,250", "1250 euros", "unit_other", False),
        ("15,000", "15k", "number", True),
        ("2.5 million", "2,500,000", "number", True),
        ("63%", "63 percent", "number", True),
        ("about 40", "40", "number", True),
    ],
)
def test_the_first_number_counts(gold: str, reply: str, code: str, right: bool) -> None:
    finding = judge_number(HOW_MANY, prepare(gold), prepare(reply))
    assert finding is not None
    assert (finding.code, finding.right) == (code, right)


def test_a_number_beside_other_words_is_left_to_other_rules() -> None:
    assert judge_number(HOW_MANY, prepare("Pixel 8"), prepare("8")) is None


def test_every_number_of_the_reference_must_be_said() -> None:
    finding = numbers_missing(HOW_MANY, prepare("flight LH 452"), prepare("flight LH 425"))
    assert finding is not None
    assert finding.why == "number_missing: 452"
    assert numbers_missing(HOW_MANY, prepare("flight LH 452"), prepare("LH452")) is None
