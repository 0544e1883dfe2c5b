"""Operators: when something happened, how long it took, and how much time lies between two events."""

from __future__ import annotations

from datetime import date

from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Hit, newest_of_tied, rank
from recollect.offline.reading.operators.measures import lengths_in
from recollect.offline.reading.pages import Page, dates_in, moment_of
from recollect.offline.reading.question import ParsedQuestion
from recollect.text.dates.calendars import (
    PartialDate,
    add_months,
    days_between,
    format_date,
    weekday_name,
    working_days,
)
from recollect.text.dates.mentions import Mention

_LOOKED_AT = 4
_SECONDS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}


def duration(page: Page, asked: ParsedQuestion) -> str | None:
    """The length of time; `None` where nothing dates or measures what is asked."""
    pair = _pair(asked)
    if pair is not None:
        first, last = (_day_of(page, asked.part(text)) for text in pair)
        return _between(asked, first, last) if first is not None and last is not None else None
    hits = rank(page, asked)
    if not hits:
        return None
    return _from_now(page, asked, hits) or _named_length(asked, hits) or _first_to_last(asked, hits)


def _pair(asked: ParsedQuestion) -> tuple[str, str] | None:
    """The two events that the question names, in time."""
    for pattern in (lexicon.BETWEEN, lexicon.AFTER, lexicon.BEFORE):
        found = pattern.search(asked.text)
        groups = {name.rstrip("2"): text for name, text in found.groupdict().items() if text} if found else {}
        if len(groups) == 2 and not lexicon.PASSED.match(groups["other"].strip()):
            return groups["one"], groups["other"]
    return None


def _day_of(page: Page, event: ParsedQuestion) -> date | None:
    """The day of an event."""
    dates = dates_in(event.text, moment_of(event.question.asked_at))
    exact = next((mention.value.exact for mention in dates if mention.value.exact is not None), None)
    return exact if exact is not None else _day_named(rank(page, event))


def _day_named(hits: list[Hit]) -> date | None:
    """The first exact day in the best statement, else the day it was said on."""
    if not hits:
        return None
    best = newest_of_tied(hits).statement
    exact = [mention.value.exact for mention in dates_in(best.text, best.said) if mention.value.exact is not None]
    return next(iter(exact), best.said.day if best.said is not None else None)


def _between(asked: ParsedQuestion, first: date, last: date) -> str:
    start, end = sorted((first, last))
    neither = bool(lexicon.NEITHER_COUNTED.search(asked.text))
    if lexicon.WORKING.search(asked.text):
        count = working_days(start, end, inclusive=not (lexicon.START_LEFT_OUT.search(asked.text) or neither))
        return f"{max(0, count - (neither and end.weekday() < 5))} working days"
    if neither:
        return _counted(max(0, days_between(start, end) - 1), "day")
    return _in_unit(asked, start, end, inclusive=bool(lexicon.BOTH_COUNTED.search(asked.text)))


def _in_unit(asked: ParsedQuestion, start: date, end: date, *, inclusive: bool = False) -> str:
    found = lexicon.DURATION_UNIT.search(asked.text)
    unit = (found[1] or "day").lower() if found else "day"
    days = days_between(start, end, inclusive=inclusive)
    months = 12 * (end.year - start.year) + end.month - start.month
    if months and add_months(start, months) > end:
        months -= 1
    weeks, rest = divmod(days, 7)
    if unit == "week" and weeks:
        return _counted(weeks, "week") + (f" and {_counted(rest, 'day')}" if rest else "")
    if unit == "month" and months:
        return _counted(months, "month")
    if unit == "year" and months >= 12:
        return _counted(months // 12, "year")
    return _counted(days, "day")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'s' * (count != 1)}"


def _from_now(page: Page, asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    """For *ago*, *since* and *until*: from the event to when the question is put, or back."""
    if not (lexicon.AGO.search(asked.text) or lexicon.UNTIL.search(asked.text)):
        return None
    latest = max((s.said for s in page.statements if s.said is not None), key=lambda m: m.local, default=None)
    day, now = _day_named(hits), moment_of(asked.question.asked_at) or latest
    if day is None or now is None:
        return None
    return _in_unit(asked, *sorted((day, now.day)))


def _named_length(asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    """A length in the unit that is asked for, where it is a whole number of them; else as it was said."""
    best = newest_of_tied(hits)
    nearest = [best, *(hit for hit in hits[:_LOOKED_AT] if hit is not best)]
    lengths = (length for hit in nearest if hit.held for length in lengths_in(hit.statement)[:1])
    seconds, text = next(lengths, (0.0, None))
    wanted = lexicon.DURATION_UNIT.search(asked.text)
    unit = (wanted[1] or "day").lower() if wanted else ""
    if text is None or unit not in _SECONDS or seconds % _SECONDS[unit]:
        return text
    return _counted(int(seconds // _SECONDS[unit]), unit)


def _first_to_last(asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    days = [
        mention.value.exact
        for hit in hits[:_LOOKED_AT]
        if hit.held == hits[0].held
        for mention in dates_in(hit.statement.text, hit.statement.said)
        if mention.value.exact is not None
    ]
    return _between(asked, min(days), max(days)) if len(set(days)) > 1 else None


_DATED_FROM, _AS_GOOD = 2, 0.8
_GRAINS = ("day", "weekend", "week", "month", "year")


def date_of_event(page: Page, asked: ParsedQuestion) -> str | None:
    """The date; `None` where no word of the question is held, or no time is known."""
    hits = rank(page, asked)
    if not hits:
        return None
    first = newest_of_tied(hits)
    known = {m.value for m in dates_in(asked.text, moment_of(asked.question.asked_at))}
    for hit in [first, *(h for h in hits[:_DATED_FROM] if h is not first and h.share >= _AS_GOOD * first.share)]:
        named = [m for m in dates_in(hit.statement.text, hit.statement.said) if m.value not in known]
        if named:
            return date_answer(asked, min(named, key=lambda m: (_GRAINS.index(m.grain), m.start)))
    said = first.statement.said
    return _exactly(asked, PartialDate.of(said.day)) if said is not None else None


def date_answer(asked: ParsedQuestion, mention: Mention) -> str:
    """A date as the question wants it."""
    if asked.format is AnswerFormat.DATE_SPAN and mention.first is not None and mention.last is not None:
        start, end = format_date(mention.first, "iso"), format_date(mention.last, "iso")
        return start if start == end else f"{start} to {end}"
    if mention.grain in ("week", "weekend"):
        return f"the {mention.grain} of {format_date(mention.value)}"
    return _exactly(asked, mention.value)


def _exactly(asked: ParsedQuestion, value: PartialDate) -> str:
    wanted = lexicon.DATE_PART.search(asked.text.casefold())
    part = wanted[1] if wanted else ""
    if part == "year" and value.year is not None:
        return str(value.year)
    if part == "month" and value.month is not None:
        return format_date(PartialDate(value.year, value.month))
    if part in ("weekday", "day of the week") and value.exact is not None:
        return weekday_name(value.exact)
    return format_date(value, "iso" if asked.format is AnswerFormat.DATE_SPAN else "day_first")
