"""What a family of sources is: one kind of context, one way to ask about it, one measure. Definitions only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from recollect.domain.messages import Role
from recollect.domain.questions import AnswerFormat, Option

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.benchmarks.memoryagentbench.rows import Row
    from recollect.contracts.benchmark import Scorer, TaskCard
    from recollect.domain.exchange import Reply
    from recollect.domain.histories import Keyed
    from recollect.domain.messages import Message
    from recollect.domain.outcomes import Outcome, Verdict
    from recollect.domain.questions import Key, Question

Split = Literal["Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution"]
Span = tuple[int, int]
_HERE = __name__.rpartition(".")[0]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a context, before it has an id: what becomes one message."""

    text: str
    session: int = 0
    """Passages of one number stand together, and numbers never fall: each is a session."""
    role: Role = "document"
    speaker: str = ""
    said_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with all that is known of its answer, before anything has an id."""

    text: str
    """As the published row has it, whatever else stands in the fields below."""
    gold: tuple[str, ...]
    """First as printed."""
    rejected: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    """Places of the passages, the first is 0."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Without the task."""
    pair_id: str | None = None
    """As the file says it; `None` is the usual `<source>_no<i>`."""
    cue: str | None = None
    """What retrieval may see; `None` is the text."""
    answer_format: AnswerFormat = AnswerFormat.TEXT
    options: tuple[Option, ...] = ()
    items: int | None = None
    asked_at: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    abstain: bool = False
    guidance: str = ""
    """What counts as right here, said to the judge alone."""
    field_gold: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Recovered(NamedTuple):
    """What could be worked out for one question from the context alone."""

    evidence: tuple[int, ...]
    rejected: tuple[str, ...]
    labels: dict[str, str]


Finder = Callable[[Asked], Recovered | None]
"""What is known of a question; `None` where it cannot be told."""


class Published(NamedTuple):
    """What a published row says of its questions; `metadata` has an entry for each list that the family fills."""

    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    metadata: Mapping[str, Any]


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


def plain_rows(one: Keyed) -> Published:
    """Question and accepted answers as they are."""
    questions = one.history.questions
    return Published(
        tuple(question.text for question in questions),
        tuple(one.keys[question.question_id].gold for question in questions),
        {},
    )


def unknown(_: Sequence[Passage]) -> Finder:
    """A finder for contexts that do not tell their evidence."""
    return lambda _: None


def scored_by(module: str, scorer: str) -> Scorer:
    """The scorer of a module of `scoring`, imported when the first reply is scored: measures are heavy, cards light."""

    def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Shared) -> Outcome:
        found: Scorer = getattr(import_module(f"{_HERE}.scoring.{module}"), scorer)
        return found(question, key, reply, verdict, shared)

    return score


def found_by(module: str, finder: str) -> Callable[[Sequence[Passage]], Finder]:
    """What a function of another module finds in the texts of a context, imported when the first one is looked at."""

    def find(passages: Sequence[Passage]) -> Finder:
        found: Callable[[list[str]], Finder] = getattr(import_module(f"{_HERE}.{module}"), finder)
        return found([passage.text for passage in passages])

    return find


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
    score: Scorer
    asked: Callable[[Row, int], Asked] = plain_question
    """(row, place of the question) -> the question; a `ValueError` says what is wrong."""
    published: Callable[[Keyed], Published] = plain_rows
    """The way back."""
    finder: Callable[[Sequence[Passage]], Finder] = unknown
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
