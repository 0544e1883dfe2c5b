"""What a statement measures: numbers with what they count, amounts of money, lengths of time."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.pages import Statement, dates_in
from recollect.offline.reading.words import stem
from recollect.text.dates.durations import find_durations
from recollect.text.numbers import find_numbers

_SIGN_BEFORE = re.compile(r"([$€£¥₹])\s*\Z")
_SIGN_BEHIND = re.compile(rf"\s*([$€£¥₹]|(?:{lexicon.CURRENCY_WORDS})\b)", re.IGNORECASE)
_LARGEST = 10**15


class Amount(NamedTuple):
    """A number and what it counts."""

    value: float
    sign: str
    """The currency; empty where it is no money."""
    nouns: tuple[str, ...]
    """Stems of up to three words that follow it in the same phrase."""


def amounts_in(statement: Statement) -> list[Amount]:
    """The numbers of a statement that are neither ordinals nor parts of dates or lengths of time."""
    text = statement.text
    times = [(date.start, date.end) for date in dates_in(text, statement.said)]
    times += [(length.start, length.end) for length in find_durations(text)]
    found = []
    for number in find_numbers(text):
        if number.ordinal or abs(number.value) > _LARGEST or any(a < number.end and number.start < b for a, b in times):
            continue
        before, behind = _SIGN_BEFORE.search(text[: number.start]), _SIGN_BEHIND.match(text, number.end)
        sign = before[1] if before else behind[1].casefold() if behind else ""
        following = [word.low for word in statement.sheet.words if word.start >= number.end][:3]
        nouns = tuple(map(stem, takewhile(lambda low: low not in lexicon.FUNCTION, following)))
        found.append(Amount(number.value, lexicon.CURRENCY_SIGNS.get(sign.removesuffix("s"), sign), nouns))
    return found


def lengths_in(statement: Statement) -> list[tuple[float, str]]:
    """Lengths of time in seconds, each with its words."""
    found = find_durations(statement.text)
    return [(one.seconds, statement.text[one.start : one.end]) for one in found if one.seconds < _LARGEST]


def written(value: float, sign: str = "") -> str:
    """A number as an answer: no needless decimals, the currency in front."""
    whole = float(value).is_integer()
    return f"{sign}{int(value) if whole else round(value, 2)}"
