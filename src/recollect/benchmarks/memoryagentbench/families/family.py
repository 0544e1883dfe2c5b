"""What a family of sources is: one kind of context, one way to ask about it, one measure. Definitions only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Passage
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.contracts.benchmark import TaskCard
from recollect.domain.exchange import Reply
from recollect.domain.histories import Keyed
from recollect.domain.messages import Message
from recollect.domain.outcomes import Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.text_match import normalise

Split = Literal["Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution"]
Span = tuple[int, int]
Shared = Mapping[str, Any]
"""What all keys of a task use, stored once."""
MADE_CHUNK_TOKENS = 64
SHORT_ANSWER = {
    "substring_exact_match": "an accepted answer occurs in the reply or in its parsed answer; the primary measure",
    "exact_match": "the reply, or its parsed answer, is an accepted answer",
    "f1": "words shared with the nearest accepted answer",
    "lenient_exact_match": "as exact_match, read from JSON, boxes, labels, bold or quotes too",
    "lenient_word_match": "an accepted answer occurs at word borders in the lenient reading",
}
"""Measures of answers of a few words."""


class Published(NamedTuple):
    """What a published row says of its questions; `metadata` has an entry for each list that the family fills."""

    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    metadata: Mapping[str, Any]


class Scored(NamedTuple):
    """What a scorer is given: one reply and all that is known of its question."""

    question: Question
    key: Key
    reply: Reply
    verdict: Verdict | None
    shared: Shared

    @property
    def said(self) -> str:
        """The words that are weighed."""
        return "" if self.reply.abstained else self.reply.text

    @property
    def accepted(self) -> Sequence[str]:
        """The accepted answers that are words at all, if any is."""
        return [alias for alias in self.key.gold if normalise(alias)] or self.key.gold

    def outcome(self, parts: Iterable[Part]) -> Outcome:
        """The first part is the measure; an empty reply is wrong, a declined one is abstained with 0."""
        known = tuple(parts)
        if self.reply.abstained:
            return Outcome.abstained(0.0, parts=known, why="declined to answer")
        why = "" if self.reply.text.strip() else "the reply is empty"
        return Outcome.scored(known[0].value or 0.0, parts=known, why=why)

    def judged(self, decided: Part, beside: Iterable[Part], *, declined: float) -> Outcome:
        """By the judge's part, which is the measure; undecided where it has no value.

        Args:
            decided: What the judge says, with the reason.
            beside: Parts that need no judge.
            declined: Score of a reply that declines to answer.
        """
        if decided.value is None:
            return Outcome(status=Status.UNDECIDED, parts=tuple(beside), why=decided.why)
        parts = (decided, *beside)
        if self.reply.abstained:
            return Outcome.abstained(declined, parts=parts, why=decided.why)
        return Outcome.scored(decided.value, parts=parts, why=decided.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One value of `metadata.source`; it is also the name of the task."""

    name: str
    family: Family
    questions: int | None
    """How many all published rows have together; `None` where nothing is published."""
    rows: int | None = 1
    """How many rows are published; `None` where nothing is."""
    context_tokens: int | None = None
    """Size of the published context, where the name says it."""
    labels: int | None = None
    """How many labels the context has, as it can be built here; the published one of `nlu` has 68."""
    examples: int | None = None
    """How many examples the published context has."""

    @property
    def made(self) -> bool:
        """Nothing is published under this name: its rows are generated."""
        return self.questions is None

    @property
    def chunk_tokens(self) -> int:
        """The paper's for published contexts; generated ones are shorter, and ten such chunks would hold them whole."""
        return self.family.made_chunk_tokens if self.made else self.family.chunk_tokens


def plain_question(row: Row, place: int) -> Asked:
    """The question of a row whose fields are question and answers alone."""
    return Asked(text=row.questions[place], gold=row.answers[place])


def published(
    one: Keyed,
    answers: Callable[[Question, Key], tuple[str, ...]] = lambda _, key: key.gold,
    metadata: Mapping[str, Any] | None = None,
) -> Published:
    """What a row says of a history's questions: their texts, the accepted *answers* and the lists of *metadata*."""
    questions = one.history.questions
    accepted = tuple(answers(question, one.keys[question.question_id]) for question in questions)
    return Published(tuple(question.text for question in questions), accepted, metadata or {})


def unknown(_: Sequence[str]) -> Finder:
    """A finder for contexts that do not tell their evidence."""
    return lambda _: None


def plain(texts_of: Callable[[str], list[str]]) -> Callable[[str], list[Passage]]:
    """Reads a context whose pieces are texts and nothing else."""
    return lambda context: [Passage(text=text) for text in texts_of(context)]


def joined(context_of: Callable[[Sequence[str]], str]) -> Callable[[Sequence[Passage]], str]:
    """Writes such a context."""
    return lambda passages: context_of([passage.text for passage in passages])


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What all sources with one kind of context share."""

    name: str
    """Also the name of the prompt."""
    split: Split
    output_tokens: int
    """Of the paper."""
    code_output_tokens: int | None = None
    """Of the authors' configurations, where they differ from the paper."""
    chunk_tokens: int
    made_chunk_tokens: int = MADE_CHUNK_TOKENS
    """Of generated rows."""
    joint: str
    """Between two messages of the context, in one chunk."""
    passages: Callable[[str], list[Passage]]
    """Context -> its pieces; a `ValueError` says what is wrong."""
    context: Callable[[Sequence[Passage]], str]
    task: Callable[[Source], TaskCard]
    score: Callable[[Scored], Outcome]
    asked: Callable[[Row, int], Asked] = plain_question
    """(row, place of the question) -> the question; a `ValueError` says what is wrong."""
    published: Callable[[Keyed], Published] = published
    """The way back."""
    finder: Callable[[Sequence[str]], Finder] = unknown
    """Texts of a context -> what finds the evidence of a question in them."""
    whole: Callable[[Sequence[Message]], tuple[str, Sequence[Span]]] | None = None
    """The text that the paper's chunker cuts, and where each message stands in it; `None` joins them by `joint`."""
    evidence_by_rule: bool = False
    """The context alone tells the evidence of every question."""
    beside: Callable[[Path], Shared | None] | None = None
    """Folder of published rows -> what all keys of a task share, from files beside them; `None` without such files."""
    told: Callable[[Keyed, Shared, bool], Keyed] | None = None
    """Completes keys with what they share; the flag says that the row is a published one, without evidence of ours."""
    chunked: bool = True
    """The standard track packs whole messages into chunks; else it shows the sessions as they are."""

    @property
    def limit_of_code(self) -> int:
        """The longest answer by the authors' configurations."""
        return self.code_output_tokens or self.output_tokens
