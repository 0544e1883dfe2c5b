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
        if found is None:
            continue
        groups = {name.rstrip("2"): text for name, text in found.groupdict().items() if text}
        if len(groups) == 2 and not lexicon.PASSED.match(groups["other"].strip()):
            return groups["one"], groups["other"]
    return None


def _day_of(page: Page, event: ParsedQuestion) -> date | None:
    """The day of an event."""
    said = dates_in(event.text, moment_of(event.question.asked_at))
    own = next((mention.value.exact for mention in said if mention.value.exact is not None), None)
    if own is not None:
        return own
    hits = rank(page, event)
    return _day_named(hits) if hits else None


def _day_named(hits: list[Hit]) -> date | None:
    best = newest_of_tied(hits)
    exact = [m.value.exact for m in dates_in(best.statement.text, best.statement.said) if m.value.exact is not None]
    if exact:
        return exact[0]
    return best.statement.said.day if best.statement.said is not None else None


def _between(asked: ParsedQuestion, first: date, last: date) -> str:
    start, end = sorted((first, last))
    text = asked.text
    if lexicon.WORKING.search(text):
        left_out = bool(lexicon.START_LEFT_OUT.search(text) or lexicon.NEITHER_COUNTED.search(text))
        count = working_days(start, end, inclusive=not left_out)
        if lexicon.NEITHER_COUNTED.search(text) and end.weekday() < 5:
            count -= 1
        return f"{max(0, count)} working days"
    if lexicon.NEITHER_COUNTED.search(text):
        return _days(max(0, days_between(start, end) - 1))
    return _in_unit(asked, start, end, inclusive=bool(lexicon.BOTH_COUNTED.search(text)))


def _unit(asked: ParsedQuestion) -> str:
    found = lexicon.DURATION_UNIT.search(asked.text)
    return (found[1] or "day").lower() if found else "day"


def _in_unit(asked: ParsedQuestion, start: date, end: date, *, inclusive: bool = False) -> str:
    unit, days = _unit(asked), days_between(start, end, inclusive=inclusive)
    if unit in ("month", "year"):
        months = _whole_months(start, end)
        count = months if unit == "month" else months // 12
        return f"{count} {unit}{'s' * (count != 1)}" if count else _days(days)
    if unit == "week":
        weeks, rest = divmod(days, 7)
        told = f"{weeks} week{'s' * (weeks != 1)}"
        return _days(days) if not weeks else told if not rest else f"{told} and {_days(rest)}"
    return _days(days)


def _whole_months(start: date, end: date) -> int:
    months = 12 * (end.year - start.year) + end.month - start.month
    return months - (add_months(start, months) > end) if months else 0


def _days(count: int) -> str:
    return f"{count} day{'s' * (count != 1)}"


def _from_now(page: Page, asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    """For *ago*, *since* and *until*: from the event to when the question is put, or back."""
    if not (lexicon.AGO.search(asked.text) or lexicon.UNTIL.search(asked.text)):
        return None
    now = moment_of(asked.question.asked_at)
    latest = max((s.said for s in page.statements if s.said is not None), key=lambda m: m.local, default=None)
    day = _day_named(hits)
    moment = now or latest
    if day is None or moment is None:
        return None
    return _in_unit(asked, *sorted((day, moment.day)))


def _named_length(asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    best = newest_of_tied(hits)
    for hit in [best, *(h for h in hits[:_LOOKED_AT] if h is not best)]:
        if hit.held and (found := lengths_in(hit.statement)):
            return _as_asked(asked, *found[0])
    return None


def _as_asked(asked: ParsedQuestion, seconds: float, said: str) -> str:
    """A length in the unit that is asked for, where it is a whole number of them; else as it was said."""
    wanted = lexicon.DURATION_UNIT.search(asked.text)
    size = _SECONDS.get((wanted[1] or "day").lower()) if wanted else None
    if size is None or seconds % size:
        return said
    count = int(seconds // size)
    return f"{count} {(wanted[1] or 'day').lower()}{'s' * (count != 1)}" if wanted else said


def _first_to_last(asked: ParsedQuestion, hits: list[Hit]) -> str | None:
    days = [
        mention.value.exact
        for hit in hits[:_LOOKED_AT]
        if hit.held == hits[0].held
        for mention in dates_in(hit.statement.text, hit.statement.said)
        if mention.value.exact is not None
    ]
    if len(set(days)) < 2:
        return None
    return _between(asked, min(days), max(days))


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
