"""Results of an environment: turns, rewards, and the episodes of an agent that played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from recollect.domain.exchange import Reply
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The next turn: a message to reply to, questions to answer, or the end."""

    message: Message | None = None
    """The user's message; `step` takes the reply."""
    reply_id: MessageId | None = None
    """Id of the reply."""
    due: bool = False
    """Questions are due: `ask` gives them, `answer` takes the answers."""
    heard: tuple[Message, ...] = ()
    """Earlier messages to remember; they need no reply."""
    feedback: tuple[str, ...] = ()
    """Feedback for a policy; one line per question."""

    @property
    def text(self) -> str:
        """The text of the message, or nothing."""
        return self.message.text if self.message else ""

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.message is None and not self.due


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """Scores of the answers to the questions of one period, by rule."""

    checkpoint: CheckpointId
    scores: Mapping[QuestionId, float]
    """Question -> its score in [0, 1]."""
    states: Mapping[QuestionId, float] = field(default_factory=dict)
    """Question for states -> share of right ones; no part of the score."""
    gold: Mapping[QuestionId, tuple[str, ...]] = field(default_factory=dict)
    """Right answers, where feedback is `complete`."""
    turn: Turn

    @property
    def mean(self) -> float | None:
        """Mean of the scores; `None` where no question is scored."""
        return fmean(self.scores.values()) if self.scores else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedUser:
    """One user's episode, played to its end."""

    user: HistoryId
    talk: tuple[Message, ...]
    """All messages, in order."""
    replies: Mapping[CheckpointId, Mapping[QuestionId, Reply]]
    rewards: Sequence[Rewards]
    policies: Sequence[str] = ()
    """The policies that the agent adopted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An agent's episodes, user by user."""

    agent: str
    """Its label in a table."""
    users: tuple[PlayedUser, ...]

    @property
    def score(self) -> float | None:
        """Mean over all scored questions of all users, as a run's table has it."""
        scores = [score for user in self.users for one in user.rewards for score in one.scores.values()]
        return fmean(scores) if scores else None
