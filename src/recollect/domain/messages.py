"""Messages and sessions: what a history is made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.domain.ids import MessageId, SessionId

Role = Literal["user", "assistant", "system", "log", "document"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One utterance, app log or piece of a document."""

    message_id: MessageId
    session_id: SessionId
    text: str
    speaker: str = ""
    """Shown to the reader; may be empty."""
    role: Role = "user"
    said_at: str | None = None
    """Local time as in the data, ISO 8601, with its offset if it has one."""
    channel: str = ""
    """Group, app or room; empty if there is only one."""

    def __post_init__(self) -> None:
        try:
            if self.said_at is not None:
                datetime.fromisoformat(self.said_at)
        except ValueError:
            problem = f"time {self.said_at!r} is not ISO 8601, such as 2024-03-01T09:30"
            raise ValueError(f"message {self.message_id!r}: {problem}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A dialogue, a day of a group, a chunk, an app log; the feeder never crosses its border."""

    session_id: SessionId
    messages: tuple[Message, ...]
    """In order; at least one."""

    def __post_init__(self) -> None:
        if not self.messages:
            raise ValueError(f"session {self.session_id!r} has no message; leave it out instead")
