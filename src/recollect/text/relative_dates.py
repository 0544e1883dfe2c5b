"""Dates told by their distance from an anchor: `yesterday`, `3 weeks ago`, `last Friday`, `the weekend before`.

Conventions: a week starts on Monday; *last* Friday is the latest before the anchor and *next* Friday the first after it,
*this* Friday the one of the anchor's week; last week, month and year are the calendar's; last weekend is the latest that
was over before the anchor. What is vague (`recently`, `a few days ago`) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from recollect.text.absolute_dates import MONTH, WEEKDAY, month_number
from recollect.text.calendars import WEEKDAYS, PartialDate, add_months
from recollect.text.durations import AMOUNT, amount_of

Grain = Literal["day", "weekend", "week", "month", "year"]
Lean = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression stands for."""

    value: PartialDate
    grain: Grain
    first: date
    last: date


def on_day(day: date) -> Reading:
    """The day itself."""
    return Reading(PartialDate.of(day), "day", day, day)


def in_month(day: date) -> Reading:
    """The calendar month of a day."""
    return _of_part(PartialDate(day.year, day.month), "month")


def in_year(year: int) -> Reading:
    """A calendar year."""
    return _of_part(PartialDate(year), "year")


def _of_part(value: PartialDate, grain: Grain) -> Reading:
    first, last = value.first, value.last
    if first is None or last is None:
        raise ValueError("a relative date needs a year")
    return Reading(value, grain, first, last)


def in_week(day: date, *, exact: bool = False) -> Reading:
    """The week of a day; its value is the Monday, or with *exact* the day."""
    monday = day - timedelta(days=day.weekday())
    return Reading(PartialDate.of(day if exact else monday), "week", monday, monday + timedelta(days=6))


def on_weekend(saturday: date) -> Reading:
    """The Saturday and Sunday."""
    return Reading(PartialDate.of(saturday), "weekend", saturday, saturday + timedelta(days=1))


def nearest_weekday(anchor: date, weekday: int, way: int) -> date:
    """The latest such day before the anchor (*way* -1), the first after it (1), or the one of its week (0)."""
    if way == 0:
        return anchor + timedelta(days=weekday - anchor.weekday())
    away = (weekday - anchor.weekday()) * way % 7 or 7
    return anchor + timedelta(days=way * away)


def weekend(anchor: date, way: int) -> Reading:
    """The latest weekend that was over before the anchor, that of the anchor's week, or the first that began after it."""
    saturday = anchor + timedelta(days=5 - anchor.weekday())
    if way < 0:
        return on_weekend(saturday - timedelta(days=7))
    return on_weekend(saturday + timedelta(days=7) if way and saturday <= anchor else saturday)
