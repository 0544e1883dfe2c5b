"""Numbers in English text: digits with separators, number words up to hundreds of millions, ordinals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
UNITS: Mapping[str, int] = {name: value for value, name in enumerate(_SMALL)}
_ROUND = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
TENS: Mapping[str, int] = {name: 10 * value for value, name in enumerate(_ROUND, start=2)}
SCALES: Mapping[str, int] = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ODD_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}


def _ordinal_word(cardinal: str) -> str:
    if cardinal in _ODD_ORDINALS:
        return _ODD_ORDINALS[cardinal]
    if cardinal.endswith("ve"):
        return cardinal[:-2] + "fth"
    return cardinal[:-1] + "ieth" if cardinal.endswith("y") else cardinal + "th"


ORDINALS: Mapping[str, str] = {_ordinal_word(name): name for name in (*UNITS, *TENS, "hundred", *SCALES)}

_CARDINAL = "|".join(sorted((*UNITS, *TENS, "hundred", *SCALES, "dozen"), key=len, reverse=True))
_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_WORD = rf"(?:{_CARDINAL}|{_ORDINAL})(?!\w)"
_ONE = r"an?(?=\s+(?:hundred|thousand|million|billion|dozen)\b)"
WORDS = rf"\b(?:{_ONE}|{_WORD})(?:(?:\s?-\s?|\s{{1,4}}(?:and\s{{1,4}})?){_WORD}){{0,20}}"
"""A run of number words, as the source of a regular expression; bounded, for a search may try it at every word."""
DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,18}(?!\d))(?:\.\d+)?"
"""A number of up to 18 digits, thousands parted by commas or not, as the source of a regular expression."""

_found = re.compile(
    rf"(?<!\w)(?<!\d[.,])(?P<digits>(?:(?<!\S)-)?{DIGITS})"
    r"(?:(?P<ordinal>st|nd|rd|th)\b|(?P<kilo>k)\b|\s+(?P<scale>hundred|thousand|million|billion)\b|(?!\w))"
    rf"|(?P<words>{WORDS})",
    re.IGNORECASE,
)
_word = re.compile(r"[a-z]+", re.IGNORECASE)


class Number(NamedTuple):
    """A number in a text."""

    value: float
    """Whole numbers are of type int."""
    start: int
    end: int
    ordinal: bool


def find_numbers(text: str) -> list[Number]:
    """All numbers of *text* in order: `1,250.5`, `3rd`, `5k`, `1.5 million`, `two hundred and six`, `twenty-first`."""
    found: list[Number] = []
    for match in _found.finditer(text):
        if not match["digits"]:
            found.extend(_of_words(text, *match.span()))
            continue
        digits = match["digits"].replace(",", "")
        scale = SCALES.get((match["scale"] or "").lower(), 100 if match["scale"] else 1)
        value = round((float(digits) if "." in digits else int(digits)) * (1_000 if match["kilo"] else scale), 9)
        found.append(Number(shorten(value), match.start(), match.end(), bool(match["ordinal"])))
    return found


def number_of(text: str) -> float | None:
    """The number that *text* is, or None where it is anything else or more than one; whole numbers are of type int."""
    text = text.strip()
    found = find_numbers(text)
    return found[0].value if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)) else None


def shorten(value: float) -> float:
    """The same number, of type int where it is whole."""
    return int(value) if value == int(value) else value


def _of_words(text: str, start: int, end: int) -> list[Number]:
    """The numbers in a run of number words: `two hundred` is one, `two three` are two."""
    found: list[Number] = []
    reading, first, last = _Reading(), start, start
    for match in _word.finditer(text, start, end):
        word = match[0].lower()
        if word == "and":
            reading.ended = reading.ended or not (reading.said == "hundred" or reading.said in SCALES)
            continue
        if not reading.takes(word):
            found.append(Number(reading.value, first, last, reading.said != reading.word))
            reading, first = _Reading(), match.start()
            reading.takes(word)
        last = match.end()
    return [*found, Number(reading.value, first, last, reading.said != reading.word)]


class _Reading:
    def __init__(self) -> None:
        self.done = 0
        self.group = 0
        self.scale = 10**12
        self.word = self.said = ""
        self.ended = False

    @property
    def value(self) -> int:
        return self.done + self.group

    def takes(self, word: str) -> bool:
        """Add *word* if it continues the number; after an ordinal nothing does."""
        cardinal = ORDINALS.get(word, word)
        number = 1 if word in ("a", "an") else UNITS.get(cardinal, TENS.get(cardinal))
        if self.ended or not (self._multiplies(cardinal) if number is None else self._adds(word, number)):
            return False
        self.ended = cardinal != word
        self.word, self.said = word, cardinal
        return True

    def _adds(self, word: str, number: int) -> bool:
        if word in ("a", "an"):
            fits = not self.said
        elif self.said == "zero" or (number == 0 and self.said):
            fits = False
        else:  # twenty has room for five, twelve and twenty-five have not
            fits = self.group % 100 == 0 or (number < 10 and self.said in TENS)
        if fits:
            self.group += number
            return True
        # Nineteen ninety-five, twenty twelve: a century before a number of two digits.
        year = self.done == 0 and 10 <= self.group <= 20 and number >= 10 and self.said not in ("dozen", "hundred")
        if year:
            self.group = 100 * self.group + number
        return year

    def _multiplies(self, word: str) -> bool:
        factor = SCALES.get(word, 12 if word == "dozen" else 100)
        too_much = not 1 <= self.group <= (999 if word in SCALES else 99)
        if (self.said and too_much) or factor >= self.scale:
            return False
        self.group = factor * (self.group or 1)
        if word in SCALES:
            self.done, self.group, self.scale = self.done + self.group, 0, factor
        return True
