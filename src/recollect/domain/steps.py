"""An episode is a list of steps. The engine knows these four, and no benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from recollect.domain.histories import Script
from recollect.domain.ids import CheckpointId, MessageId
from recollect.domain.messages import Session
from recollect.domain.questions import Question


class Arm(StrEnum):
    """Where the context of an answer came from."""

    SYSTEM = "system"
    """The memory's own search."""
    ORACLE = "oracle"
    """The evidence itself."""
    READBACK = "readback"
    """What the memory stored of the evidence."""
    READBACK_PURE = "readback_pure"
    """The same, without items that come from other messages too."""


Covers = Mapping[MessageId, tuple[MessageId, ...]]
"""Message shown -> messages of the history in it. Never shown to a system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observe:
    """The system is shown a session."""

    session: Session
    covers: Covers = field(default_factory=dict)
    """A message without an entry covers itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Converse:
    """The system under test holds a dialogue with the simulated user."""

    script: Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Questions are asked; none of them changes what the system remembers."""

    checkpoint: CheckpointId
    questions: tuple[Question, ...]
    arms: tuple[Arm, ...] | None = None
    """`None`: those of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What an agent sees of its answers before it writes its next policy."""

    kind: Literal["questions", "answers", "complete"]
    """Questions only; with options, its own answers and what it remembered for them; with gold and *exposed* too."""
    exposed: Mapping[str, str] = field(default_factory=dict)
    """State -> the value that the user revealed since the last feedback; shown if the kind is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolve:
    """The agent's own model proposes a policy from the answers at a checkpoint; the agent adopts it."""

    checkpoint: CheckpointId
    feedback: Feedback


Step = Observe | Converse | Ask | Evolve
