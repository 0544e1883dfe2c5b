"""The lines of the two files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.domain.messages import Role
from recollect.domain.questions import AnswerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """One message of a session."""

    text: str
    id: str | None = None
    """Needed only where a question names it as evidence; unique in its history."""
    speaker: str = ""
    role: Role = "user"
    time: str | None = None
    """Local time, ISO 8601, with an offset if there is one."""
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One line of `sessions.jsonl`; the lines of a history stand in the order of time."""

    session: str
    messages: tuple[MessageRow, ...]
    history: str = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One line of `questions.jsonl`."""

    question: str
    answers: tuple[str, ...] = ()
    """Accepted answers; the letter for multiple choice. Empty only where `abstain` is true."""
    id: str | None = None
    history: str = "history"
    after: str | None = None
    """Asked after this session; at the end if not said."""
    evidence: tuple[str, ...] = ()
    """Ids of the messages that hold the answer: they make the oracle, readback and retrieval rows possible."""
    rejected: tuple[str, ...] = ()
    """Answers known to be wrong, such as an outdated value."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Letter to text."""
    format: AnswerFormat = AnswerFormat.TEXT
    asked_at: str | None = None
    abstain: bool = False
    """Right only if the system declines to answer."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Any labels of yours; scores are broken down by them."""
