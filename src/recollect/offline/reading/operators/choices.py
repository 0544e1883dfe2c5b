"""Operator: pick a letter.

Rule: each option is held against the ten best items with their neighbours and dates: how much of the
rarity-weighted words that the question does not say the best item holds, the same as a mean weighted by how well
the item fits the question, the best single item for question and option together, the best single statement for
both, and, with an embedder, the cosine of option and statements. Each measure is a z-score over the options; their
weighted sum decides. No measure looks at the options alone. Options that the context supports equally, or not at
all, are told apart by a digest of the question: a letter cannot decline, and so the floor without a memory is
chance and leans to no letter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from hashlib import sha256

from recollect.domain.questions import Option
from recollect.offline.reading.evidence import Hit, rank, z_scores
from recollect.offline.reading.pages import Page, dates_in
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, words
from recollect.text.dates.calendars import PartialDate, format_date
from recollect.text.numbers import find_numbers

_LOOKED_AT = 10
_WEIGHTS = {"best": 1.0, "mean": 1.0, "item": 1.0, "statement": 1.0, "cosine": 2.0}


def pick(page: Page, asked: ParsedQuestion, options: Sequence[Option]) -> str:
    """The letter of the option that the context supports most."""
    scores = support(page, asked, [option.text for option in options])
    top = max(scores)
    best = [option.letter for option, score in zip(options, scores, strict=True) if score >= top - 1e-6]
    return best[0] if len(best) == 1 else by_digest(asked, best)


def by_digest(asked: ParsedQuestion, letters: Sequence[str]) -> str:
    """One of equals, the same every time, leaning to none."""
    mark = sha256(f"{asked.question.question_id}\n{asked.question.text}".encode(errors="replace")).digest()
    return sorted(letters)[int.from_bytes(mark[:8], "big") % len(letters)]


def support(page: Page, asked: ParsedQuestion, options: Sequence[str]) -> list[float]:
    """How well the context supports each option; only differences mean something."""
    hits = _one_per_item(rank(page, asked, limit=4 * _LOOKED_AT))
    if not hits:  # no word of the question is there: the newest items
        newest = sorted(page.statements, key=lambda s: (-s.age, s.place))
        hits = _one_per_item([Hit(statement, 0.0, 0.0, frozenset()) for statement in newest])
    if not hits or not options:
        return [0.0] * len(options)
    evidence = _Evidence(page, asked, hits, options)
    rows = [evidence.measures(option) for option in options]
    columns = [[weight * z for z in z_scores([row[name] for row in rows])] for name, weight in _WEIGHTS.items()]
    return [round(sum(column), 6) for column in zip(*columns, strict=True)]


def _one_per_item(hits: Sequence[Hit]) -> list[Hit]:
    seen: dict[int, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.statement.item, hit)
    return list(seen.values())[:_LOOKED_AT]


class _Evidence:
    """The best items of a question, ready to be compared with options."""

    def __init__(self, page: Page, asked: ParsedQuestion, hits: Sequence[Hit], options: Sequence[str]) -> None:
        self._page, self._asked, self._hits = page, asked, hits
        raw = [math.exp(z) for z in z_scores([hit.score for hit in hits])]
        self._trust = [one / sum(raw) for one in raw]
        if page.vectors is not None:
            page.vectors.prepare([*options, *(hit.statement.text for hit in hits)])
        self._around = [page.around(hit.statement.item) | _date_stems(page, hit.statement.item) for hit in hits]

    def measures(self, option: str) -> dict[str, float]:
        """Name of a measure -> its value."""
        stems, asked = set(content(words(option))), self._asked.stems
        new = self._page.weights(sorted(stems - set(asked) or stems))
        shares = [_share(new, around) for around in self._around]
        both = self._page.weights(sorted({*asked, *stems}))
        each = self._page.weights(asked), self._page.weights(sorted(stems - set(asked)))
        return {
            "best": max(shares),
            "mean": sum(trust * share for trust, share in zip(self._trust, shares, strict=True)),
            "item": max(self._page.item_scores(both).values(), default=0.0),
            "statement": max(sum(_share(weights, hit.statement.stems) for weights in each) for hit in self._hits),
            "cosine": self._cosine(option),
        }

    def _cosine(self, option: str) -> float:
        """How near the option, asked and alone, lies to the statements; one that the question spells out is asked."""
        if self._page.vectors is None:
            return 0.0
        statements = [hit.statement.text for hit in self._hits]
        alone = together = self._page.vectors.cosines(option, statements)
        if option not in self._asked.text:
            together = self._page.vectors.cosines(f"{self._asked.text} {option}", statements)
        weighted = sum(t * (a + b) for t, a, b in zip(self._trust, alone, together, strict=True))
        return weighted + max(alone) + max(together)


def _share(weights: Mapping[str, float], stems: Set[str]) -> float:
    """Share of the weight that *stems* have; 0 of nothing."""
    return sum(weight for one, weight in weights.items() if one in stems) / (sum(weights.values()) or 1.0)


def _date_stems(page: Page, item: int) -> frozenset[str]:
    """The words of the dates that an item names, and of when it was said."""
    dates = []
    for statement in page.of_item(item):
        dates += [format_date(m.value) for m in dates_in(statement.text, statement.said)]
        if statement.said is not None:
            dates.append(format_date(statement.said.day))
    return frozenset(content(words(" ".join(dates))))


def says(option: str, computed: str) -> bool:
    """An option says what was worked out: the same dates or numbers, else all its words."""
    for said, wanted in zip(_values(option), _values(computed), strict=True):
        if wanted or said:
            return bool(wanted) and wanted == said
    said_words, wanted_words = set(content(words(option))), set(content(words(computed)))
    return bool(said_words) and (said_words <= wanted_words or (bool(wanted_words) and wanted_words <= said_words))


def _values(text: str) -> tuple[set[PartialDate], set[float]]:
    return {mention.value for mention in dates_in(text, None)}, {number.value for number in find_numbers(text)}
