"""Events of a book by rule: sentences in which one of its main people does something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.benchmarks.memoryagentbench.build.event_people import Mention, Names, Person
from recollect.benchmarks.memoryagentbench.build.words import word_list
from recollect.text.sentences import spans
from recollect.text.tokens import count

LEAST_WORDS, FEWER_WORDS, MOST_WORDS = 12, 8, 30
"""Words of an event: least, least where a book has too few of those, most."""
TOKENS = 40
"""Most tokens of an event: the output limit, so that it can be said in full."""
LEAD_WORDS = 20
"""Words that may stand before the person who acts."""
_IRREGULAR, _NOT_PAST, _NO_SUBJECT = word_list("irregular"), word_list("not_past"), word_list("no_subject")
_VERB = re.compile(
    r",?\s+(?:(?:\w+ly|then|now|also|still|again|only|never|always|just|himself|herself)\s+)?([a-z]+)\b(?!['’])"
)
_QUOTED = re.compile(r"[\"“”]|(?<!\w)[‘'’]")
_PRONOUN = re.compile(r"(?:He|She)\b(?=\s)")
_SEX = {"He": "m", "She": "f"}
_OPENS, _CLOSES = re.compile(r"“|(?<!\w)‘"), re.compile(r"”|(?<=[.,!?;-])’")
_ODD = re.compile(r"[A-Z]{3}|[\d_*\[\]()]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A sentence with somebody acting in it."""

    text: str
    """On one line."""
    passage: int
    person: Person
    named: tuple[Mention, ...]
    """Where the person is named in it, in any form."""
    others: frozenset[str]
    """Names of the other main people in it."""


def deeds_of(
    passages: Sequence[str], names: Names, people: Sequence[Person], *, least_words: int = LEAST_WORDS
) -> list[Deed]:
    """All events of a book in order, none of whose texts stands twice."""
    by_form = {form: person for person in reversed(people) for form in person.forms}
    found = [
        deed
        for place, passage in enumerate(passages)
        for deed in _of_passage(passage, place, names, by_form)
        if len(deed.text.split()) >= least_words
    ]
    times: dict[str, int] = {}
    for deed in found:
        times[deed.text] = times.get(deed.text, 0) + 1
    return [deed for deed in found if times[deed.text] == 1]


def _of_passage(passage: str, place: int, names: Names, by_form: Mapping[str, Person]) -> Iterator[Deed]:
    """The events of one paragraph; `He` and `She` are the one person that the sentence before them names."""
    before: Person | None = None
    for start, end in spans(passage):
        if _spoken(passage[:start]):
            before = None
            continue
        sentence = " ".join(passage[start:end].split())
        meant = before
        said = _PRONOUN.match(sentence)
        if said and meant is not None and meant.sex == _SEX[said[0]]:
            sentence = f"{meant.name}{sentence[said.end() :]}"
        known = [by_form.get(one.form) for one in names.of(sentence)]
        before = known[0] if known and all(one is known[0] for one in known) else None
        deed = _deed(sentence, place, names, by_form)
        if deed is not None:
            yield deed


def _spoken(before: str) -> bool:
    """Whether a quotation is open behind these words."""
    opened = max((found.start() for found in _OPENS.finditer(before)), default=-1)
    closed = max((found.start() for found in _CLOSES.finditer(before)), default=-1)
    return before.count('"') % 2 == 1 or opened > closed


def _deed(sentence: str, place: int, names: Names, by_form: Mapping[str, Person]) -> Deed | None:
    if not FEWER_WORDS <= len(sentence.split()) <= MOST_WORDS or not sentence.endswith("."):
        return None
    if _QUOTED.search(sentence) or _ODD.search(sentence) or not sentence[0].isupper():
        return None
    named = list(names.of(sentence))
    subject = next((one for one in named if one.form in by_form and _acts(sentence, one)), None)
    if subject is None or count(sentence) > TOKENS:
        return None
    person = by_form[subject.form]
    mine = tuple(one for one in named if by_form.get(one.form) is person)
    others = frozenset(by_form[one.form].name for one in named if one.form in by_form) - {person.name}
    return Deed(text=sentence, passage=place, person=person, named=mine, others=others)


def _acts(sentence: str, one: Mention) -> bool:
    """The person is a subject: near the front, behind no preposition, before a verb in the past."""
    before = re.findall(r"[\w’']+", sentence[: one.start].lower())
    verb = _VERB.match(sentence, one.end)
    if len(before) > LEAD_WORDS or (before and before[-1] in _NO_SUBJECT) or verb is None:
        return False
    word = verb[1]
    return word in _IRREGULAR or (word.endswith("ed") and word not in _NOT_PAST)


def sentences_of(passages: Sequence[str]) -> frozenset[str]:
    """All sentences of a book, each on one line."""
    return frozenset(" ".join(passage[a:b].split()) for passage in passages for a, b in spans(passage))


def swapped(deed: Deed, other: Person) -> str:
    """The sentence with somebody else in the place of the one who acts."""
    text, last = "", 0
    for one in deed.named:
        text += deed.text[last : one.start] + other.name
        last = one.end
    return text + deed.text[last:]
