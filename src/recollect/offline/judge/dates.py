"""Dates: a coarser answer fails, a finer one passes, before and after must agree."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.lexicon import DATE_WORDS, PARTS_OF_TIME, SIDES
from recollect.offline.judge.texts import PreparedText
from recollect.text.dates.calendars import MONTHS, PartialDate
from recollect.text.dates.mentions import find_dates
from recollect.text.normal import fold, stem

_month = "|".join(month[:3] + r"[a-z]*" for month in MONTHS)
_th = r"(?:st|nd|rd|th)?"
_join = r"(?P<join>\s*(?:to|until|till|through|and|or|[-–])\s*)"
_shared_month = re.compile(
    rf"\b(?P<a>\d{{1,2}}){_th}{_join}(?P<rest>(?:the\s+)?\d{{1,2}}{_th}\s+(?P<m>{_month})\b)", re.I
)
_month_first = re.compile(rf"\b(?P<m>{_month})\s+(?P<a>\d{{1,2}}){_th}{_join}(?P<b>\d{{1,2}}){_th}\b(?!:)", re.I)
_side = re.compile(rf"\b(?P<side>{'|'.join(sorted(SIDES, key=len, reverse=True))})\s+(?:the\s+|on\s+|about\s+)?\Z")
_to = re.compile(r"\b(?:to|until|till|through)\s+(?:the\s+)?\Z|[-–]\s*\Z")
_or = re.compile(r"\bor\s+(?:on\s+|in\s+|the\s+)*\Z")
_told = frozenset(map(stem, DATE_WORDS))
_year = re.compile(r"(?<![\d.,$€£])(?:1\d|20)\d{2}(?![\d%]|[.,]\d)")


class DateMention(NamedTuple):
    """A date that a text names."""

    value: PartialDate
    first: date | None
    last: date | None
    side: str
    """`before`, `after` or empty."""
    link: str
    """`to` or `or` where the date ends a pair, else empty."""
    start: int
    end: int


def date_mentions(text: str, *, day_first: bool = False) -> list[DateMention]:
    """The dates of *text*; a day or month without a year takes that of the next date which has one."""
    full = _shared_month.sub(lambda m: f"{m['a']} {m['m']} {_join_of(m)} {m['rest']}", text)
    full = _month_first.sub(lambda m: f"{m['m']} {m['a']} {_join_of(m)} {m['m']} {m['b']}", full)
    found: list[DateMention] = []
    year: int | None = None
    for mention in reversed(find_dates(full, day_first=day_first)):
        before = fold(full[: mention.start])
        side = _side.search(before)
        link = "to" if _to.search(before) else "or" if _or.search(before) else ""
        name = SIDES[side["side"]] if side and not mention.relative else ""
        when = DateMention(mention.value, mention.first, mention.last, name, link, mention.start, mention.end)
        found.append(_with_year(when, year))
        year = found[-1].value.year
    found.reverse()
    return [*found[:1], *(when._replace(side="") if when.link == "to" else when for when in found[1:])]


def _join_of(match: re.Match[str]) -> str:
    """The word between two days; a dash means `to`."""
    join = match["join"].strip()
    return join if join.isalpha() else "to"


def _with_year(when: DateMention, year: int | None) -> DateMention:
    if when.value.year is not None or year is None:
        return when
    try:
        value = PartialDate(year, when.value.month, when.value.day)
    except ValueError:
        return when
    return when._replace(value=value, first=value.first, last=value.last)


def judge_dates(question: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    """Compare the dates of the reference with those of the answer; `None` where the reference has none."""
    wanted = date_mentions(ref.text)
    if not wanted:
        return None
    bare_month = len(wanted) == 1 and wanted[0].value.year is None and wanted[0].value.day is None
    if bare_month and not date_mentions(answer.text):  # it may be the name of a person
        return None
    rest = _rest_of(ref, wanted) - set(question.content)
    found = [_compare(wanted, date_mentions(answer.text, day_first=order), answer) for order in (False, True)]
    best = next((finding for finding in found if finding.right), found[0])
    if best.code == "date_missing":
        best = _compare_bare_year(wanted, answer) or best
    if not best.right:
        return best if not rest or best.code != "date_missing" else no("date_missing", "the reference has a date")
    part = PARTS_OF_TIME & set(ref.words)
    if best.code == "date_exact" and not part <= set(answer.words):
        return no("date_coarser", f"without {'/'.join(sorted(part))}")
    return best if not rest - set(answer.content) else None


def _rest_of(ref: PreparedText, found: list[DateMention]) -> set[str]:
    """Stems of the reference that say something beside its dates."""
    text = ref.text
    dated = {stem(word) for when in found for word in re.findall(r"\w+", fold(text[when.start : when.end]))}
    return {stemmed for stemmed in ref.content if not stemmed.isdigit()} - dated - _told


def _compare(wanted: list[DateMention], found: list[DateMention], answer: PreparedText) -> Finding:
    if not found:
        return no("date_missing", f"no date in {answer.text[:40]!r}")
    if len(wanted) > 1:
        return _compare_several(wanted, found)
    (target,) = wanted
    if len(found) > 1 and found[-1].link == "to" and not _inside(target, found[0]):
        found = found[-1:]
    if any(when.link == "or" for when in found):
        return no("date_alternatives")
    findings = [_compare_one(target, when) for when in found]
    return next((finding for finding in findings if not finding.right), findings[0])


def _compare_several(wanted: list[DateMention], found: list[DateMention]) -> Finding:
    """Several dates, such as the ends of a span: each must be named, and none else."""
    for target in wanted:
        findings = [_compare_one(target, when) for when in found]
        if not any(finding.right for finding in findings):
            return findings[0]
    if len(found) > len(wanted):
        return no("date_several", f"{len(found)} dates for {len(wanted)}")
    return yes("date_exact", f"all {len(wanted)} dates")


def _compare_one(target: DateMention, when: DateMention) -> Finding:
    if target.side != when.side:
        return no("date_side", f"{when.side or 'on'} instead of {target.side or 'on'}")
    if target.value == when.value and (target.first, target.last) == (when.first, when.last):
        return yes("date_exact")
    if _inside(target, when):
        return yes("date_finer")
    if _inside(when, target):
        return no("date_coarser")
    return no("date_other")


def _inside(outer: DateMention, inner: DateMention) -> bool:
    """Whether the inner time lies in the outer one."""
    if outer.first and outer.last and inner.first and inner.last:
        return outer.first <= inner.first and inner.last <= outer.last
    return outer.value.admits(inner.value)


def _compare_bare_year(wanted: list[DateMention], answer: PreparedText) -> Finding | None:
    """A year in running text that no word announces as one."""
    if len(wanted) != 1 or wanted[0].value.month is not None:
        return None
    years = {int(year) for year in _year.findall(answer.text)}
    if not years:
        return None
    return yes("date_exact") if years == {wanted[0].value.year} else no("date_other")
