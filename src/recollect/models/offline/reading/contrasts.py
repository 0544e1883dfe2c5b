"""Statements that say the same but for one value.

Rule: two statements contrast where their words agree at the start and at the end on at least half of the longer one, a
verb or three words among them, and what stands between differs on both sides and is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.models.offline.reading import lexicon
from recollect.models.offline.reading.forms import links_names
from recollect.models.offline.reading.pages import Sheet
from recollect.models.offline.reading.words import Word, tidy

_LONGEST = 8
_LEAST_AGREED = 2


class Contrast(NamedTuple):
    """The two values."""

    one: str
    other: str


def contrast(one: Sheet, other: Sheet) -> Contrast | None:
    """The values in which two statements differ; `None` where they say the same or speak of different things."""
    first, second = one.words, other.words
    lead = _agreed([w.low for w in first], [w.low for w in second])
    shorter = min(len(first), len(second)) - lead
    trail = min(shorter, _agreed([w.low for w in reversed(first)], [w.low for w in reversed(second)]))
    lead = min(_before_name(first, lead), _before_name(second, lead))
    ends = (len(first) - trail, len(second) - trail)
    if not _same_matter(first[:lead], len(first), len(second), lead + trail):
        return None
    values = (_text(one, lead, ends[0]), _text(other, lead, ends[1]))
    sizes = (ends[0] - lead, ends[1] - lead)
    return Contrast(*values) if all(values) and max(sizes) <= _LONGEST and values[0] != values[1] else None


def _same_matter(lead: Sequence[Word], one: int, other: int, agreed: int) -> bool:
    if agreed < _LEAST_AGREED or 2 * agreed < max(one, other):
        return False
    return len(lead) >= 3 or any(lexicon.looks_like_verb(w.low) for w in lead)


def _agreed(one: Sequence[str], other: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _before_name(found: Sequence[Word], place: int) -> int:
    """*place* moved back so that the name it stands in is not cut."""
    place = min(place, len(found))
    while 1 < place < len(found) and (found[place - 1].capital or links_names(found, place - 1)):
        place -= 1
    return place


def _text(sheet: Sheet, start: int, end: int) -> str:
    if not start < end <= len(sheet.words):
        return ""
    return tidy(sheet.text[sheet.words[start].start : sheet.words[end - 1].end])
