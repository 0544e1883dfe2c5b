"""Lengths of time in English text: `3 days`, `two weeks`, `a year and a half`, `1h 20m`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.text.numbers import DIGITS, WORDS, find_numbers, shorten

MINUTE, HOUR, DAY = 60, 3_600, 86_400
WEEK, YEAR = 7 * DAY, 31_557_600
MONTH = YEAR // 12
"""A year is 365.25 days and a month a twelfth of it, 30.4375 days."""

_SECONDS: Mapping[str, int] = {
    **dict.fromkeys(("s", "sec", "second"), 1),
    **dict.fromkeys(("m", "min", "minute"), MINUTE),
    **dict.fromkeys(("h", "hr", "hour"), HOUR),
    **dict.fromkeys(("d", "day", "night"), DAY),
    **dict.fromkeys(("w", "wk", "week"), WEEK),
    "fortnight": 2 * WEEK,
    "month": MONTH,
    **dict.fromkeys(("y", "yr", "year"), YEAR),
    "decade": 10 * YEAR,
    **dict.fromkeys(("century", "centurie"), 100 * YEAR),
}
_PARTS: Mapping[str, float] = {"half": 0.5, "quarter": 0.25, "½": 0.5, "¼": 0.25, "¾": 0.75}

_AND_PART = r"(?:\s+and\s+(?:an?\s+)?(?:half|quarter)\b)"
AMOUNT = (
    rf"(?:(?:{DIGITS})?[½¼¾]|\b(?:an?|three)\s+quarters?\s+of\s+an?\b|{DIGITS}|{WORDS}|\bhalf(?:\s+an?\b)?|\b(?:an?\s+)?couple(?:\s+of\b)?"
    rf"|\b(?:a|an)\b){_AND_PART}?"
)
"""How many, as the source of a regular expression; `amount_of` reads it."""

_unit = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|wks?|fortnights?|months?|years?|yrs?)"
_part = re.compile(
    rf"(?:(?<![\w.,$€£])|(?<=\d[wdhm]))(?P<amount>{AMOUNT})"
    rf"(?:[\s-]*(?P<unit>{_unit}|decades?|centur(?:y|ies))\b|(?<=[\d½¼¾])(?P<letter>[ywdhms])(?![a-z_]))"
    rf"(?P<tail>{_AND_PART}(?!\s+(?:{_unit})\b))?",
    re.IGNORECASE,
)
_glue = re.compile(r"\s*(?:,\s*)?(?:and\s+)?")
_rate = re.compile(r"\b(?:once|twice|times?|every|each|per)\s+\Z", re.IGNORECASE)


class Duration(NamedTuple):
    """A length of time in a text."""

    seconds: float
    """Of type int where it is whole."""
    start: int
    end: int

    @property
    def days(self) -> float:
        """The same length in days."""
        return self.seconds / DAY


class _Part(NamedTuple):
    amount: float
    unit: int
    start: int
    end: int
    alone: bool
    """Whether it is clear by itself: `5m` and `90s` may be metres and years."""


def find_durations(text: str) -> list[Duration]:
    """All lengths of time in *text*, in order; `2 hours and 5 minutes` is one, `twice a week` is none."""
    found: list[Duration] = []
    run: list[_Part] = []
    for part in _parts(text):
        if run and not (part.unit < run[-1].unit and _glue.fullmatch(text, run[-1].end, part.start)):
            found.extend(_summed(run))
            run = []
        run.append(part)
    return [*found, *_summed(run)]


def amount_of(text: str) -> float | None:
    """The number of a text of the form `AMOUNT`; None for an ordinal, which is no length."""
    said = text.lower()
    if re.search(r"quarters?\s+of", said):
        return 0.75 if said.startswith("three") else 0.25
    share = sum(value for name, value in _PARTS.items() if name in said)
    if re.match(r"(?:an?\s+)?couple", said):
        return shorten(2 + share)
    numbers = find_numbers(said.rstrip("½¼¾"))
    if numbers:
        return None if numbers[0].ordinal or len(numbers) > 1 else shorten(numbers[0].value + share)
    return shorten(share + (not said.startswith(("half", "½", "¼", "¾"))))


def _parts(text: str) -> Iterable[_Part]:
    for match in _part.finditer(text):
        amount = amount_of(match["amount"])
        name = (match["unit"] or match["letter"]).lower()
        before = text[max(0, match.start() - 12) : match.start()]
        # `twice a week`, `a second time`: the article means *each*, or the unit is an ordinal.
        no_length = match["amount"].lower() in ("a", "an") and (name == "second" or _rate.search(before))
        if amount is None or no_length:
            continue
        tail = next((value for part, value in _PARTS.items() if part in (match["tail"] or "").lower()), 0)
        seconds = _SECONDS.get(name) or _SECONDS[name.removesuffix("s")]
        yield _Part(amount + tail, seconds, match.start(), match.end(), name not in ("m", "s"))


def _summed(run: list[_Part]) -> list[Duration]:
    if not run or not run[0].alone:
        return []
    return [Duration(shorten(sum(part.amount * part.unit for part in run)), run[0].start, run[-1].end)]
