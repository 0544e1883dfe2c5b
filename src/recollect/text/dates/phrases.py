"""English phrases for dates relative to another date, and their readings.

Vague ones (`recently`, `a few days ago`) are not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Literal, NamedTuple

from recollect.text.dates.absolute import MONTH, WEEKDAY
from recollect.text.dates.calendars import PartialDate
from recollect.text.dates.durations import AMOUNT, amount_of
from recollect.text.dates.relative import (
    Reading,
    adjacent,
    nearest_weekday,
    nth_in_month,
    on_day,
    shifted,
    weekday_number,
)  # fmt: skip
from recollect.text.numbers import number_of

Lean = Literal["past", "future"]


class Phrase(NamedTuple):
    """A phrase with its reading."""

    reading: Reading
    start: int
    end: int


_WAYS: Mapping[str, int] = {
    **dict.fromkeys(("last", "past", "previous", "this past"), -1),
    **dict.fromkeys(("this", "current"), 0),
    **dict.fromkeys(("next", "coming", "upcoming", "following", "this coming"), 1),
}
_FIXED: Mapping[str, int] = {
    **dict.fromkeys(("today", "tonight", "this morning", "this afternoon", "this evening"), 0),
    **dict.fromkeys(("day before yesterday", "night before last"), -2),
    **dict.fromkeys(("yesterday", "last night", "last evening"), -1),
    "day after tomorrow": 2,
    "tomorrow": 1,
}


def _any_of(names: Mapping[str, int]) -> str:
    """Longer names first, any white space between their words."""
    return "|".join(name.replace(" ", r"\s+") for name in sorted(names, key=len, reverse=True))


_THE = r"\b(?:the\s+)?"
_UNIT = r"(?P<unit>day|week|fortnight|weekend|month|year|decade)s?\b(?P<half>\s+and\s+a\s+half\b)?"
_HOW_MANY = rf"(?<![\w.,$€£])(?P<amount>{AMOUNT})[\s-]*{_UNIT}"
_WHAT = rf"(?P<what>day|weekend|week|month|year|{WEEKDAY})\b"
_NAMED = rf"(?P<what>weekend|week|month|year|{WEEKDAY}|{MONTH})(?!\w)"
_BEFORE, _AFTER = r"(?P<past>before|prior\s+to|preceding)", r"after|following|from"
_END = r"(?=\s*(?:[.,;:!?)\]\"”]|$))"
_WHICH = r"(?P<which>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last)"


def _number(match: re.Match[str], names: Mapping[str, int], group: str) -> int:
    return names[" ".join(match[group].lower().split())]


def _shift(match: re.Match[str], anchor: date, _: Lean) -> Reading | None:
    groups, amount = match.groupdict(), amount_of(match["amount"])
    if not amount:
        return None
    amount += 0.5 if groups.get("half") else 0
    return shifted(anchor, -amount if groups.get("past") else amount, match["unit"].lower())


def _beside(match: re.Match[str], anchor: date, _: Lean) -> Reading | None:
    verb_like = match["what"] in ("may", "march", "mar")
    return None if verb_like else adjacent(anchor, match["what"], _number(match, _WAYS, "way"))


def _side(match: re.Match[str], anchor: date, _: Lean) -> Reading:
    way = -1 if match["past"] else 1
    nearest = adjacent(anchor, match["what"], way)
    return adjacent(nearest.first, match["what"], way) if match.groupdict().get("twice") else nearest


def _bare_weekday(match: re.Match[str], anchor: date, lean: Lean) -> Reading:
    number = weekday_number(match["what"])
    if number == anchor.weekday():
        return on_day(anchor)
    return on_day(nearest_weekday(anchor, number, -1 if lean == "past" else 1))


def _nth(match: re.Match[str], anchor: date, _: Lean) -> Reading:
    which = -1 if match["which"].lower() == "last" else int(number_of(match["which"]) or 0)
    return nth_in_month(anchor, match["what"], which)


Reader = Callable[[re.Match[str], date, Lean], Reading | None]
Rules = tuple[tuple[re.Pattern[str], Reader], ...]


def _rules(*rules: tuple[str, Reader]) -> Rules:
    return tuple((re.compile(source, re.IGNORECASE), reader) for source, reader in rules)


_from_anchor = _rules(
    (
        rf"{_THE}(?P<fixed>{_any_of(_FIXED)})\b",
        lambda match, anchor, _: on_day(anchor + timedelta(days=_number(match, _FIXED, "fixed"))),
    ),
    (
        rf"{_HOW_MANY}\s+(?:(?P<past>ago|earlier|back|before{_END})|later|hence|from\s+(?:now|today)|after{_END})\b",
        _shift,
    ),
    (rf"\bin\s+{_HOW_MANY}(?:['’]s?)?(?:\s+time\b)?", _shift),
    (
        rf"{_THE}(?P<what>{WEEKDAY})\s+(?:of\s+)?(?P<way>last|this|next)\s+week\b",
        lambda match, anchor, _: adjacent(anchor + timedelta(days=7 * _number(match, _WAYS, "way")), match["what"], 0),
    ),
    (rf"{_THE}(?P<way>{_any_of(_WAYS)})\s+{_NAMED}", _beside),
    (rf"{_THE}(?P<way>previous|next|following)\s+(?P<what>day)\b", _beside),
    (rf"\bthe\s+{_WHAT}\s+(?:(?P<past>before)|after)(?P<twice>\s+(?:last|next))?{_END}", _side),
    (rf"\b(?:on\s+)?(?P<what>{WEEKDAY})\b", _bare_weekday),
)
_TO_DATE = r"\s+(?:the\s+)?\Z"
_from_day = _rules(
    (rf"{_HOW_MANY}\s+(?:{_BEFORE}|{_AFTER}){_TO_DATE}", _shift),
    (rf"{_THE}{_WHAT}\s+(?:{_BEFORE}|{_AFTER}){_TO_DATE}", _side),
    (rf"{_THE}(?P<what>week|weekend)\s+of{_TO_DATE}", lambda match, anchor, _: adjacent(anchor, match["what"], 0)),
)
_from_month = _rules(
    (rf"{_THE}{_WHICH}\s+(?P<what>weekend|week|{WEEKDAY})\s+(?:of|in){_TO_DATE}", _nth),
    (
        rf"(?<![\w.,$€£])(?P<amount>{AMOUNT})[\s-]*(?P<unit>month|year|decade)s?\s+(?:{_BEFORE}|{_AFTER}){_TO_DATE}",
        _shift,
    ),
    (rf"{_THE}(?P<what>month|year)\s+(?:{_BEFORE}|{_AFTER}){_TO_DATE}", _side),
)
_LOOK_BACK = 60


def phrases(text: str, anchor: date, lean: Lean) -> Iterator[Phrase]:
    """All phrases relative to the anchor; the more specific readings first, overlaps included."""
    for pattern, reader in _from_anchor:
        for match in pattern.finditer(text):
            reading = _tried(reader, match, anchor, lean)
            if reading is not None:
                yield Phrase(reading, *match.span())


def phrase_before(text: str, place: int, value: PartialDate) -> Phrase | None:
    """The phrase relative to a date that ends where the date starts: `the Friday before` 20 July 2023."""
    anchor, start = value.first, max(0, place - _LOOK_BACK)
    if anchor is None:
        return None
    for pattern, reader in _from_month if value.day is None else _from_day:
        match = pattern.search(text[start:place])
        reading = _tried(reader, match, anchor, "past") if match else None
        if match and reading:
            return Phrase(reading, start + match.start(), place)
    return None


def _tried(reader: Reader, match: re.Match[str], anchor: date, lean: Lean) -> Reading | None:
    """None too where the calendar has no such day: 5,000 years ago, the fifth Friday of a month with four."""
    try:
        return reader(match, anchor, lean)
    except (ValueError, OverflowError):
        return None
