"""Questions, which systems see, and keys, which they never see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from recollect.domain.ids import MessageId, QuestionId

Purpose = Literal["score", "probe", "bound"]
"""Scored; asks for a state, in the arm system alone; measures an upper bound of a score."""


class AnswerFormat(StrEnum):
    """The format of an answer."""

    TEXT = "text"
    LETTER = "letter"
    NUMBER = "number"
    DATE_SPAN = "date_span"
    LIST = "list"
    JSON = "json"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice of a multiple-choice question."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All that a system may see of a question."""

    question_id: QuestionId
    """Opaque; contains no label."""
    text: str
    cue: str | None = None
    """What retrieval may see; `None` means the text."""
    options: tuple[Option, ...] = ()
    answer_format: AnswerFormat = AnswerFormat.TEXT
    items: int | None = None
    """Length of a `list` answer; `None` leaves it open."""
    template: Mapping[str, str] = field(default_factory=dict)
    """Field -> description, for a `json` answer."""
    asked_at: str | None = None
    output_tokens: int | None = None
    """Longest answer, in tokens of the bundled tokenizer."""
    prompt: str = "answer"
    """Name of the reader's prompt in the preset; empty where the text asks in full, see `worded`."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Values for that prompt's placeholders."""
    purpose: Purpose = "score"

    def __post_init__(self) -> None:
        if self.answer_format is AnswerFormat.LETTER and not self.options:
            raise ValueError(f"question {self.question_id!r}: a letter is asked for, but there are no options")

    @property
    def worded(self) -> bool:
        """Whether the text has the options and the form of the answer in it: a system then sends it as it is."""
        return not self.prompt

    @property
    def seen_by_search(self) -> str:
        """The text that retrieval may see."""
        return self.text if self.cue is None else self.cue


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """All that no system may see of a question. Names messages of the history only, never shown ones."""

    question_id: QuestionId
    gold: tuple[str, ...] = ()
    """Accepted answers, the first as the paper prints it; a letter for multiple choice."""
    rejected: tuple[str, ...] = ()
    """Answers known to be wrong, such as the stale value."""
    evidence: tuple[MessageId, ...] = ()
    field_gold: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Accepted values per field of a `json` or `list` answer; the required points of a `summary`, by name."""
    field_evidence: Mapping[str, tuple[MessageId, ...]] = field(default_factory=dict)
    oracle_text: str | None = None
    """The oracle's context where the evidence is not messages."""
    abstain: bool = False
    """Right only if the system declines to answer."""
    guidance: str = ""
    """What counts as right; shown to the judge alone."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Task, category, strata; `thread` joins one question over checkpoints."""
    original_id: str = ""

    def __post_init__(self) -> None:
        """Sort the fields, since judges go through them one by one."""
        ordered = sorted(self.field_gold.items(), key=lambda field: (len(field[0]), field[0]))
        object.__setattr__(self, "field_gold", dict(ordered))
