"""Dates relative to an anchor: 3 weeks ago, last Friday, the weekend before.

Conventions: a week starts on Monday; *last* Friday is the latest before the anchor, *next* Friday the first after it,
*this* Friday the one of the anchor's week; last week, month and year are the calendar's; last weekend is the latest
that was over before the anchor.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from recollect.text.dates.absolute import month_number
from recollect.text.dates.calendars import WEEKDAYS, PartialDate, add_months, length

Grain = Literal["day", "weekend", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The time that an expression means."""

    value: PartialDate
    grain: Grain
    first: date
    last: date


def on_day(day: date) -> Reading:
    """A reading of one day."""
    return Reading(PartialDate.of(day), "day", day, day)


def in_month(day: date) -> Reading:
    """The calendar month of a day."""
    first = day.replace(day=1)
    return Reading(PartialDate(day.year, day.month), "month", first, first.replace(day=length(day.year, day.month)))


def in_week(day: date, *, exact: bool = False) -> Reading:
    """The week of a day; its value is the Monday, or with *exact* the day."""
    monday = day - timedelta(days=day.weekday())
    return Reading(PartialDate.of(day if exact else monday), "week", monday, monday + timedelta(days=6))


def on_weekend(saturday: date) -> Reading:
    """A Saturday with its Sunday."""
    return Reading(PartialDate.of(saturday), "weekend", saturday, saturday + timedelta(days=1))


def nearest_weekday(anchor: date, weekday: int, way: int) -> date:
    """The latest such day before the anchor (*way* -1), the first after it (1), or the one of its week (0)."""
    if way == 0:
        return anchor + timedelta(days=weekday - anchor.weekday())
    away = (weekday - anchor.weekday()) * way % 7 or 7
    return anchor + timedelta(days=way * away)


def weekend(anchor: date, way: int) -> Reading:
    """The latest weekend over before the anchor, that of the anchor's week, or the first to begin after it."""
    saturday = anchor + timedelta(days=5 - anchor.weekday())
    if way < 0:
        return on_weekend(saturday - timedelta(days=7))
    return on_weekend(saturday + timedelta(days=7) if way and saturday <= anchor else saturday)


def shifted(anchor: date, amount: float, unit: str) -> Reading:
    """So many days, weeks, weekends, months, years or decades after the anchor, or before it where negative."""
    if unit == "weekend":
        nearest = weekend(anchor, 1 if amount > 0 else -1)
        return on_weekend(nearest.first + timedelta(days=7 * (round(amount) - (1 if amount > 0 else -1))))
    if unit in ("month", "year", "decade"):
        months = round(amount * {"month": 1, "year": 12, "decade": 120}[unit])
        day = add_months(anchor, months)
        if unit == "month" or months % 12:
            return in_month(day)
        return Reading(PartialDate(day.year), "year", date(day.year, 1, 1), date(day.year, 12, 31))
    day = anchor + timedelta(days=round(amount * {"day": 1, "week": 7, "fortnight": 14}[unit]))
    return on_day(day) if unit == "day" else in_week(day, exact=True)


def adjacent(anchor: date, what: str, way: int) -> Reading:
    """The day, week, weekend, month, year, weekday or month name before (-1), at (0) or after (1) the anchor."""
    what = what.lower()
    if what.endswith("day") and what != "day":
        return on_day(nearest_weekday(anchor, weekday_number(what), way))
    if what == "weekend":
        return weekend(anchor, way)
    if what == "week":
        return in_week(anchor + timedelta(days=7 * way))
    if what in ("day", "month", "year"):
        return shifted(anchor, way, what)
    month = month_number(what)
    year = anchor.year + (way if (anchor.month - month) * way >= 0 else 0)
    return in_month(date(year, month, 1))


def nth_in_month(month: date, what: str, which: int) -> Reading:
    """The first (1) to fifth, or the last (-1), weekday, weekend or week of a month; a week is where its Thursday is.

    Raises:
        ValueError: If the month has no such one.
    """
    wanted = {"weekend": 5, "week": 3}.get(what.lower())
    first = month.replace(day=1)
    edge = first - timedelta(days=1) if which > 0 else add_months(first, 1)
    nearest = nearest_weekday(edge, weekday_number(what) if wanted is None else wanted, 1 if which > 0 else -1)
    day = nearest + timedelta(days=7 * (which - 1) if which > 0 else 0)
    if day.month != month.month:
        raise ValueError(f"{month:%Y-%m} has no {what} number {which}")
    if wanted is None:
        return on_day(day)
    return on_weekend(day) if what.lower() == "weekend" else in_week(day)


def weekday_number(name: str) -> int:
    """0 for Monday to 6, by the first three letters."""
    return next(number for number, weekday in enumerate(WEEKDAYS) if weekday.lower().startswith(name[:3].lower()))
