"""Dates that say their month or year themselves: `12 March 2023`, `March 12th`, `2023/03/12`, `12.03.2023`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from recollect.text.dates.calendars import MONTHS, PartialDate
from recollect.text.numbers import ORDINALS, number_of

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT_WEEKDAY = rf"(?:{WEEKDAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?"
_ORDINAL = rf"(?:(?:twenty|thirty)[\s-]+)?(?:{'|'.join(ORDINALS)})"
_SUFFIX = r"(?:st|nd|rd|th)\b"
_DAY = (
    rf"(?P<d>\d{{1,2}}{_SUFFIX}|\d{{1,2}}(?![\d_:])(?=\W|\Z|{MONTH})|{_ORDINAL}\b)"
    rf"(?:\s*[-–]\s*\d{{1,2}}(?:{_SUFFIX}|\b))?"
)
_YEAR = r"(?P<y>(?:1\d|2[01])\d{2})(?!\d|:\d)"
_LEAD = r"(?<![\w.:,/$])(?:the\s+)?"
_CLOCK = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z\b|[+-]\d{2}:?\d{2}\b)?)?"
_NAMED = rf"(?P<m>{MONTH})"
_NOT_CLOCK = r"(?!\s*[ap]\.?m\b)"
_CUE = r"\b(?:in|since|during|by|until|till|from|before|after|around|early|mid|late|end\s+of|start\s+of)[\s-]+"
_YEAR_CUE = rf"(?:{_CUE}|\byear\s+|\b(?:spring|summer|autumn|fall|winter|beginning)\s+of\s+)(?:the\s+year\s+)?"

_forms = tuple(
    re.compile(source, re.IGNORECASE)
    for source in (
        rf"(?<![\w.-])(?P<y>\d{{4}})-(?P<m>\d{{2}})-(?P<d>\d{{2}})(?!\d){_CLOCK}",
        r"(?<![\w./-])(?P<y>\d{4})(?P<sep>[/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d/])",
        r"(?<![\w./-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?![\d/])",
        r"(?<![\w./-])(?P<a>\d{1,2})(?P<sep>[/-])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?![\d/-])",
        rf"{_LEAD}{_DAY}(?:\s+of\s+|[\s-]*){_NAMED}(?:(?:,|\s+of)?[\s-]*{_YEAR})?",
        rf"\b{_YEAR},?\s+{_NAMED}\s+{_DAY}{_NOT_CLOCK}",
        rf"{_LEAD}\b{_NAMED}\s+(?:the\s+)?{_DAY}{_NOT_CLOCK}(?:(?:,|\s+of)?\s*{_YEAR})?",
        rf"\b{_NAMED}(?:,?\s+(?:of\s+)?|(?<=\.)){_YEAR}",
        r"(?<![\w.-])(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])(?![\w-])",
    )
)
_alone = (
    re.compile(rf"{_CUE}{_NAMED}(?![\s-]*[\d'])", re.IGNORECASE),
    re.compile(rf"{_YEAR_CUE}(?P<y>(?:19|20)\d{{2}})(?![\w%-]|[.,:/]\d)", re.IGNORECASE),
)
_weekday_before = re.compile(rf"\b{_SHORT_WEEKDAY},?\s+\Z", re.IGNORECASE)
_whole = re.compile(rf"\W*(?:{_NAMED}|{_YEAR})\W*", re.IGNORECASE)


class Found(NamedTuple):
    """A date in a text."""

    value: PartialDate
    start: int
    end: int


class Span(Protocol):
    """A part of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Span)


def find_absolute(text: str, *, day_first: bool = False) -> list[Found]:
    """Dates in *text*, in order and without overlap; the fullest reading of each.

    Args:
        text: Any text.
        day_first: Whether `3/4/2023` is 3 April; a number over 12 decides by itself, and dots always put the day first.
    """
    candidates: list[Found] = []
    for match in (match for form in _forms for match in form.finditer(text)):
        value = _read(match.groupdict(), day_first)
        if value is not None:
            look_back = max(0, match.start() - 16)
            weekday = _weekday_before.search(text[look_back : match.start()])
            start = look_back + weekday.start() if weekday else match.start()
            candidates.append(Found(value, start, match.end()))
    whole = _whole.fullmatch(text)
    for match in [*([whole] if whole else []), *(match for form in _alone for match in form.finditer(text))]:
        group = "m" if match.groupdict().get("m") else "y"
        value = _read(match.groupdict(), day_first)
        if value is not None and (group == "y" or match[group][0].isupper()):
            candidates.append(Found(value, *match.span(group)))
    return without_overlaps(candidates)


def without_overlaps(candidates: Iterable[P]) -> list[P]:
    """Those that do not overlap an earlier candidate, in the order of the text."""
    kept: list[P] = []
    for one in candidates:
        index = bisect_left(kept, one.end, key=lambda other: other.start)
        if index == 0 or kept[index - 1].end <= one.start:
            kept.insert(index, one)
    return kept


def month_number(name: str) -> int:
    """1 to 12, by the first three letters."""
    return next(number for number, month in enumerate(MONTHS, start=1) if month[:3].lower() == name[:3].lower())


def _read(groups: Mapping[str, str | None], day_first: bool) -> PartialDate | None:
    """The date of the named parts, or None where they make none."""
    year, month, day = groups.get("y"), groups.get("m"), groups.get("d")
    first, second = groups.get("a"), groups.get("b")
    if first and second:
        day_leads = int(first) > 12 or (day_first and int(second) <= 12)
        month, day = (second, first) if day_leads else (first, second)
    if month in ("may", "march", "mar") and day is not None and day[0].isalpha() and not year:
        return None
    number = int(year) if year else None
    if number is not None and len(year or "") <= 2:  # two digits are of 1970 to 2069
        number += 1900 if number >= 70 else 2000
    month_of_year = None if month is None else int(month) if month.isdigit() else month_number(month)
    try:
        return PartialDate(number, month_of_year, None if day is None else int(number_of(day) or 0))
    except ValueError:
        return None
