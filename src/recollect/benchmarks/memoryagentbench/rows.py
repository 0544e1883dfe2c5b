"""The published row, and the one field that our own rows add to it; other readers ignore it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from recollect.domain.errors import MissingExtraError

EXTRAS_SCHEMA = 1


def parquet(what: str) -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`, needed for *what*.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError(what, "pyarrow", "pip install 'recollect[parquet]'") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a haystack session."""

    content: str
    has_answer: bool | None = None
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The published struct: always all of these fields, unused ones null."""

    source: str
    """The task of the row; the selector of the benchmark's own code."""
    demo: str | None = None
    haystack_sessions: tuple[tuple[tuple[Turn, ...], ...], ...] | None = None
    keypoints: tuple[str, ...] | None = None
    previous_events: tuple[str, ...] | None = None
    qa_pair_ids: tuple[str, ...] | None = None
    question_dates: tuple[str, ...] | None = None
    question_ids: tuple[str, ...] | None = None
    question_types: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionExtras:
    """Data of a question beyond the published fields."""

    evidence: tuple[int, ...] = ()
    """Positions of the needed messages; empty where a rule finds them."""
    rejected: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """The field that our own rows add."""

    schema: int
    row: int
    origin: str
    questions: tuple[QuestionExtras, ...]
    shared: Mapping[str, Any] | None = None
    """What all keys of the task share; only the first of its rows has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One context with its questions."""

    context: str
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    metadata: Metadata
    recollect: Extras | None = None


def row_of(data: Any, sources: Collection[str]) -> tuple[Row, list[str]]:
    """The row of decoded JSON, and all problems, with which it must not be used; *sources* are those allowed."""
    from recollect.records.codec import read

    row, problems = read(Row, data)
    return row, list(problems) if problems else list(_problems(row, sources))


def _problems(row: Row, sources: Collection[str]) -> Iterator[str]:
    if row.metadata.source not in sources:
        known = ", ".join(sorted(sources))
        yield f"`metadata.source`: `{row.metadata.source}` is not known here. Known: {known}"
    if not row.context.strip():
        yield "`context`: it is empty"
    if not row.questions:
        yield "`questions`: there is none"
    pairs = row.metadata.qa_pair_ids
    extras = row.recollect.questions if row.recollect is not None else None
    for name, values in (("answers", row.answers), ("metadata.qa_pair_ids", pairs), ("recollect.questions", extras)):
        if values is not None and len(values) != len(row.questions):
            yield f"`{name}`: it has {len(values)} entries for {len(row.questions)} questions"
    empty = [place for place, question in enumerate(row.questions) if not question.strip()]
    yield from (f"`questions.{place}`: it is empty" for place in empty)
    unanswered = [place for place, aliases in enumerate(row.answers) if not any(map(str.strip, aliases))]
    yield from (f"`answers.{place}`: there is no answer in it" for place in unanswered)
    repeated = sorted(pair for pair, times in Counter(pairs).items() if times > 1)
    yield from (f"`metadata.qa_pair_ids`: `{pair}` occurs twice" for pair in repeated)
    if row.recollect is not None and row.recollect.schema != EXTRAS_SCHEMA:
        yield f"`recollect.schema`: {row.recollect.schema} is not {EXTRAS_SCHEMA}; another version wrote it"
