"""Operators: fill a JSON object, each field by its description; and an extractive summary."""

from __future__ import annotations

import heapq
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping

from recollect.offline.reading.evidence import wants_both
from recollect.offline.reading.operators import sources as rivals
from recollect.offline.reading.operators.states import choose, spoken
from recollect.offline.reading.pages import Page, Statement
from recollect.offline.reading.question import ParsedQuestion
from recollect.text.tokens import count, cut_end

_OPEN = re.compile(r"[\[({]([^\])}]+)[\])}]")
_BEHIND = re.compile(
    r"(?:\bone of|\bchoices?|\boptions?|\bvalues?|\beither|\ballowed|\bpossible)\b[^:]{0,30}:?\s*(.+)", re.IGNORECASE
)
_SEPARATOR = re.compile(r"\s*[|/]\s*|\s*[,;]\s*(?:or\s+)?|\s+or\s+")
_LONGEST_CHOICE = 60

Answerer = Callable[[Page, ParsedQuestion], str | None]


def fill(page: Page, asked: ParsedQuestion, template: Mapping[str, str], look_up: Answerer) -> dict[str, str]:
    """The value of each field, empty where nothing is known."""
    values: dict[str, str] = {}
    for name, about in template.items():
        choices = choices_in(about)
        if choices and wants_both(asked):
            value = rivals.worded([choices[place] for place in rivals.choose(page, asked, choices)])
        elif choices:
            chosen = choose(page, asked.part(spoken(name)), choices)
            value = None if chosen is None else choices[chosen]
        else:
            value = look_up(page, asked.part(f"{about} {spoken(name)} {' '.join(asked.names)}"))
        values[name] = value or ""
    return values


def choices_in(about: str) -> list[str]:
    """The values that a description allows; empty where it gives none."""
    for pattern in (_OPEN, _BEHIND):
        found = pattern.search(about)
        parts = _parts(found[1]) if found else []
        if len(parts) > 1:
            return parts
    return _parts(about) if "|" in about else []


def _parts(text: str) -> list[str]:
    parts = [part.strip(" \"'`.“”") for part in _SEPARATOR.split(text)]
    parts = [part for part in parts if part]
    return parts if all(len(part) <= _LONGEST_CHOICE for part in parts) else []


def in_json(values: Mapping[str, str], limit: int | None) -> str:
    """The object as text; values are shortened evenly until it fits."""
    kept = dict(values)
    text = json.dumps(kept, ensure_ascii=False)
    while limit is not None and count(text) > limit and any(kept.values()):
        longest = max(kept, key=lambda name: (count(kept[name]), name))
        kept[longest] = cut_end(kept[longest], count(kept[longest]) - 1).rstrip()
        text = json.dumps(kept, ensure_ascii=False)
    return text


_DEFAULT_TOKENS = 400
_ASKED_FOR = 2.0
_SHORTEST, _LONGEST = 5, 80


def summary(page: Page, asked: ParsedQuestion, limit: int | None) -> str:
    """The sentences that cover most; empty where there are none."""
    frequency = Counter(one for statement in page.statements for one in statement.sheet.stems)
    weights = {
        one: math.log(1 + n) * (_ASKED_FOR if one in asked.stems else 1.0) for one, n in frequency.items() if n > 1
    } or dict.fromkeys(frequency, 1.0)
    taken = _cover(page, weights, limit or _DEFAULT_TOKENS)
    return " ".join(" ".join(statement.text.split()) for statement in sorted(taken, key=lambda s: (s.age, s.place)))


def _gain(statement: Statement, weights: Mapping[str, float], covered: set[str]) -> float:
    new = sorted(statement.sheet.stems - covered)
    return round(sum(weights.get(one, 0.0) for one in new) / math.sqrt(len(statement.sheet.words)), 6)


def _cover(page: Page, weights: Mapping[str, float], limit: int) -> list[Statement]:
    """Greedy, lazily: a gain only ever falls, so the top of the heap is looked at again before it is taken."""
    fitting = [s for s in page.statements if _SHORTEST <= len(s.sheet.words) <= _LONGEST and not s.sheet.asks]
    heap = [(-_gain(s, weights, set()), s.place) for s in fitting or page.statements]
    heapq.heapify(heap)
    taken: list[Statement] = []
    covered, room = set[str](), limit
    while heap and room > 0:
        old, place = heapq.heappop(heap)
        statement = page.statements[place]
        gain = _gain(statement, weights, covered)
        if gain <= 0:
            continue
        if -gain > old and heap and (-gain, place) > heap[0]:
            heapq.heappush(heap, (-gain, place))
            continue
        cost = count(" ".join(statement.text.split())) + 1
        if cost <= room:
            taken.append(statement)
            covered |= statement.sheet.stems
            room -= cost
    return taken
