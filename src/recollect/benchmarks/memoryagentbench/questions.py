"""The questions of one row, and the passages of its context, before anything has an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.domain.messages import Role
from recollect.domain.questions import AnswerFormat, Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a context that becomes one message, before it has an id."""

    text: str
    session: int = 0
    """Numbers never fall; the passages of one number are a session."""
    role: Role = "document"
    speaker: str = ""
    said_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with all that is known of its answer, before it has an id."""

    text: str
    gold: tuple[str, ...]
    """First as printed."""
    rejected: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    """Positions of the passages, from 0."""
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
    """What counts as right, for the judge alone."""
    field_gold: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Recovered(NamedTuple):
    """What was derived for one question from the context alone."""

    evidence: tuple[int, ...]
    rejected: tuple[str, ...]
    labels: dict[str, str]


Finder = Callable[[Asked], Recovered | None]
"""Derives what is known of a question; `None` where it is ambiguous."""
