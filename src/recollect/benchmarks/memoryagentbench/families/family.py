"""Defines a family of sources: one kind of context, one way to ask about it, one measure."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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


class Published(NamedTuple):
    """The question fields of a published row; `metadata` holds each list that the family fills."""

    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    metadata: Mapping[str, Any]


class Scored(NamedTuple):
    """One reply and all that is known of its question."""

    question: Question
    key: Key
    reply: Reply
    verdict: Verdict | None
    shared: Shared

    @property
    def reply_text(self) -> str:
        """The text that is scored; empty where the system abstained."""
        return "" if self.reply.abstained else self.reply.text

    @property
    def accepted(self) -> Sequence[str]:
        """The accepted answers that contain a word, or all of them if none does."""
        return [alias for alias in self.key.gold if normalise(alias)] or self.key.gold

    def outcome(self, parts: Iterable[Part]) -> Outcome:
        """The outcome whose measure is the first part; an empty reply is wrong, an abstention scores 0."""
        known = tuple(parts)
        if self.reply.abstained:
            return Outcome.abstained(0.0, parts=known, why="declined to answer")
        why = "" if self.reply.text.strip() else "the reply is empty"
        return Outcome.scored(known[0].value or 0.0, parts=known, why=why)

    def judged(self, decided: Part, others: Iterable[Part], *, declined: float) -> Outcome:
        """The outcome whose measure is the judge's part; undecided where that has no value.

        Args:
            decided: The judge's part.
            others: Parts that need no judge.
            declined: Score of an abstention.
        """
        if decided.value is None:
            return Outcome(status=Status.UNDECIDED, parts=tuple(others), why=decided.why)
        parts = (decided, *others)
        if self.reply.abstained:
            return Outcome.abstained(declined, parts=parts, why=decided.why)
        return Outcome.scored(decided.value, parts=parts, why=decided.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One value of `metadata.source`; it is also the name of the task."""

    name: str
    family: Family
    questions: int | None
    """Number of questions over all published rows; `None` where nothing is published."""
    rows: int | None = 1
    """Number of published rows; `None` where nothing is published."""
    context_tokens: int | None = None
    """Size of the published context, where the name states it."""
    labels: int | None = None
    """Number of labels of the context that can be built here; the published one of `nlu` has 68."""
    examples: int | None = None
    """Number of examples of the published context."""

    @property
    def made(self) -> bool:
        """Whether its rows are generated: nothing is published under this name."""
        return self.questions is None

    @property
    def chunk_tokens(self) -> int:
        """The paper's for published contexts; generated ones are shorter, and ten such chunks would hold them whole."""
        return self.family.made_chunk_tokens if self.made else self.family.chunk_tokens


def published(
    one: Keyed,
    answers: Callable[[Question, Key], tuple[str, ...]] = lambda _, key: key.gold,
    metadata: Mapping[str, Any] | None = None,
) -> Published:
    """The texts of a history's questions, their accepted *answers*, and the lists of *metadata*."""
    questions = one.history.questions
    accepted = tuple(answers(question, one.keys[question.question_id]) for question in questions)
    return Published(tuple(question.text for question in questions), accepted, metadata or {})


def plain(texts_of: Callable[[str], list[str]]) -> Callable[[str], list[Passage]]:
    """A reader of contexts whose pieces are plain texts."""
    return lambda context: [Passage(text=text) for text in texts_of(context)]


def joined(context_of: Callable[[Sequence[str]], str]) -> Callable[[Sequence[Passage]], str]:
    """The inverse of `plain`."""
    return lambda passages: context_of([passage.text for passage in passages])


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """All that sources with one kind of context share."""

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
    """Separates two messages in a chunk."""
    passages: Callable[[str], list[Passage]]
    """Context -> its pieces; a `ValueError` says what is wrong."""
    context: Callable[[Sequence[Passage]], str]
    measure: str
    lenient: str = ""
    """As `TaskCard.lenient`."""
    chance: Callable[[Source], float | None] = lambda _: None
    judged: bool = False
    binary: bool = True
    words: Callable[[Source], Mapping[str, str]] = lambda _: {}
    """Values for the placeholders of its texts, besides the source."""
    score: Callable[[Scored], Outcome]
    asked: Callable[[Row, int], Asked] = lambda row, place: Asked(text=row.questions[place], gold=row.answers[place])
    """(row, position of the question) -> the question; a `ValueError` says what is wrong."""
    published: Callable[[Keyed], Published] = published
    finder: Callable[[Sequence[str]], Finder] = lambda _: lambda _: None
    """Texts of a context -> finder of the evidence of a question; the default finds none."""
    whole: Callable[[Sequence[Message]], tuple[str, Sequence[Span]]] | None = None
    """The text that the paper's chunker cuts and the span of each message; `None` joins the messages by `joint`."""
    evidence_by_rule: bool = False
    """Whether the context alone determines the evidence of every question."""
    read_shared: Callable[[Path], Shared | None] | None = None
    """Folder of published rows -> what all keys of a task share, from other files in it; `None` without such files."""
    complete: Callable[[Keyed, Shared, bool], Keyed] | None = None
    """Completes keys with what they share; the flag is true for published rows, which lack our evidence."""
    chunked: bool = True
    """Whether the standard track packs whole messages into chunks; else it shows the sessions as they are."""

    @property
    def texts(self) -> Mapping[str, Any]:
        """Its section of `texts.toml`."""
        found: Mapping[str, Any] = _texts()[self.name]
        return found

    def task(self, source: Source) -> TaskCard:
        """The card of one source."""
        meaning = self.texts["made" if source.made else "published"].format(source=source, **self.words(source))
        differs = self.texts.get("deviations", {}).get(source.name, "")
        return TaskCard(
            name=source.name,
            meaning=f"{meaning} {differs}".strip(),
            measure=self.measure,
            lenient=self.lenient,
            chance=self.chance(source),
            judged=self.judged,
            binary=self.binary,
            parts=self.texts["parts"],
        )

    @property
    def limit_of_code(self) -> int:
        """The output limit of the authors' configurations."""
        return self.code_output_tokens or self.output_tokens


@cache
def _texts() -> Mapping[str, Any]:
    texts: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
    return texts
