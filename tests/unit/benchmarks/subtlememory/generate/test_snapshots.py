"""Dates of figures, and ways to mean one of them without saying its date."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.snapshots import COUNTS, anchor, draw_dates, said, said_month
from recollect.text.dates.calendars import MONTHS

BASE = GenerationSettings()


def month_in(text: str) -> int:
    found = re.search(rf"({'|'.join(MONTHS)}) (\d{{4}})", text)
    assert found is not None, text
    return int(found[2]) * 12 + MONTHS.index(found[1])


def meant(text: str, dates: tuple[date, ...]) -> list[int]:
    """Which figures a reader takes an anchor for, by its words alone."""
    month, months = month_in(text), [one.year * 12 + one.month - 1 for one in dates]
    if text.startswith("the last figure before"):
        return [max(at for at, one in enumerate(months) if one < month)]
    if text.startswith("the first figure after"):
        return [min(at for at, one in enumerate(months) if one > month)]
    if "right after" in text:
        return [months.index(month) + 1]
    if "right before" in text:
        return [months.index(month) - 1]
    count = next(number for number, words in enumerate(COUNTS) if words and f" {words} " in text)
    return [at for at, one in enumerate(months) if one == month + (count if "after" in text else -count)]


@pytest.mark.parametrize("count", [3, 4])
def test_an_anchor_means_its_figure_and_no_other(count: int) -> None:
    """600 series: read by its words, each of the six ways leads to the target; borders are none of the dates."""
    ways: set[str] = set()
    for seed in range(600):
        rng = Random(seed)
        dates = draw_dates(count, BASE, rng)
        target = rng.randrange(count)
        text = anchor(target, dates, "figure", rng)
        assert meant(text, dates) == [target], text
        assert said(dates[target]) not in text
        assert said_month(dates[target]) not in text
        if text.startswith(("the last", "the first")):
            assert not [one for one in dates if said_month(one) in text]
        ways.add(re.sub(rf"({'|'.join(MONTHS)}) \d+|{'|'.join(filter(None, COUNTS))}", "", text))
    assert len(ways) == 9


def test_dates_lie_apart_in_order_and_leave_time_for_sessions() -> None:
    """One day of the month, two months apart or more; the last within the first half of the span or before it."""
    inside = 0
    for seed in range(300):
        dates = draw_dates(4, BASE, Random(seed))
        assert len({one.day for one in dates}) == 1
        assert all(timedelta(days=58) <= other - one <= timedelta(days=124) for one, other in pairwise(dates))
        assert dates[-1] <= date(2025, 4, 1) + timedelta(days=183)
        inside += dates[-1] > date(2025, 4, 1)
    assert 100 < inside < 290


def test_the_authors_layout_looks_at_no_dates_so_all_lie_before_it() -> None:
    """Their sessions start on 1 April 2025."""
    settings = GenerationSettings(layout="authors", gap_days=0, gap_sessions=0)
    assert all(draw_dates(3, settings, Random(seed))[-1] <= date(2025, 4, 1) for seed in range(200))


def test_dates_are_said_in_plain_words() -> None:
    """Day, month, year."""
    assert said(date(2025, 6, 1)) == "1 June 2025"
    assert said_month(date(2024, 12, 9)) == "December 2024"
