"""Checks shared by the steps: values, dates, conditions that would settle a conflict, and unfit content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from recollect.making.steps import Check, Given
from recollect.text.dates.mentions import find_dates
from recollect.text.normal import normalise
from recollect.text.sentences import split
from recollect.worlds.checks import outright, says, substance

Texts = Callable[[Any], Iterable[str]]
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_NAME_LENGTH = 4
"""A single capitalised word of at least this many letters is taken for a name."""
_BETRAYS = re.compile(
    r"\b(?:benchmarks?|data ?sets?|ground truth|memory_ids?|memor(?:y|ies)|sessions?|distractors?|canonical answer"
    r"|complementary|nuanced?|contradict\w*|conflicting (?:claims?|facts?)|test (?:case|item)s?)\b",
    re.IGNORECASE,
)
FINE = "fine"
CONTENTS = (FINE, "identifying", "offensive")
"""Content labels that the filters choose from."""
_STREETS = "street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|terrace|square|close|crescent|highway"
_IDENTIFYING: Mapping[str, re.Pattern[str]] = {
    "e-mail address": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b", re.IGNORECASE),
    "web address": re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE),
    "phone number": re.compile(
        r"(?<![\w.])(?:\+\d{1,3}[ .-]?)(?:\(?\d{1,4}\)?[ .-]?){2,5}\d\b"
        r"|(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w)"
        r"|(?<![\w.-])0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5}(?!\w)"
    ),
    "street address": re.compile(
        rf"\b\d{{1,5}}[a-z]?,?\s+(?:[A-Z][\w'-]+\s+){{1,3}}(?i:{_STREETS})\b\.?"
        r"|\b[A-Z][\w-]*(?:straße|strasse|gasse|allee)\s+\d{1,4}\b"
    ),
    "card or account number": re.compile(
        r"(?<![\w.-])(?:\d{4}[ -]){3}\d{1,7}(?!\w)|(?<![\w.])\d{12,19}(?!\w)"
        r"|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"
    ),
    "number of a document": re.compile(
        r"(?<![\w.-])\d{3}-\d{2}-\d{4}(?!\w)|\b[A-Z]{1,2}\d{7,9}\b"
        r"|(?i:\b(?:passport|licen[cs]e|social security|insurance|account|id)\s+(?:number|no\.?|#)"
        r"\s*:?\s*[a-z]*\d[\w-]{3,})"
    ),
    "handle": re.compile(r"(?<![\w/.@])@[A-Za-z]\w{2,}"),
}
_OFFENSIVE = re.compile(
    r"\b(?:"
    r"f+u+c+k\w*|motherf\w+|shit(?:ty|s|head\w*)?|bullshit|cunts?|bitch(?:es|y)?|bastards?|assholes?|arseholes?|dickheads?"
    r"|wank\w*|slut\w*|whor(?:e|es|ing)|nigg(?:er|a)s?|fag(?:got)?s?|retard(?:ed|s)?|kike?s|spics?|chinks?|trann(?:y|ies)"
    r"|porn\w*|kill (?:yourself|himself|herself|themselves)|subhumans?|vermin (?:people|race)"
    r")\b",
    re.IGNORECASE,
)


def names(text: str, accepted: Iterable[str]) -> bool:
    """Whether *text* contains one of the wordings of a value."""
    return any(says(text, wording) for wording in accepted)


def telling(text: str, value: str) -> bool:
    """Whether *text* contains *value*, unless it is a common word or a single character that may occur by chance."""
    name = value.strip()
    if not says(text, name) or len(name) == 1:
        return False
    if len(substance(name)) > 1 or any(sign.isdigit() for sign in name):
        return True
    return len(name) >= _NAME_LENGTH and name[:1].isupper() and re.search(rf"\b{re.escape(name)}\b", text) is not None


def states(text: str, statement: str, accepted: Iterable[str]) -> str:
    """The first sentence of *text* that repeats nearly all of *statement* with a value; empty if there is none."""
    values = tuple(accepted)
    return next((sentence for sentence in outright(statement, split(text)) if names(sentence, values)), "")


def names_date(text: str, day: str) -> bool:
    """Whether *text* mentions the date *day*, in any notation."""
    return day in text or any(mention.value.exact == date.fromisoformat(day) for mention in find_dates(text))


def dated(text: str) -> str:
    """The first date or year in *text*; empty if there is none."""
    found = next((text[mention.start : mention.end] for mention in find_dates(text) if not mention.relative), "")
    year = _YEAR.search(text)
    return found or (year[0] if year else "")


def qualifiers(question: str, asked: Sequence[str], values: Iterable[str]) -> list[list[str]]:
    """For each of two questions, the stems that neither the other one nor the broad *question* has."""
    known = substance(question) | substance(" ".join(values))
    first, second = map(substance, asked)
    return [sorted(first - known - second), sorted(second - known - first)]


def qualified(text: str, stems: Sequence[Sequence[str]]) -> Iterator[str]:
    """Conditions in *text* under which both sides of a conflict could be true: times, or half of a list in *stems*."""
    if day := dated(text):
        yield f"`{day}` is a time, which would settle it: {cut(text)}"
        return
    words = substance(text)
    for condition in stems:
        if (found := sorted(words & set(condition))) and 2 * len(found) >= len(condition):
            yield f"`{' '.join(found)}` would settle it: {cut(text)}"


def without(text: str, values: Sequence[str]) -> str:
    """*text* without the values: a year that is one settles nothing."""
    for value in values:
        text = text.replace(value, "")
    return text


def twins(texts: Sequence[str]) -> Iterator[str]:
    """Texts that occur twice, ignoring case and punctuation."""
    seen: set[str] = set()
    for text in texts:
        plain = normalise(text)
        if plain in seen:
            yield f"`{cut(text)}` stands there twice"
        seen.add(plain)


def sentences(texts: Iterable[str], marks: Sequence[str] = ".!?") -> Iterator[str]:
    """Texts without a final punctuation mark."""
    for text in texts:
        if not text.rstrip("\"'”’)").endswith(tuple(marks)):
            yield f"it does not end as a sentence: {cut(text)}"


def fit_for_all(texts: Texts) -> tuple[Check, ...]:
    """No word that reveals a test, no personal data, nothing offensive."""
    return of_texts("betrays", texts, partial(words_in, _BETRAYS)), *safe(texts)


def safe(texts: Texts) -> tuple[Check, Check]:
    """No personal data and nothing offensive."""
    return of_texts("identifying", texts, identifying), of_texts("offensive", texts, offensive)


def of_texts(name: str, texts: Texts, find: Callable[[str], Iterable[str]]) -> Check:
    """A check applied to each text of a reply."""
    return Check(name, lambda reply, _: (problem for text in texts(reply) for problem in find(text)))


def by_name(find: Callable[[Any, Given], Iterable[tuple[str, str]]], *names: str) -> tuple[Check, ...]:
    """One check for each of *names*, of the (name, problem) pairs that *find* yields."""

    def check(name: str) -> Check:
        return Check(name, lambda reply, given: (problem for rule, problem in find(reply, given) if rule == name))

    return tuple(map(check, names))


def words_in(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """Matches of *pattern*, as problems."""
    yield from (f"it says `{found[0]}`: {cut(text)}" for found in pattern.finditer(text))


def cut(text: str) -> str:
    """*text*, shortened for a problem message."""
    return text if len(text) <= 80 else f"{text[:79]}…"


def identifying(text: str) -> Iterator[str]:
    """Parts of *text* that look like personal data."""
    for what, pattern in _IDENTIFYING.items():
        if found := pattern.search(text):
            yield f"a {what} stands there: {found[0].strip()}"


def offensive(text: str) -> Iterator[str]:
    """Offensive words in *text*; a short list that complements the model's decision."""
    if found := _OFFENSIVE.search(text):
        yield f"an offensive word stands there: {found[0]}"
