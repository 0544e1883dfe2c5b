"""A history: a timeline of sessions, scripts and asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the simulated user knows about one dialogue with the system under test."""

    session_id: str
    opening: Message
    rounds: int
    """User turns, the opening included; each is followed by one reply."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Values for the simulated user's prompt, such as profile, state, schema."""

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"script {self.session_id!r}: rounds starts at 1, got {self.rounds}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A point of the timeline at which questions are asked."""

    checkpoint: CheckpointId
    question_ids: tuple[QuestionId, ...]


Event = Session | Script | Asking


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One timeline with the questions about it."""

    history_id: HistoryId
    timeline: tuple[Event, ...]
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        known = {q.question_id for q in self.questions}
        asked = [q for event in self.timeline if isinstance(event, Asking) for q in event.question_ids]
        unknown = sorted(set(asked) - known)
        if unknown:
            raise ValueError(f"history {self.history_id!r}: asks for unknown questions {unknown[:3]}")
        ids = sorted(message.message_id for message in self.messages())
        doubled = [first for first, second in pairwise(ids) if first == second]
        if doubled:
            raise ValueError(f"history {self.history_id!r}: message ids occur twice: {doubled[:3]}")

    def messages(self) -> Iterator[Message]:
        """All messages of the timeline, the openings of scripts included."""
        for event in self.timeline:
            if isinstance(event, Session):
                yield from event.messages
            elif isinstance(event, Script):
                yield event.opening


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A history with its keys, which no system sees."""

    history: History
    keys: Mapping[QuestionId, Key]
    task: str
    """Its task in the card."""
    original_id: str = ""

    def __post_init__(self) -> None:
        missing = sorted({q.question_id for q in self.history.questions} - set(self.keys))
        if missing:
            raise ValueError(f"history {self.history.history_id!r}: questions without a key: {missing[:3]}")
