"""What a statement measures: numbers with what they count, amounts of money, lengths of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.pages import Statement, dates_in
from recollect.offline.reading.words import Word, stem
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
    """Stems of the words that follow it in the same phrase."""
    start: int


def amounts_in(statement: Statement) -> list[Amount]:
    """The numbers of a statement that are neither ordinals nor parts of dates or lengths of time."""
    text, taken = statement.text, _times_in(statement)
    found = []
    for number in find_numbers(text):
        if number.ordinal or abs(number.value) > _LARGEST or any(a < number.end and number.start < b for a, b in taken):
            continue
        before, behind = _SIGN_BEFORE.search(text[: number.start]), _SIGN_BEHIND.match(text, number.end)
        sign = before[1] if before else behind[1].casefold() if behind else ""
        found.append(Amount(number.value, _one_sign(sign), _nouns(statement.sheet.words, number.end), number.start))
    return found


def lengths_in(statement: Statement) -> list[tuple[float, str]]:
    """Lengths of time in seconds, each with its words."""
    found = find_durations(statement.text)
    return [(one.seconds, statement.text[one.start : one.end]) for one in found if one.seconds < _LARGEST]


def _times_in(statement: Statement) -> list[tuple[int, int]]:
    dates = [(m.start, m.end) for m in dates_in(statement.text, statement.said)]
    return [*dates, *((d.start, d.end) for d in find_durations(statement.text))]


def _nouns(found: Sequence[Word], end: int) -> tuple[str, ...]:
    """Stems of up to three words behind a place, as far as no function word parts them."""
    nouns: list[str] = []
    for word in (w for w in found if w.start >= end):
        if word.low in lexicon.FUNCTION or len(nouns) == 3:
            break
        nouns.append(stem(word.low))
    return tuple(nouns)


def _one_sign(sign: str) -> str:
    return lexicon.CURRENCY_SIGNS.get(sign.removesuffix("s"), sign)


def written(value: float, sign: str = "") -> str:
    """A number as an answer: no needless decimals, the currency in front."""
    whole = float(value).is_integer()
    return f"{sign}{int(value) if whole else round(value, 2)}"
