"""Operators: how many of something, and how much of it in all.

Rule: a number that stands right before the counted noun in the best statement (the newest of equals) is the count;
without one, the different statements that hold the same words of the question as the best one are counted. A sum
adds the amounts of those statements, of one currency or one counted noun, each statement once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from recollect.domain.questions import AnswerFormat
from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.models.offline.reading.measures import Amount, amounts_in, lengths_in, written
from recollect.models.offline.reading.pages import Page
from recollect.models.offline.reading.words import content, words

_LOOKED_AT = 200
_LEAST_SHARE = 0.5


def count(page: Page, asked: Asked) -> str | None:
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


def number(page: Page, asked: Asked) -> str | None:
    """The number that the best statement names; for questions that ask for one in other words."""
    hits = rank(page, asked)
    for hit in [newest_of_tied(hits), *hits[:2]] if hits else []:
        named = amounts_in(hit.statement)
        if named:
            return written(named[0].value)
    return None


def total(page: Page, asked: Asked) -> str | None:
    """The sum; `None` where the statements about it name no amounts that can be added."""
    hits = alike(rank(page, asked.part(lexicon.SUM_WORDS.sub(" ", asked.text)), limit=_LOOKED_AT), measured=True)
    amounts = [amounts_in(hit.statement) for hit in hits]
    head = counted_noun(asked)
    money = _money(amounts)
    if money:
        return written(sum(a.value for a in money), money[0].sign)
    counted = [named[0] for found in amounts if (named := [a for a in found if head in a.nouns])]
    if counted:
        return written(sum(a.value for a in counted))
    return _hours(hits)


def counted_noun(asked: Asked) -> str | None:
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


def _money(amounts: Sequence[Sequence[Amount]]) -> list[Amount]:
    """The first amount of money of each statement, of the most frequent currency."""
    found = [named[0] for one in amounts if (named := [a for a in one if a.sign])]
    signs = Counter(amount.sign for amount in found)
    main = min(signs, key=lambda sign: (-signs[sign], sign), default="")
    return [amount for amount in found if amount.sign == main]


def _hours(hits: Sequence[Hit]) -> str | None:
    """Lengths of time, added up in hours or days."""
    seconds = [found[0][0] for hit in hits if (found := lengths_in(hit.statement))]
    if not seconds:
        return None
    unit, size = ("day", 86_400) if sum(seconds) >= 2 * 86_400 else ("hour", 3600)
    value = written(sum(seconds) / size)
    return f"{value} {unit}{'s' * (value != '1')}"


def as_format(asked: Asked, text: str | None) -> str | None:
    """The bare number, where the format is one."""
    if text is None or asked.format is not AnswerFormat.NUMBER:
        return text
    bare = lexicon.BARE_NUMBER.search(text)
    return bare[0] if bare else text
