"""Dates in English text; no clock is read, relative dates need an anchor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from itertools import chain

from recollect.text.dates.absolute import MONTH, Found, find_absolute, without_overlaps
from recollect.text.dates.calendars import PartialDate
from recollect.text.dates.phrases import Lean, phrase_before, phrases
from recollect.text.dates.relative import Grain, Reading


@dataclass(frozen=True, slots=True)
class Mention:
    """A date that a text names."""

    value: PartialDate
    """Of a week its Monday, of a weekend its Saturday; of `3 weeks ago` the same weekday."""
    start: int
    end: int
    grain: Grain
    """Length of the time that the words mean."""
    first: date | None
    """First day of that time; None without a year."""
    last: date | None
    relative: bool
    """Whether it is relative to the anchor or to another date."""


_hint = re.compile(
    rf"\d{{4}}|\d[./-]\d|day|night|morning|noon|evening|tomorrow|week|month|year|decade|(?<![a-z]){MONTH}",
    re.IGNORECASE,
)
"""Matches in every text that names a date; spares the work for most others."""
_other_year = re.compile(r"\s*,?\s*(?:of\s+)?(last|this|next)\s+year\b", re.IGNORECASE)


def find_dates(text: str, anchor: date | None = None, *, lean: Lean = "past", day_first: bool = False) -> list[Mention]:
    """The dates that *text* names, in order and without overlap.

    Args:
        text: Any text.
        anchor: The day that `yesterday` and the like are relative to; without it they are not found.
        lean: Whether a bare weekday and a date without a year are before or after the anchor; without an anchor the
            year stays unknown.
        day_first: Whether `3/4/2023` is 3 April.
    """
    if _hint.search(text) is None:
        return []
    absolute = (_absolute(text, one, anchor, lean) for one in find_absolute(text, day_first=day_first))
    relative = phrases(text, anchor, lean) if anchor is not None else ()
    return without_overlaps(chain(absolute, (_mention(one.reading, one.start, one.end) for one in relative)))


def _absolute(text: str, found: Found, anchor: date | None, lean: Lean) -> Mention:
    full = found if anchor is None or found.value.year is not None else _with_year(text, found, anchor, lean)
    phrase = phrase_before(text, full.start, full.value)
    if phrase is not None:
        return _mention(phrase.reading, phrase.start, full.end)
    grain: Grain = "day" if full.value.day else "month" if full.value.month else "year"
    return Mention(full.value, full.start, full.end, grain, full.value.first, full.value.last, relative=False)


def _mention(reading: Reading, start: int, end: int) -> Mention:
    return Mention(reading.value, start, end, reading.grain, reading.first, reading.last, relative=True)


def _with_year(text: str, found: Found, anchor: date, lean: Lean) -> Found:
    """The same date in the year that the words after it say, else in the nearest year on the side it leans to."""
    other = _other_year.match(text, found.end)
    if other:
        shift = {"last": -1, "this": 0, "next": 1}[other[1].lower()]
        return Found(_in_year(found.value, anchor.year + shift) or found.value, found.start, other.end())
    for distance in range(9):
        value = _in_year(found.value, anchor.year + (-distance if lean == "past" else distance))
        edge = None if value is None else value.first if lean == "past" else value.last
        if value is not None and edge is not None and (edge <= anchor if lean == "past" else edge >= anchor):
            return found._replace(value=value)
    return found


def _in_year(value: PartialDate, year: int) -> PartialDate | None:
    try:
        return PartialDate(year, value.month, value.day)
    except ValueError:
        return None
