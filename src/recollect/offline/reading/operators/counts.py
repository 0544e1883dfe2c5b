"""Operators: how many of something, how much of it in all, and all that is asked for, each once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.offline.reading.operators.measures import amounts_in, lengths_in, written
from recollect.offline.reading.operators.spans import clause, new_names
from recollect.offline.reading.pages import Page
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, cut, stem, words

_LOOKED_AT = 200
_LEAST_SHARE = 0.5


def count(page: Page, asked: ParsedQuestion) -> str | None:
    """The number; `None` where no word of the question is held."""
    hits = rank(page, asked, limit=_LOOKED_AT)
    if not hits:
        return None
    head = counted_noun(asked)
    for hit in [newest_of_tied(hits, least=_LEAST_SHARE), *hits[:2]]:
        named = [amount for amount in amounts_in(hit.statement) if head in amount.nouns]
        if named:
            return written(named[0].value)
    return str(len(alike(hits)))


def number(page: Page, asked: ParsedQuestion) -> str | None:
    """The number that the best statement names; for questions that ask for one in other words."""
    hits = rank(page, asked)
    for hit in [newest_of_tied(hits), *hits[:2]] if hits else []:
        named = amounts_in(hit.statement)
        if named:
            return written(named[0].value)
    return None


def total(page: Page, asked: ParsedQuestion) -> str | None:
    """The sum; `None` where the statements about it name no amounts that can be added.

    Of each statement the first amount counts: of money in the most frequent currency, else of the noun that is asked
    for, else a length of time, added up in hours or days.
    """
    hits = alike(rank(page, asked.part(lexicon.SUM_WORDS.sub(" ", asked.text)), limit=_LOOKED_AT), measured=True)
    amounts = [amounts_in(hit.statement) for hit in hits]
    money = [named[0] for found in amounts if (named := [a for a in found if a.sign])]
    if money:
        signs = Counter(amount.sign for amount in money)
        main = min(signs, key=lambda sign: (-signs[sign], sign))
        return written(sum(amount.value for amount in money if amount.sign == main), main)
    head = counted_noun(asked)
    counted = [named[0] for found in amounts if (named := [a for a in found if head in a.nouns])]
    if counted:
        return written(sum(a.value for a in counted))
    seconds = [found[0][0] for hit in hits if (found := lengths_in(hit.statement))]
    if not seconds:
        return None
    unit, size = ("day", 86_400) if sum(seconds) >= 2 * 86_400 else ("hour", 3600)
    value = written(sum(seconds) / size)
    return f"{value} {unit}{'s' * (value != '1')}"


def counted_noun(asked: ParsedQuestion) -> str | None:
    """The stem of the first content word behind *how many* and its like."""
    found = lexicon.COUNTED.search(asked.text.casefold())
    behind = asked.text[found.end() :] if found else ""
    return next(iter(content(words(behind))), None)


def alike(hits: Sequence[Hit], *, measured: bool = False) -> list[Hit]:
    """The hits that hold all that the best one holds, each text once; with *measured* only such as name an amount."""
    if measured:
        hits = [hit for hit in hits if amounts_in(hit.statement) or lengths_in(hit.statement)]
    if not hits:
        return []
    best = max(hits, key=lambda hit: (round(hit.share, 6), -hit.statement.place))
    same = [hit for hit in hits if best.held <= hit.held and not hit.statement.sheet.asks]
    return list({tuple(w.low for w in hit.statement.sheet.words): hit for hit in reversed(same)}.values())[::-1]


def as_format(asked: ParsedQuestion, text: str | None) -> str | None:
    """The bare number, where the format is one."""
    if text is None or asked.format is not AnswerFormat.NUMBER:
        return text
    bare = lexicon.BARE_NUMBER.search(text)
    return bare[0] if bare else text


_SPLIT = re.compile(r"\s*[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|as well as|or)\s+", re.IGNORECASE)
_LISTED_FROM, _MOST = 200, 50


def union(page: Page, asked: ParsedQuestion, n: int | None = None) -> list[str]:
    """The values, each once; at most *n*."""
    asked = asked.part(lexicon.COMMANDS.sub(" ", asked.text))
    hits = rank(page, asked, limit=_LISTED_FROM)
    same = alike(hits)
    if n is None:
        same = sorted(same, key=lambda hit: (hit.statement.age, hit.statement.place))
    values = _distinct(value for hit in same for value in _values(page, asked, hit))
    if n is not None and len(values) < n:
        values = _distinct([*values, *(name for hit in hits for name in new_names(page, asked, hit.statement))])
    return values[: n if n is not None else _MOST]


def _values(page: Page, asked: ParsedQuestion, hit: Hit) -> Iterator[str]:
    """What a statement says behind the words of the question, taken apart."""
    known, found = set(asked.stems), hit.statement.sheet.words
    said = [i for i, w in enumerate(found) if stem(w.low) in known and w.low not in lexicon.FUNCTION]
    verbs = [i for i, w in enumerate(found) if w.low in lexicon.AUXILIARIES and said and i > said[0]]
    behind = found[max([*said[-1:], *verbs[-1:]], default=-1) + 1 :]
    rest = cut(hit.statement.text, behind) if content(behind) else ""
    openings = lexicon.LEADS | lexicon.PREPOSITIONS | lexicon.OWNERS
    for part in _SPLIT.split(rest or clause(page, asked, hit.statement)):
        kept = list(dropwhile(lambda word: word.low in openings, words(part)))
        if value := cut(part, kept):
            yield value


def _distinct(values: Iterable[str]) -> list[str]:
    """The first of each; two are equal where their content stems are."""
    seen: dict[tuple[str, ...], str] = {}
    for value in values:
        seen.setdefault(tuple(content(words(value))) or (value.casefold(),), value)
    return list(seen.values())


def listed(values: Sequence[str], *, numbered: bool) -> str:
    """Values as an answer: one a line with its number, or one after the other."""
    if numbered:
        return "\n".join(f"{place}. {value}" for place, value in enumerate(values, 1))
    return ", ".join(values)
