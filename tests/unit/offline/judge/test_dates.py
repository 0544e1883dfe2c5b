from __future__ import annotations

import pytest

from recollect.offline.judge.dates import date_mentions, judge_dates
from recollect.offline.judge.texts import prepare
from recollect.text.dates.calendars import PartialDate

NO_QUESTION = prepare("")


@pytest.mark.parametrize(
    ("gold", "reply", "code"),
    [
        ("7 May 2023", "May 7th, 2023", "date_exact"),
        ("7 May 2023", "2023-05-07", "date_exact"),
        ("7 May 2023", "07/05/2023", "date_exact"),
        ("7 May 2023", "05/07/2023", "date_exact"),
        ("7 May 2023", "May 2023", "date_coarser"),
        ("7 May 2023", "7 May", "date_coarser"),
        ("7 May 2023", "8 May 2023", "date_other"),
        ("7 May 2023", "in spring", "date_missing"),
        ("May 2023", "7 May 2023", "date_finer"),
        ("2023", "in May 2023", "date_finer"),
        ("2023", "2023", "date_exact"),
        ("7 May", "7 May 2023", "date_finer"),
        ("the Friday before 20 July 2023", "14 July 2023", "date_exact"),
        ("the week before 20 July 2023", "12 July 2023", "date_finer"),
        ("the week before 20 July 2023", "20 July 2023", "date_other"),
        ("before 7 May 2023", "after 7 May 2023", "date_side"),
        ("early August 2023", "August 2023", "date_coarser"),
        ("3 to 7 August 2021", "from August 3 until August 7, 2021", "date_exact"),
        ("3 to 7 August 2021", "from 3 to 8 August 2021", "date_other"),
        ("2021-08-03 to 2021-08-07", "August 3-7, 2021", "date_exact"),
        ("2021-08-03 to 2021-08-07", "2021-08-03/2021-08-07", "date_exact"),
        ("2021-08-03 to 2021-08-07", "2021-08-03", "date_other"),
        ("9 June 2024", "It was moved from 2 June 2024 to 9 June 2024.", "date_exact"),
        ("2 June 2024", "It was moved from 2 June 2024 to 9 June 2024.", "date_other"),
    ],
)
def test_a_finer_date_passes_and_any_other_fails(gold: str, reply: str, code: str) -> None:
    """20 July 2023 was a Thursday, so the Friday before is the 14th and the week before starts on the 10th."""
    finding = judge_dates(NO_QUESTION, prepare(gold), prepare(reply))
    assert finding is not None
    assert finding.code == code
    assert finding.right == (code in ("date_exact", "date_finer"))


def test_a_reference_without_a_date_is_left_to_other_rules() -> None:
    assert judge_dates(NO_QUESTION, prepare("a red van"), prepare("5 May 2023")) is None


def test_what_a_reference_says_beside_its_date_must_be_said_too() -> None:
    finding = judge_dates(NO_QUESTION, prepare("a trip to Rome in May 2023"), prepare("a cold in May 2023"))
    assert finding is None


def test_a_year_is_read_in_running_text() -> None:
    finding = judge_dates(NO_QUESTION, prepare("2018"), prepare("the 2018 season"))
    assert finding is not None
    assert finding.right


def test_the_first_date_of_a_pair_takes_the_year_of_the_second() -> None:
    assert [when.value for when in date_mentions("3 August to 7 August 2021")] == [
        PartialDate(2021, 8, 3),
        PartialDate(2021, 8, 7),
    ]
