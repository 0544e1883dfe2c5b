"""Which statements are about the question, and which sources make them on which day."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.offline.reading import lexicon
from recollect.offline.reading.pages import Page, Statement
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, words

_ITEM, _BEFORE = 0.5, 0.25
_DENSE = 100
_NO_QUESTIONS = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """A statement that may answer."""

    statement: Statement
    score: float
    share: float
    """Of the question's weight that the statement itself holds, in [0, 1]."""
    held: frozenset[str]
    """The question's stems that the statement itself holds."""


def rank(page: Page, asked: ParsedQuestion, *, limit: int = 20) -> list[Hit]:
    """The statements that may answer, best first; empty where nothing of the question is held."""
    weights = page.weights(asked.stems)
    items, total = page.item_scores(weights), sum(weights.values())
    hits: list[Hit] = []
    for statement in page.statements:
        if statement.item not in items and statement.item - 1 not in items:
            continue
        held = frozenset(one for one in weights if one in statement.stems)
        own = sum(weights[one] for one in sorted(held))
        score = own + _ITEM * (items.get(statement.item, 0.0) - own) + _BEFORE * items.get(statement.item - 1, 0.0)
        score = round(score * (_NO_QUESTIONS if statement.sheet.asks else 1.0), 6)
        if score > 0:
            hits.append(Hit(statement, score, min(1.0, own / total) if total else 0.0, held))
    best = sorted(hits, key=_order)[: max(limit, _DENSE)]
    if page.vectors is not None and best:
        statements = [hit.statement for hit in best]
        texts = [f"{one.speaker}: {one.text}" if one.speaker else one.text for one in statements]
        cosines = z_scores(page.vectors.cosines(asked.text, texts))
        scores = zip(z_scores([hit.score for hit in best]), cosines, strict=True)
        rescored = zip(best, [round(lexical + dense, 6) for lexical, dense in scores], strict=True)
        best = sorted((replace(hit, score=score) for hit, score in rescored), key=_order)
    return best[:limit]


def _order(hit: Hit) -> tuple[float, int, int]:
    return (-hit.score, -hit.statement.age, hit.statement.place)


def z_scores(values: Sequence[float]) -> list[float]:
    """Values less their mean, in standard deviations; zeros where they are all the same."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / spread if spread > 1e-12 else 0.0 for value in values]


def newest_of_tied(hits: Sequence[Hit], *, least: float = 0.6) -> Hit:
    """The best hit, or the newest of those that hold the very same words of the question, if these are most of it."""
    best = hits[0]
    if best.share < least:
        return best
    tied = [hit for hit in hits if hit.held == best.held and not hit.statement.sheet.asks]
    return max(tied, key=lambda hit: (hit.statement.age, hit.statement.place), default=best)


CONFLICTS, REPORT = "conflicts", "report"
"""A question's variable and its value: name both sides of what contradicts itself."""
DECIDES = 0.15
"""Of the question's weight: a source that holds so much more of it than another tells the condition that is asked."""
_MATTERS = 0.5
_LOOKED_AT = 4
"""Sources, those that hold most of the question first."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """What was said on one day."""

    day: str
    matters: float
    """Share of the question's weight that it holds."""
    statements: tuple[Statement, ...]

    def decides_over(self, other: Source) -> bool:
        """It holds clearly more of the question."""
        return self.matters - other.matters >= DECIDES


def wants_both(asked: ParsedQuestion) -> bool:
    """Whether contradictions are to be told."""
    return asked.question.variables.get(CONFLICTS) == REPORT


def sources(page: Page, asked: ParsedQuestion, without: Iterable[str] = ()) -> list[Source]:
    """Those that matter to a question, the words of *without* left out of it; the most important first."""
    said: Mapping[str, list[Statement]] = defaultdict(list)
    for one in page.statements:
        said[str(one.said.day) if one.said is not None else f"item {one.item:09d}"].append(one)
    named = {stem for value in without for stem in content(words(value))}
    weights = page.weights([stem for stem in asked.stems if stem not in named] or asked.stems)
    whole = sum(weights.values()) or 1.0
    matters: dict[str, float] = {}
    for day, statements in said.items():
        stems: frozenset[str] = frozenset().union(*(one.stems for one in statements))
        matters[day] = round(sum(weight for stem, weight in weights.items() if stem in stems) / whole, 6)
    nearest = sorted(said, key=lambda day: (-matters[day], day))[:_LOOKED_AT]
    enough = [day for day in nearest if matters[day] >= _MATTERS * matters[nearest[0]]]
    return [Source(day, matters[day], tuple(said[day])) for day in enough]


def telling(source: Source, asked: ParsedQuestion) -> Sequence[Statement]:
    """The statements that answer: no questions, and of an assistant's none where the user asks of himself."""
    said = [one for one in source.statements if not one.sheet.asks]
    own = [one for one in said if one.speaker.casefold() not in lexicon.ASSISTANTS]
    about_self = any(word.low in lexicon.SELF for word in asked.words)
    return (own if about_self and own else said) or source.statements
