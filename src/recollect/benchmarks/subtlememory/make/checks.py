"""What several rules of replies about the world look at: values, dates, conditions that would settle a conflict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Literal

from recollect.making.steps import Check
from recollect.text.dates.mentions import find_dates
from recollect.text.normal import FUNCTION_WORDS, normalise, search_tokens
from recollect.text.sentences import split
from recollect.worlds.checks import STATED, says

Texts = Callable[[Any], Iterable[str]]
Facts = Sequence[Mapping[str, Any]]
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_TELLING = 4
"""Letters of a single word with a capital from which on it is taken for a name."""
_BETRAYS = re.compile(
    r"\b(?:benchmarks?|data ?sets?|ground truth|memory_ids?|memor(?:y|ies)|sessions?|distractors?|canonical answer"
    r"|complementary|nuanced?|contradict\w*|conflicting (?:claims?|facts?)|test (?:case|item)s?)\b",
    re.IGNORECASE,
)
Content = Literal["fine", "identifying", "offensive"]
FINE, IDENTIFYING, OFFENSIVE = CONTENTS = ("fine", "identifying", "offensive")
"""As filters decide on it."""
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


def content(text: str) -> frozenset[str]:
    """Stems of the words that carry something."""
    plain = search_tokens(text, stop=False, stemmed=False)
    return frozenset(search_tokens(" ".join(word for word in plain if word not in FUNCTION_WORDS)))


def names(text: str, accepted: Iterable[str]) -> bool:
    """*text* has one of the wordings of a value."""
    return any(says(text, one) for one in accepted)


def telling(text: str, value: str) -> bool:
    """*text* has *value*, and not as a usual word or a single digit that may well stand there by itself."""
    name = value.strip()
    if not says(text, name) or len(name) == 1:
        return False
    if len(content(name)) > 1 or any(sign.isdigit() for sign in name):
        return True
    return len(name) >= _TELLING and name[:1].isupper() and re.search(rf"\b{re.escape(name)}\b", text) is not None


def states(text: str, statement: str, accepted: Iterable[str]) -> str:
    """A sentence of *text* that says nearly all of *statement*, its value too; empty where there is none."""
    wanted, values = content(statement), tuple(accepted)
    found = (one for one in split(text) if wanted and len(wanted & content(one)) >= STATED * len(wanted))
    return next((one for one in found if names(one, values)), "")


def names_date(text: str, day: str) -> bool:
    """*text* names that very day, in whatever way."""
    return day in text or any(one.value.exact == date.fromisoformat(day) for one in find_dates(text))


def dated(text: str) -> str:
    """What of *text* is a date or a year; empty where there is none."""
    found = next((text[one.start : one.end] for one in find_dates(text) if not one.relative), "")
    year = _YEAR.search(text)
    return found or (year[0] if year else "")


def qualifiers(question: str, asked: Sequence[str], values: Iterable[str]) -> list[list[str]]:
    """For each of two questions the stems that tell it from the other, and that the broad one lacks."""
    known = content(question) | content(" ".join(values))
    words = [content(one) for one in asked]
    return [sorted(mine - known - other) for mine, other in zip(words, reversed(words), strict=True)]


def qualified(text: str, said: Sequence[Sequence[str]]) -> Iterator[str]:
    """Conditions in *text* that would let both sides of a conflict be true: times, and half of what was taken away."""
    if day := dated(text):
        yield f"`{day}` is a time, which would settle it: {cut(text)}"
        return
    there = content(text)
    for words in said:
        if (found := sorted(there & set(words))) and 2 * len(found) >= len(words):
            yield f"`{' '.join(found)}` would settle it: {cut(text)}"


def twins(texts: Sequence[str]) -> Iterator[str]:
    """Texts that stand twice, whatever marks and capitals."""
    seen: set[str] = set()
    for text in texts:
        plain = normalise(text)
        if plain in seen:
            yield f"`{cut(text)}` stands there twice"
        seen.add(plain)


def sentences(texts: Iterable[str], marks: Sequence[str] = ".!?") -> Iterator[str]:
    """Texts that do not end as sentences do."""
    for text in texts:
        if not text.rstrip("\"'”’)").endswith(tuple(marks)):
            yield f"it does not end as a sentence: {cut(text)}"


def fit_for_all(texts: Texts) -> tuple[Check, ...]:
    """Nothing that betrays a test, by which somebody could be found, or that offends."""
    return of_texts("betrays", texts, partial(words_in, _BETRAYS)), *safe(texts)


def safe(texts: Texts) -> tuple[Check, Check]:
    """Nothing by which somebody could be found, and nothing that offends."""
    return of_texts("identifying", texts, identifying), of_texts("offensive", texts, offensive)


def of_texts(name: str, texts: Texts, find: Callable[[str], Iterable[str]]) -> Check:
    """A check of each text of a reply by itself."""
    return Check(name, lambda reply, _: (problem for text in texts(reply) for problem in find(text)))


def words_in(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """Words that *text* should not have."""
    yield from (f"it says `{found[0]}`: {cut(text)}" for found in pattern.finditer(text))


def cut(text: str) -> str:
    """*text* as a problem repeats it."""
    return text if len(text) <= 80 else f"{text[:79]}…"


def identifying(text: str) -> Iterator[str]:
    """What in *text* looks as if somebody could be found by it."""
    for what, pattern in _IDENTIFYING.items():
        if found := pattern.search(text):
            yield f"a {what} stands there: {found[0].strip()}"


def offensive(text: str) -> Iterator[str]:
    """Words in *text* that offend; a short list, which a model's decision completes."""
    if found := _OFFENSIVE.search(text):
        yield f"an offensive word stands there: {found[0]}"
