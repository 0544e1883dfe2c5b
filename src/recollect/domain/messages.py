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
    """Who said it, as the reader is told; empty where nobody did."""
    role: Role = "user"
    said_at: str | None = None
    """Local time as the data says it, ISO 8601, with its offset if it has one."""
    channel: str = ""
    """Group, app or room; empty where there is only one."""

    def __post_init__(self) -> None:
        if self.said_at is not None:
            _check_time(self.said_at, f"message {self.message_id!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A border that the feeder never crosses: a dialogue, a day of a group, a chunk, an app log."""

    session_id: SessionId
    messages: tuple[Message, ...]
    """In order; at least one."""

    def __post_init__(self) -> None:
        if not self.messages:
            raise ValueError(f"session {self.session_id!r} has no message; leave it out instead")


def _check_time(said_at: str, where: str) -> None:
    try:
        datetime.fromisoformat(said_at)
    except ValueError:
        raise ValueError(f"{where}: time {said_at!r} is not ISO 8601, such as 2024-03-01T09:30") from None
