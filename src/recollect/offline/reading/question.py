"""What a question asks for, told by its function words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from recollect.domain.questions import AnswerFormat, Question
from recollect.offline.reading import lexicon
from recollect.offline.reading.facts.relations import name_runs
from recollect.offline.reading.words import Word, content, words
from recollect.text.sentences import split

_LOOKED_AT, _CORE = 4_000, 600


class Kind(StrEnum):
    """Kinds of question, each with an operator of its own."""

    CONFLICT = "conflict"
    DURATION = "duration"
    WHEN = "when"
    COMPARE = "compare"
    SUM = "sum"
    COUNT = "count"
    SET = "set"
    WHO = "who"
    WHERE = "where"
    YES_NO = "yes_no"
    WHAT = "what"


_PATTERNS = (
    (Kind.CONFLICT, lexicon.DISAGREEMENT),
    (Kind.DURATION, lexicon.DURATION_QUESTION),
    (Kind.COMPARE, lexicon.COMPARISON_QUESTION),
    (Kind.WHEN, lexicon.WHEN_QUESTION),
    (Kind.SUM, lexicon.SUM_QUESTION),
    (Kind.COUNT, lexicon.COUNT_QUESTION),
    (Kind.SET, lexicon.SET_QUESTION),
    (Kind.WHO, re.compile(r"\b(?:who|whom|whose)\b")),
    (Kind.WHERE, re.compile(r"\bwhere\b")),
    (Kind.YES_NO, lexicon.YES_NO_QUESTION),
)


@dataclass(frozen=True)
class ParsedQuestion:
    """A question with what its words say."""

    question: Question
    text: str
    """The question's own words; for a part of a question, those of the part."""

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words."""
        return words(self.text)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Content stems in order, each once."""
        return tuple(dict.fromkeys(content(self.words)))

    @cached_property
    def core(self) -> str:
        """The sentence that asks: the last with a question mark, else the end of the text."""
        asking = [sentence for sentence in split(self.text[-_LOOKED_AT:]) if sentence.rstrip("\"'”’) ").endswith("?")]
        return asking[-1] if asking else self.text[-_CORE:]

    @cached_property
    def kind(self) -> Kind:
        """The first pattern that its words fit."""
        low = self.core.casefold()
        return next((kind for kind, pattern in _PATTERNS if pattern.search(low)), Kind.WHAT)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names in it, in order."""
        found = self.words
        return tuple(self.text[found[a].start : found[b - 1].end] for a, b in name_runs(found))

    @property
    def format(self) -> AnswerFormat:
        """The shape that is asked for."""
        return self.question.answer_format

    @property
    def about_now(self) -> bool:
        """It asks for what holds now."""
        return any(w.low in lexicon.NOW for w in self.words)

    def part(self, text: str) -> ParsedQuestion:
        """A part of the question, or a question of the same shape in other words."""
        return ParsedQuestion(self.question, text)
