"""Operator: when something happened.

Rule: the best statement, and the second if it holds about as much of the question, is searched for a date, the most
exact expression first, relative ones resolved against when they were said; a date that the question itself names is
no answer. Where none is named, the time that the best statement was said at stands. A year, month or weekday is
given where only that is asked for; a date span in ISO, start to end.
"""

from __future__ import annotations

from recollect.domain.questions import AnswerFormat
from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.asking import Asked
from recollect.models.offline.reading.evidence import newest_of_tied, rank
from recollect.models.offline.reading.pages import Page
from recollect.models.offline.reading.timing import dates_in, moment_of
from recollect.text.calendars import PartialDate, format_date, weekday_name
from recollect.text.dates import Mention

_LOOKED_AT, _AS_GOOD = 2, 0.8
_GRAINS = ("day", "weekend", "week", "month", "year")


def when(page: Page, asked: Asked) -> str | None:
    """The date; `None` where no word of the question is held, or no time is known."""
    hits = rank(page, asked)
    if not hits:
        return None
    first = newest_of_tied(hits)
    known = {m.value for m in dates_in(asked.text, moment_of(asked.question.asked_at))}
    for hit in [first, *(h for h in hits[:_LOOKED_AT] if h is not first and h.share >= _AS_GOOD * first.share)]:
        named = [m for m in dates_in(hit.statement.text, hit.statement.said) if m.value not in known]
        if named:
            return told(asked, min(named, key=lambda m: (_GRAINS.index(m.grain), m.start)))
    said = first.statement.said
    return _exactly(asked, PartialDate.of(said.day)) if said is not None else None


def told(asked: Asked, mention: Mention) -> str:
    """A date as the question wants it."""
    if asked.format is AnswerFormat.DATE_SPAN and mention.first is not None and mention.last is not None:
        start, end = format_date(mention.first, "iso"), format_date(mention.last, "iso")
        return start if start == end else f"{start} to {end}"
    if mention.grain in ("week", "weekend"):
        return f"the {mention.grain} of {format_date(mention.value)}"
    return _exactly(asked, mention.value)


def _exactly(asked: Asked, value: PartialDate) -> str:
    wanted = lexicon.DATE_PART.search(asked.text.casefold())
    part = wanted[1] if wanted else ""
    if part == "year" and value.year is not None:
        return str(value.year)
    if part == "month" and value.month is not None:
        return format_date(PartialDate(value.year, value.month))
    if part in ("weekday", "day of the week") and value.exact is not None:
        return weekday_name(value.exact)
    return format_date(value, "iso" if asked.format is AnswerFormat.DATE_SPAN else "day_first")
