"""Rules that the sentences of a catalogue must keep, as far as a program can tell; each breach with its place and text.

`Form` says what a sentence must look like, `shaped` holds sentences against it; the others compare sentences with each
other and with words that would give something away. Sentences may be patterns: a rule holds for all their wordings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from recollect.text.normal import FUNCTION_WORDS, fold, normalise, search_tokens, stem
from recollect.text.sentences import split
from recollect.worlds.patterns import CHOICE, SLOT, WORD, filled, slots_in, wordings

Lengths = tuple[int, int]
Content = Callable[[str], frozenset[str]]
"""What counts as the content words of a text; their stems."""
_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred thousand half quarter first second third once twice"
)
_EMPTY = frozenset((*_NUMBERS.split(), "down", "back", "away"))
"""Numbers and particles: they carry no topic."""
ALIKE = 0.5
"""Two sentences that must differ and share this part of their content words are nearly equal."""
_article = re.compile(
    r"\ba (?=[aeiou])(?!(?:uni|us[aeiu]|eu|one\b|once\b|ut[ei])\w*|[a-z]\b)"
    r"|\ban (?![aeiou8]|hour|heir|honest|honou?r|1[18]\b|[a-z]\b)"
)
_proper = re.compile(
    r"I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|(?:Christmas|Easter|New Year|Ramadan|Diwali)\b"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_twice = re.compile(r"\b(?!that\b|had\b)([a-z]+) \1\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What patterns of one sort must look like."""

    words: Lengths
    """Fewest and most words, in every wording."""
    start: Literal["capital", "small", "any"] = "capital"
    marks: str = "."
    """Signs of which one must stand at the end; none where the pattern is a phrase."""
    choices: Lengths = (0, 0)
    """Fewest and most choices."""
    wordings: int = 1
    """Fewest different wordings."""
    slots: frozenset[str] = frozenset()
    """Each must stand there once."""
    optional: frozenset[str] = frozenset()
    """Each may stand there once."""
    sentences: int = 1
    """Most of them."""


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry the topic, in any wording, slots aside."""
    said = (word for one in wordings(SLOT.sub("", text)) for word in search_tokens(one, stemmed=False))
    return frozenset(stem(word) for word in said if word not in FUNCTION_WORDS | _EMPTY)


def likeness(first: str, second: str, of: Content = content) -> float:
    """Share of the content words of two patterns that both have."""
    ours, theirs = of(first), of(second)
    return len(ours & theirs) / max(len(ours | theirs), 1)


def counted(where: str, given: Mapping[str, Sequence[object]], wanted: Mapping[str, int]) -> Iterator[str]:
    """Lists that are longer or shorter than they must be."""
    for name, listed in given.items():
        if len(listed) != wanted[name]:
            yield f"{where}: {len(listed)} {name}, not {wanted[name]}"


def different(where: str, texts: Iterable[str]) -> Iterator[str]:
    """Texts that occur twice, however they are written."""
    seen: set[str] = set()
    for text in texts:
        key = normalise(text)
        if key in seen:
            yield f"{where}: occurs twice: {text}"
        seen.add(key)


def shaped(where: str, patterns: Iterable[str], form: Form, labels: re.Pattern[str] | None = None) -> Iterator[str]:
    """Patterns that are not of the form, each with what is wrong in it.

    Args:
        where: Place of the patterns in the catalogue.
        patterns: Sentences or phrases.
        form: What they must look like.
        labels: Words of the benchmark, which nobody may say.
    """
    for pattern in patterns:
        broken = None
        if any(sign in CHOICE.sub("", pattern) for sign in "[]|"):
            broken = "square brackets open, nested or with a bar outside"
        elif any(sign in SLOT.sub("", pattern) for sign in "{}"):
            broken = "curly brackets that hold no slot"
        faults = [broken] if broken else _faults(pattern, form, labels)
        yield from (f"{where}: {fault}: {pattern}" for fault in faults)


def _faults(pattern: str, form: Form, labels: re.Pattern[str] | None) -> Iterator[str]:
    if pattern != pattern.strip():
        yield "has space around it"
    choices = [choice.split("|") for choice in CHOICE.findall(pattern)]
    if not form.choices[0] <= len(choices) <= form.choices[1]:
        yield f"{len(choices)} choices, not {form.choices[0]} to {form.choices[1]}"
    for choice in choices:
        if not 2 <= len(choice) <= 4 or len(set(choice)) < len(choice):
            yield f"a choice needs 2 to 4 different alternatives, not {choice}"
    slots = sorted(SLOT.findall(pattern))
    if set(slots) - form.optional != form.slots or len(set(slots)) < len(slots):
        yield f"slots {slots}, not {sorted(form.slots | form.optional)} once each"
    worded = list(wordings(pattern))
    if len(set(worded)) < form.wordings:
        yield f"{len(set(worded))} wordings, not {form.wordings}"
    for rule in (_length, _start, _end, lambda wording, _: ungrammatical(wording)):
        if found := next((problem for one in worded if (problem := rule(one, form))), None):
            yield found
    if labels is not None and (told := labels.search(fold(" / ".join(map(_plain, worded))))):
        yield f"has the word `{told[0]}` of the benchmark"


def _plain(wording: str) -> str:
    return filled(wording, dict.fromkeys(slots_in(wording), "Name"))


def _length(wording: str, form: Form) -> str | None:
    words, (least, most) = len(WORD.findall(_plain(wording))), form.words
    return None if least <= words <= most else f"{words} words, not {least} to {most}"


def _start(wording: str, form: Form) -> str | None:
    first = wording.lstrip('"“‘')[:1]
    if form.start == "capital" and not (first.isupper() or first.isdigit() or first == "{"):
        return "does not start with a capital"
    if form.start == "small" and first.isupper() and not _proper.match(wording):
        return "starts with a capital"
    return None


def _end(wording: str, form: Form) -> str | None:
    unquoted = wording.rstrip('"”’')
    last = unquoted[-1:]
    if not form.marks and last in ".?!,;:":
        return "ends with a mark"
    if form.marks and last not in (form.marks if unquoted == wording else ".?!"):
        return f"does not end with {' or '.join(form.marks)}"
    count = len(split(_plain(wording)))
    if 1 <= count <= form.sentences:
        return None
    return "is not one sentence" if form.sentences == 1 else f"is {count} sentences, not 1 to {form.sentences}"


def ungrammatical(wording: str) -> str | None:
    """A wrong article or a word said twice, as careless choices make them."""
    text = fold(wording)
    if found := _article.search(text):
        return f"wrong article in `{text[found.start() :].split(',')[0][:24]}`"
    found = _twice.search(text)
    return f"says `{found[0]}`" if found else None


def without(
    where: str, patterns: Iterable[str], forbidden: frozenset[str], what: str, of: Content = content
) -> Iterator[str]:
    """Patterns that use a forbidden stem."""
    for pattern in patterns:
        if found := sorted(of(pattern) & forbidden):
            yield f"{where}: has the word {', '.join(found)} {what}: {pattern}"


def too_alike(where: str, first: Iterable[str], second: Iterable[str], of: Content = content) -> Iterator[str]:
    """Pairs of patterns of two things that are nearly equal."""
    for ours, theirs in product(first, second):
        if (share := likeness(ours, theirs, of)) >= ALIKE:
            yield f"{where}: {share:.0%} of the content words are the same: {ours} | {theirs}"


def repeated(patterns: Iterable[str]) -> Iterator[str]:
    """Wordings that two patterns have, or one pattern that stands there twice."""
    by_wording: dict[str, list[str]] = defaultdict(list)
    for pattern in patterns:
        for wording in {normalise(one) for one in wordings(pattern)}:
            by_wording[wording].append(pattern)
    again = {tuple(found) for found in by_wording.values() if len(found) > 1}
    yield from (f"sentence stands {len(found)} times in the file: {found[0]}" for found in sorted(again))
