"""Operators: which value, given or in their own words, the sources support; both where they contradict each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import Source, sources, telling, wants_both
from recollect.offline.reading.facts.relations import name_runs
from recollect.offline.reading.operators.choices import support
from recollect.offline.reading.pages import Page
from recollect.offline.reading.question import ParsedQuestion
from recollect.offline.reading.words import content, words

_LEAST_LOST = 0.03
"""Sources disagree if one value for both speaks for so much less than a value for each, in cosines."""
_NEAREST = 2
"""Statements by which a source speaks."""
_FEW = 60
"""Statements that are too few for a mean."""
_LABEL = ": "
"""Between the name of an option and what is said of it."""


class Voice(NamedTuple):
    """A source, and how much it speaks for each value; only differences mean something."""

    source: Source
    speaks: Sequence[float]

    @property
    def value(self) -> int:
        """The one it speaks for most."""
        return self.speaks.index(max(self.speaks))


def choose(page: Page, asked: ParsedQuestion, values: Sequence[str]) -> tuple[int, ...]:
    """Places of the values that hold: none where nothing tells any, two where sources contradict each other."""
    voices = _voices(page, asked, values)
    if not voices:
        return ()
    lost, first, second = 0.0, voices[0], voices[0]
    for one, other in combinations(voices, 2):  # what two sources speak for less if they must stand for one value
        together = max(a + b for a, b in zip(one.speaks, other.speaks, strict=True))
        less = round(max(one.speaks) + max(other.speaks) - together, 6)
        if less > lost:
            lost, first, second = less, one, other
    if lost <= _LEAST_LOST:
        sums = [sum(column) for column in zip(*(voice.speaks for voice in voices), strict=True)]
        return (sums.index(max(sums)),)
    if first.source.decides_over(second.source) or not wants_both(asked):
        return (first.value,)
    return tuple(sorted((first.value, second.value)))


def option(page: Page, asked: ParsedQuestion) -> str | None:
    """The option that suits what is told, by its name if all have one; two where sources contradict each other."""
    options = [one.text for one in asked.question.options]
    labelled = all(_LABEL in one for one in options)
    names = [one.partition(_LABEL)[0] if labelled else one for one in options]
    places = choose(page, asked, [one.partition(_LABEL)[2] if labelled else one for one in options])
    if not places:
        scores = support(page, asked, options)
        places = (scores.index(max(scores)),) if len(set(scores)) > 1 else ()
    return worded([names[place] for place in places])


def worded(values: Sequence[str]) -> str | None:
    """One value as it is, two as what is not settled."""
    if len(values) > 1:
        return lexicon.BOTH.format(first=values[0], second=values[1])
    return values[0] if values else None


def _voices(page: Page, asked: ParsedQuestion, values: Sequence[str]) -> list[Voice]:
    """How much each source speaks for each value, by its nearest statements.

    A cosine counts less about the mean over all statements: some values lie near to anything.
    """
    if page.vectors is None or not values:
        return []
    found = [(source, telling(source, asked)) for source in sources(page, asked, values)]
    statements = [one for _, told in found for one in told]
    places, texts = [one.place for one in statements], [one.text for one in statements]
    page.vectors.prepare([*values, *texts])
    cosines: list[dict[int, float]] = []
    for value in values:
        row = page.vectors.cosines(value, texts)
        mean = sum(row) / (len(row) + _FEW)
        cosines.append({place: cosine - mean for place, cosine in zip(places, row, strict=True)})
    voices: list[Voice] = []
    for source, told in found:
        nearest = [sorted((of_value[one.place] for one in told), reverse=True)[:_NEAREST] for of_value in cosines]
        voices.append(Voice(source, [round(sum(best) / len(best), 6) for best in nearest]))
    return voices


Answerer = Callable[[Page, ParsedQuestion], str | None]
_JOINT = re.compile(r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)(?:the\s+)?")


def answer_by_source(page: Page, asked: ParsedQuestion, look_up: Answerer) -> str | None:
    """The answer of the sources; two of them where they contradict each other."""
    listed = named_together(asked)
    if listed:
        start, end = asked.text.find(listed[0]), asked.text.rfind(listed[-1]) + len(listed[-1])
        about = {name: asked.part(f"{asked.text[:start]}{name}{asked.text[end:]}") for name in listed}
        answers = [(name, answer_by_source(page, about[name], look_up)) for name in listed]
        return "; ".join(f"{name}: {answer}" for name, answer in answers if answer) or None
    found: list[tuple[Source, str]] = []
    for source in sources(page, asked):
        items = sorted({statement.item for statement in source.statements})
        if answer := look_up(page.part(items), asked):
            found.append((source, answer))
    if not found:
        return look_up(page, asked)
    first, answer = found[0]
    for source, other in found[1:]:
        if not (first.decides_over(source) or _holds(source, answer) or _holds(first, other)):
            return worded([answer, other])
    return answer


def named_together(asked: ParsedQuestion) -> Sequence[str]:
    """The names that a question joins by commas and *and*; empty where there is one."""
    found = asked.words
    runs = name_runs(found)
    for first in range(len(runs)):
        for last in range(len(runs) - 1, first - 1, -1):
            between = asked.text[found[runs[first][0]].start : found[runs[last][1] - 1].end]
            parts = _JOINT.split(between)
            if len(parts) > 1 and all(part[:1].isupper() and part.istitle() for part in parts):
                return parts
    return ()


def _holds(source: Source, answer: str) -> bool:
    """One of its statements has all words of the answer."""
    stems = set(content(words(answer)))
    return any(stems <= statement.stems for statement in source.statements)
