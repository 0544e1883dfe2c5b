"""Operator: which of several is older, longer, more, first.

Rule: the rivals are the options, or what the question joins by *or*, *than* or *between ... and*. Each is measured
in the newest of the statements that hold all its words and most of the rest: by a date where the comparative speaks
of time, by an age or a date of birth where it speaks of age, else by an amount of money, a length of time or a
number. Only where all rivals have the same kind of measure is there an answer. Without rivals, the statement with
the extreme measure answers, if at least two are measured. There is no fall-back: what is mentioned most is not what
is most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.offline.reading.facts.relations import name_runs
from recollect.offline.reading.operators.measures import amounts_in, lengths_in
from recollect.offline.reading.operators.spans import span_of
from recollect.offline.reading.pages import Page, dates_in
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, cut, tidy, words

_SPLIT = re.compile(r"\s*,\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
_LOOKED_AT = 100
_MOST_RIVALS = 12


class Measure(NamedTuple):
    """A value and what kind it is; only like kinds compare."""

    kind: str
    value: float


class Winner(NamedTuple):
    """The rival that answers, or several where they are equal."""

    names: tuple[str, ...]
    yes: bool | None = None
    """For a question with *than*: whether it is so."""


def compare(page: Page, asked: ParsedQuestion, rivals: Sequence[str] = ()) -> Winner | None:
    """The winner; `None` where no operator fires."""
    word = comparative(asked)
    if word is None:
        return None
    named = list(rivals) or named_rivals(asked)
    if len(named) < 2:
        return _extreme(page, asked, word)
    measures = {rival: _measure(page, asked, rival, named, word) for rival in named[:_MOST_RIVALS]}
    known = {rival: measure for rival, measure in measures.items() if measure is not None}
    if len(known) < len(measures) or len({measure.kind for measure in known.values()}) != 1:
        return None
    pick = max if word in lexicon.BIGGER else min
    best = pick(measure.value for measure in known.values())
    names = tuple(rival for rival, measure in known.items() if measure.value == best)
    return Winner(names, names == (named[0],) if lexicon.THAN.search(asked.text) else None)


def comparative(asked: ParsedQuestion) -> str | None:
    """The first comparative or superlative."""
    found = [w.low for w in asked.words if w.low in lexicon.BIGGER | lexicon.SMALLER]
    clear = [low for low in found if low not in lexicon.AMBIGUOUS]
    return next(iter([*clear, *found]), None)


def named_rivals(asked: ParsedQuestion) -> list[str]:
    """What the question sets against each other."""
    sentence = asked.text.rstrip("?. ")
    pair = lexicon.THAN.search(asked.text) or lexicon.RIVALS_BETWEEN.search(sentence)
    if pair is not None:
        return [tidy(pair["one"]), tidy(pair["other"])]
    if not re.search(r"\bor\b", sentence, re.IGNORECASE):
        return []
    left, _, right = re.split(r"(\bor\b)", sentence, maxsplit=1, flags=re.IGNORECASE)
    border = left.find(":") if ":" in left else left.find(",")
    listed = f"{left[border + 1 :]}or{right}" if border >= 0 else f"{_last_name(left)} or {right}"
    rivals: list[str] = []
    for part in _SPLIT.split(re.sub(r"^or|(?<=\W)or\s*$", "", listed.strip())):
        found = list(words(part))  # without the comparative and the verbs that may stand around a rival
        while found and found[-1].low in lexicon.BIGGER | lexicon.SMALLER | lexicon.AUXILIARIES:
            found.pop()
        rival = tidy(part[found[0].start : found[-1].end]) if found else ""
        rivals += [rival] if rival else []
    return rivals


def _last_name(left: str) -> str:
    """The last name of a stretch of words, or its last word."""
    found = words(left)
    runs = name_runs(found)
    if runs and runs[-1][1] == len(found):
        return left[found[runs[-1][0]].start :]
    articles = [i for i, w in enumerate(found) if w.low in lexicon.ARTICLES | lexicon.OWNERS]
    start = articles[-1] if articles else len(found) - 1
    return left[found[start].start :] if found else ""


def _measure(page: Page, asked: ParsedQuestion, rival: str, rivals: Sequence[str], word: str) -> Measure | None:
    """What the newest statement measures that holds all words of a rival, or stands in an item that does."""
    own = {one for one in content(words(rival)) if one in page.index}
    others = {one for other in rivals for one in content(words(other))} - own
    rest = [w.text for w in asked.words if not set(content([w])) & (others | own)]
    about: list[Hit] = []
    for hit in rank(page, asked.part(f"{rival} {' '.join(rest)}"), limit=_LOOKED_AT) if own else ():
        in_item = (statement.stems for statement in page.of_item(hit.statement.item))
        if (own <= hit.held or own.issubset(chain(*in_item))) and measure_in(asked, hit, word) is not None:
            about.append(hit)
    measured = [hit for hit in about if own & hit.held] or about
    return measure_in(asked, newest_of_tied(measured, least=0.0), word) if measured else None


def measure_in(asked: ParsedQuestion, hit: Hit, word: str) -> Measure | None:
    """What a statement measures for a comparative."""
    if word in lexicon.ABOUT_TIME:
        return _date(hit)
    lengths = lengths_in(hit.statement)
    if word in lexicon.ABOUT_AGE and not lengths:
        born = _date(hit, said=False)
        return Measure("age", -born.value) if born else None
    if lengths and word in lexicon.ABOUT_SPEED:
        return Measure("speed", -lengths[0][0])
    about_length = word in lexicon.ABOUT_AGE | lexicon.ABOUT_LENGTH or lexicon.DURATION_UNIT.search(asked.text)
    return Measure("length", lengths[0][0]) if lengths and about_length else _amount(asked, hit, word)


def _amount(asked: ParsedQuestion, hit: Hit, word: str) -> Measure | None:
    """Money if the question speaks of it, else a number of the noun that is asked for, or of one and the same unit."""
    amounts = amounts_in(hit.statement)
    if word in lexicon.ABOUT_MONEY or any(w.low in lexicon.MONEY for w in asked.words):
        return next((Measure(a.sign, a.value) for a in amounts if a.sign), None)
    counted = [a for a in amounts if not a.sign and a.nouns]
    wanted = [a for a in counted if set(a.nouns) & set(asked.stems)]
    usable = wanted if word in lexicon.ABOUT_COUNT else [*wanted, *counted]
    return next((Measure(a.nouns[0], a.value) for a in usable), None)


def _date(hit: Hit, *, said: bool = True) -> Measure | None:
    """The first date that a statement names, else with *said* when it was said."""
    firsts = [m.first for m in dates_in(hit.statement.text, hit.statement.said) if m.first is not None]
    if firsts:
        return Measure("date", firsts[0].toordinal())
    if said and hit.statement.said is not None:
        moment = hit.statement.said.local
        return Measure("date", moment.toordinal() + (moment.hour * 60 + moment.minute) / 1440)
    return None


def _extreme(page: Page, asked: ParsedQuestion, word: str) -> Winner | None:
    """The statement with the extreme measure, among those that hold the same words of the question."""
    hits = [hit for hit in rank(page, asked, limit=_LOOKED_AT) if not hit.statement.sheet.asks]
    measured = [(hit, measure) for hit in hits if hit.held and (measure := measure_in(asked, hit, word)) is not None]
    if not measured or word in lexicon.AMBIGUOUS - lexicon.ABOUT_TIME:
        return None
    held, kind = measured[0][0].held, measured[0][1].kind
    same = [(hit, measure.value) for hit, measure in measured if measure.kind == kind and held <= hit.held]
    if len(same) < 2:
        return None
    sign = -1 if word in lexicon.BIGGER else 1
    hit, _ = min(same, key=lambda pair: (sign * pair[1], pair[0].statement.place))
    found = hit.statement.sheet.words
    subject = found[: next((i for i, w in enumerate(found) if i > 0 and lexicon.looks_like_verb(w.low)), 0)]
    name = cut(hit.statement.text, subject) if content(subject) else ""
    return Winner((name or span_of(page, asked, hit),))
