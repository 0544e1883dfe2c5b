"""Dates in English text, and their arithmetic; nothing reads a clock, what is relative needs its anchor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain

from recollect.text.dates.absolute import MONTH, Found, find_absolute, without_overlaps
from recollect.text.dates.calendars import (
    MONTHS,
    WEEKDAYS,
    PartialDate,
    SaidTime,
    Style,
    add_months,
    days_between,
    format_date,
    is_working_day,
    next_working_day,
    read_iso,
    weekday_name,
    working_days,
)
from recollect.text.dates.durations import Duration, duration_of, find_durations
from recollect.text.dates.phrases import Lean, phrase_before, phrases
from recollect.text.dates.relative import Grain, Reading

__all__ = [
    "MONTHS",
    "WEEKDAYS",
    "Duration",
    "Grain",
    "Lean",
    "Mention",
    "PartialDate",
    "SaidTime",
    "Style",
    "add_months",
    "days_between",
    "duration_of",
    "find_dates",
    "find_durations",
    "format_date",
    "is_working_day",
    "next_working_day",
    "parse_date",
    "read_iso",
    "weekday_name",
    "working_days",
]


@dataclass(frozen=True, slots=True)
class Mention:
    """A date that a text names."""

    value: PartialDate
    """Of a week its Monday, of a weekend its Saturday; of `3 weeks ago` the same weekday."""
    start: int
    end: int
    grain: Grain
    """How long the time is that the words mean."""
    first: date | None
    """First day of that time; None where no year is known."""
    last: date | None
    relative: bool
    """Whether it hangs on the anchor or on another date."""


_filler = r"\b(?:on|in|at|the|it|was|is|about|around|during|early|mid|late)\b"
_glue = re.compile(rf"(?:\s|[.,;:!?()\"'“”‘’]|{_filler})*", re.IGNORECASE)
_hint = re.compile(
    rf"\d{{4}}|\d[./-]\d|day|night|morning|noon|evening|tomorrow|week|month|year|decade|(?<![a-z]){MONTH}",
    re.IGNORECASE,
)
"""Stands in every text that names a date; most texts are done with when it does not."""
_other_year = re.compile(r"\s*,?\s*(?:of\s+)?(last|this|next)\s+year\b", re.IGNORECASE)
_clock = re.compile(r"(?:,?\s*(?:at\s+)?\d{1,2}(?::\d{2}){0,2}\s*(?:[ap]\.?m\.?)?\s*(?:on\s+|,\s*)?)?", re.IGNORECASE)


def find_dates(text: str, anchor: date | None = None, *, lean: Lean = "past", day_first: bool = False) -> list[Mention]:
    """The dates that *text* names, in order and without overlap.

    Args:
        text: Any text.
        anchor: The day that `yesterday` and the like are told from; without it they are not found.
        lean: Which way a bare weekday and a date without a year are meant, seen from the anchor; without an anchor the
            year stays unknown.
        day_first: Whether `3/4/2023` is 3 April.
    """
    if _hint.search(text) is None:
        return []
    return without_overlaps(chain(_absolute(text, anchor, lean, day_first), _relative(text, anchor, lean)))


def parse_date(
    text: str, anchor: date | None = None, *, lean: Lean = "past", day_first: bool = False
) -> PartialDate | None:
    """The one date that *text* is, or None where it is anything else; a clock time beside it may stand."""
    found = find_dates(text, anchor, lean=lean, day_first=day_first)
    if len(found) != 1:
        return None
    around = (text[: found[0].start], text[found[0].end :])
    return found[0].value if all(_glue.fullmatch(_clock.sub("", part, count=1)) for part in around) else None


def _absolute(text: str, anchor: date | None, lean: Lean, day_first: bool) -> Iterator[Mention]:
    for one in find_absolute(text, day_first=day_first):
        full = one if anchor is None or one.value.year is not None else _with_year(text, one, anchor, lean)
        hanging = phrase_before(text, full.start, full.value)
        if hanging is not None:
            yield _mention(hanging.reading, hanging.start, full.end)
        else:
            grain: Grain = "day" if full.value.day else "month" if full.value.month else "year"
            yield Mention(full.value, full.start, full.end, grain, full.value.first, full.value.last, relative=False)


def _relative(text: str, anchor: date | None, lean: Lean) -> Iterator[Mention]:
    if anchor is not None:
        yield from (_mention(one.reading, one.start, one.end) for one in phrases(text, anchor, lean))


def _mention(reading: Reading, start: int, end: int) -> Mention:
    return Mention(reading.value, start, end, reading.grain, reading.first, reading.last, relative=True)


def _with_year(text: str, found: Found, anchor: date, lean: Lean) -> Found:
    """The same date in the year that the words after it say, else in the nearest year on the side it leans to."""
    said = _other_year.match(text, found.end)
    if said:
        shift = {"last": -1, "this": 0, "next": 1}[said[1].lower()]
        return Found(_in_year(found.value, anchor.year + shift) or found.value, found.start, said.end())
    years = range(anchor.year, anchor.year - 9, -1) if lean == "past" else range(anchor.year, anchor.year + 9)
    fitting = (value for year in years if (value := _in_year(found.value, year)) and _fits(value, anchor, lean))
    return found._replace(value=next(fitting, found.value))


def _in_year(value: PartialDate, year: int) -> PartialDate | None:
    try:
        return PartialDate(year, value.month, value.day)
    except ValueError:
        return None


def _fits(value: PartialDate, anchor: date, lean: Lean) -> bool:
    edge = value.first if lean == "past" else value.last
    return edge is not None and (edge <= anchor if lean == "past" else edge >= anchor)
