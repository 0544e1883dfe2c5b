"""Who acts in a book: counts names, and groups those of one person, by rule."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.build.words import word_list

MOST_MENTIONED = 10
_HERS, _HIS = word_list("hers"), word_list("his")
TITLES = _HERS | _HIS | word_list("eithers")
_NO_NAMES = TITLES | word_list("no_names")
_WORD = r"(?:St\. )?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+(?:['’][A-Z]?[a-zà-öø-ÿ]{2,})?"
_RUN = re.compile(rf"(?:\b({'|'.join(sorted(TITLES))})\b\.?\s+)?\b({_WORD}(?:[ -]{_WORD}){{0,2}})")
_PART = re.compile(rf"{_WORD}")
_PRONOUN = re.compile(r"\b(he|his|him|himself|she|her|hers|herself)\b", re.IGNORECASE)
_SHE = {"she", "her", "hers", "herself"}
_ACTS = re.compile(
    r"\W+(?:\w+ly\W+)?(?:said|replied|cried|asked|answered|exclaimed|returned|rejoined|remarked|continued|added|resumed|"
    r"looked|turned|rose|took|came|went|sat|stood|put|laid|shook|had|was)\b"
)
NEAR = 60
"""Characters after a name in which a pronoun refers to the person."""
AGREED = 0.6
"""Share of the pronouns that must be of one sex."""
_SAYS = re.compile(r"\b(?:said|replied|cried|asked|answered|exclaimed|returned|rejoined|remarked|observed|pursued)\s\Z")
_BEHIND = 14
"""Characters before a name that may contain `said` and similar verbs."""
LEAST_MENTIONS, LEAST_FULL, COMMON = 8, 3, 3
HUMAN = 0.2
"""Least share of mentions at which a person acts; for places it is lower."""


class Mention(NamedTuple):
    """A name where it stands."""

    start: int
    end: int
    form: str
    title: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody whom a book often names."""

    name: str
    forms: tuple[str, ...]
    """All spellings, the longest first."""
    sex: str
    """`f`, `m`, or empty if unknown."""
    mentions: int


class Names:
    """Finds names; a capital that begins a sentence is not a name if the book also has the word in lower case."""

    def __init__(self, book: str) -> None:
        self._small = Counter(re.findall(r"\b[a-zà-öø-ÿ]{2,}\b", book))

    def of(self, text: str) -> Iterator[Mention]:
        """All names of a text, in order."""
        for found in _RUN.finditer(text):
            parts = list(_PART.finditer(text, found.start(2), found.end(2)))
            title = found[1] or ""
            while parts and not title and (parts[0][0] in _NO_NAMES or self._small[parts[0][0].lower()] >= COMMON):
                parts.pop(0)
            if parts and not any(part[0] in _NO_NAMES for part in parts):
                start = found.start() if title else parts[0].start()
                form = text[start : found.end()]
                yield Mention(start, found.end(), form, title, tuple(part[0] for part in parts))


def people_of(book: str, names: Names, most: int = MOST_MENTIONED) -> list[Person]:
    """The people named most often, most mentions first.

    `Mr. Micawber` and `Micawber` are one, `Mrs. Micawber` is another; a name without a title belongs to the titled one
    of the sex that the pronouns after it tell; a first name is the person whose full name begins with it. The book is
    on one line.
    """
    mentions = list(names.of(book))
    full = Counter(one.words for one in mentions if len(one.words) > 1)
    firsts: dict[str, Counter[str]] = defaultdict(Counter)
    for words, count in full.items():
        firsts[words[0]][words[-1]] += count
    alone = Counter(one.words[0] for one in mentions if len(one.words) == 1)
    by_last: dict[str, list[Mention]] = defaultdict(list)
    for one in mentions:
        by_last[_surname(one, firsts, alone)].append(one)
    people = [person for last in sorted(by_last) for person in _people_of_name(book, by_last[last])]
    return sorted(people, key=lambda person: (-person.mentions, person.name))[:most]


def _surname(one: Mention, firsts: dict[str, Counter[str]], alone: Counter[str]) -> str:
    """The last word of a name; for a first name that has one surname, that one."""
    word = one.words[-1]
    surnames = firsts.get(word, Counter())
    if len(one.words) > 1 or one.title or not surnames or sum(surnames.values()) < LEAST_FULL:
        return word
    last, count = max(surnames.items(), key=lambda item: (item[1], item[0]))
    return last if count > sum(surnames.values()) / 2 and count * 20 > alone[word] else word


def _people_of_name(book: str, mentions: Sequence[Mention]) -> Iterator[Person]:
    """Those of one surname by title; bare names go where their pronouns point. What seldom acts is nobody."""
    by_sex = {sex: [one for one in mentions if _sex(one.title) == sex] for sex in ("m", "f", "")}
    titled = max("mf", key=lambda sex: len(by_sex[sex]))
    home = _told_sex(book, by_sex[""]) or (titled if by_sex[titled] else "")
    for sex in ("m", "f") if home else ("m", "f", ""):
        group = [*by_sex[sex], *(by_sex[""] if sex == home else [])]
        acts = 0
        for one in group:
            speaks = _SAYS.search(book[max(0, one.start - _BEHIND) : one.start])
            acts += speaks is not None or _ACTS.match(book, one.end) is not None
        if len(group) >= LEAST_MENTIONS and acts / len(group) >= HUMAN:
            forms = Counter(one.form for one in group)
            yield Person(
                name=max(forms, key=lambda form: (forms[form], form)),
                forms=tuple(sorted(forms, key=lambda form: (-len(form), form))),
                sex=_told_sex(book, group),
                mentions=len(group),
            )


def _sex(title: str) -> str:
    return "f" if title in _HERS else "m" if title in _HIS else ""


def _told_sex(book: str, group: Sequence[Mention]) -> str:
    """By titles, else by the pronouns that follow; empty where they do not agree."""
    titles = Counter(_sex(one.title) for one in group if _sex(one.title))
    if titles:
        return titles.most_common(1)[0][0]
    said: Counter[str] = Counter()
    for one in group:
        first = _PRONOUN.search(book, one.end, one.end + NEAR)
        if first:
            said["f" if first[1].lower() in _SHE else "m"] += 1
    total = said["m"] + said["f"]
    return next((sex for sex in "mf" if total and said[sex] / total > AGREED), "")
