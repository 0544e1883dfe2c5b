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
from collections.abc import Sequence
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
    hits = _one_per_item(rank(page, asked, limit=4 * _LOOKED_AT)) or _newest(page)
    if not hits or not options:
        return [0.0] * len(options)
    rows = _Evidence(page, asked, hits, options)
    measures = {
        "best": [rows.best(option) for option in options],
        "mean": [rows.mean(option) for option in options],
        "item": [rows.item(option) for option in options],
        "statement": [rows.statement(option) for option in options],
        "cosine": [rows.cosine(option) for option in options],
    }
    columns = [[_WEIGHTS[name] * z for z in z_scores(values)] for name, values in measures.items()]
    return [round(sum(column), 6) for column in zip(*columns, strict=True)]


def _one_per_item(hits: Sequence[Hit]) -> list[Hit]:
    seen: dict[int, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.statement.item, hit)
    return list(seen.values())[:_LOOKED_AT]


def _newest(page: Page) -> list[Hit]:
    """Where no word of the question is held, the newest items."""
    newest = sorted(page.statements, key=lambda s: (-s.age, s.place))
    return _one_per_item([Hit(statement, 0.0, 0.0, frozenset()) for statement in newest])


class _Evidence:
    """The best items of a question, ready to be held against options."""

    def __init__(self, page: Page, asked: ParsedQuestion, hits: Sequence[Hit], options: Sequence[str]) -> None:
        self._page, self._asked, self._hits = page, asked, hits
        raw = [math.exp(z) for z in z_scores([hit.score for hit in hits])]
        self._trust = [one / sum(raw) for one in raw]
        if page.vectors is not None:
            page.vectors.prepare([*options, *(hit.statement.text for hit in hits)])
        self._around = [page.around(hit.statement.item) | _date_stems(page, hit.statement.item) for hit in hits]

    def _shares(self, option: str) -> list[float]:
        stems = frozenset(content(words(option)))
        weights = self._page.weights(sorted(stems - set(self._asked.stems) or stems))
        whole = sum(weights.values())
        return [sum(w for one, w in weights.items() if one in held) / whole if whole else 0.0 for held in self._around]

    def best(self, option: str) -> float:
        """The largest share of its new words in one item."""
        return max(self._shares(option))

    def mean(self, option: str) -> float:
        """The same over all items, better ones counting more."""
        return sum(trust * share for trust, share in zip(self._trust, self._shares(option), strict=True))

    def item(self, option: str) -> float:
        """The best item of the whole context for question and option together."""
        weights = self._page.weights(sorted({*self._asked.stems, *content(words(option))}))
        return max(self._page.item_scores(weights).values(), default=0.0)

    def statement(self, option: str) -> float:
        """The best single statement for question and option, each by its own share."""
        asked = self._page.weights(self._asked.stems)
        said = self._page.weights(sorted(set(content(words(option))) - set(self._asked.stems)))
        best = 0.0
        for hit in self._hits:
            held = hit.statement.stems
            shares = [
                sum(w for one, w in ws.items() if one in held) / (sum(ws.values()) or 1.0) for ws in (asked, said)
            ]
            best = max(best, sum(shares))
        return best

    def cosine(self, option: str) -> float:
        """How near the option, asked and alone, lies to the statements; one that the question spells out is asked."""
        if self._page.vectors is None:
            return 0.0
        said = [hit.statement.text for hit in self._hits]
        alone = self._page.vectors.cosines(option, said)
        spelled = option in self._asked.text
        together = alone if spelled else self._page.vectors.cosines(f"{self._asked.text} {option}", said)
        weighted = sum(t * (a + b) for t, a, b in zip(self._trust, alone, together, strict=True))
        return weighted + max(alone) + max(together)


def _date_stems(page: Page, item: int) -> frozenset[str]:
    """The words of the dates that an item names, and of when it was said."""
    said = []
    for statement in page.of_item(item):
        said += [format_date(m.value) for m in dates_in(statement.text, statement.said)]
        if statement.said is not None:
            said.append(format_date(statement.said.day))
    return frozenset(content(words(" ".join(said))))


def says(option: str, computed: str) -> bool:
    """An option says what was worked out: the same dates or numbers, else all its words."""
    for values in (_dates, _numbers):
        wanted, said = values(computed), values(option)
        if wanted or said:
            return bool(wanted) and wanted == said
    wanted_words, said_words = set(content(words(computed))), set(content(words(option)))
    return bool(said_words) and (said_words <= wanted_words or (bool(wanted_words) and wanted_words <= said_words))


def _dates(text: str) -> set[PartialDate]:
    return {mention.value for mention in dates_in(text, None)}


def _numbers(text: str) -> set[float]:
    return {number.value for number in find_numbers(text)}
