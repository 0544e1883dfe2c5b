"""The published row, and the one field that our own rows add to it; other readers pass over it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

EXTRAS_SCHEMA = 1


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
    """What the row belongs to; the selector of the benchmark's own code."""
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
    """What is known of a question beyond the published fields."""

    evidence: tuple[int, ...] = ()
    """Places of the messages that are needed; empty where a rule finds them."""
    rejected: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What our own rows add."""

    schema: int
    row: int
    """Number of the row when it was made."""
    origin: str
    questions: tuple[QuestionExtras, ...]
    shared: Mapping[str, Any] | None = None
    """What all keys of the task use; the first of its rows has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One context with its questions."""

    context: str
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    """Accepted answers a question."""
    metadata: Metadata
    recollect: Extras | None = None


def row_of(data: Any, sources: Collection[str]) -> tuple[Row, list[str]]:
    """The row that *data* says, with all problems; with problems it must not be used.

    Args:
        data: A decoded JSON object.
        sources: All that `metadata.source` may say.
    """
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
    yield from _uneven(row)
    yield from _empty(row)
    if row.recollect is not None and row.recollect.schema != EXTRAS_SCHEMA:
        yield f"`recollect.schema`: {row.recollect.schema} is not {EXTRAS_SCHEMA}; another version wrote it"


def _uneven(row: Row) -> Iterator[str]:
    lists: dict[str, Any] = {"answers": row.answers, "metadata.qa_pair_ids": row.metadata.qa_pair_ids}
    if row.recollect is not None:
        lists["recollect.questions"] = row.recollect.questions
    for name, values in lists.items():
        if values is not None and len(values) != len(row.questions):
            yield f"`{name}`: it has {len(values)} entries for {len(row.questions)} questions"


def _empty(row: Row) -> Iterator[str]:
    for place, question in enumerate(row.questions):
        if not question.strip():
            yield f"`questions.{place}`: it is empty"
    for place, aliases in enumerate(row.answers):
        if not any(alias.strip() for alias in aliases):
            yield f"`answers.{place}`: there is no answer in it"
    pairs = row.metadata.qa_pair_ids or ()
    for pair in sorted({pair for pair in pairs if pairs.count(pair) > 1}):
        yield f"`metadata.qa_pair_ids`: `{pair}` occurs twice"
