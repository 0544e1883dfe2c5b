"""What an environment gives back: turns, rewards, and all that came of an agent that played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from recollect.domain.exchange import Reply
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What comes next: a message to reply to, questions to answer, or the end."""

    message: Message | None = None
    """What the user says; `step` takes the reply to it."""
    reply_id: MessageId | None = None
    """By which the reply will be known."""
    due: bool = False
    """Questions are due: `ask` gives them, `answer` takes the answers."""
    heard: tuple[Message, ...] = ()
    """What was shown before it, to be remembered; nobody waits for a reply."""
    feedback: tuple[str, ...] = ()
    """What a policy may be made from before going on; one line a question."""

    @property
    def text(self) -> str:
        """What the user says; empty where nothing is said."""
        return self.message.text if self.message else ""

    @property
    def over(self) -> bool:
        """Nothing is left to do for this user."""
        return self.message is None and not self.due


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewards:
    """What the answers to the questions of one period were worth, by rule."""

    checkpoint: CheckpointId
    scores: Mapping[QuestionId, float]
    """Question -> its score in [0, 1]."""
    states: Mapping[QuestionId, float] = field(default_factory=dict)
    """Question that asks for states themselves -> share of them that is right; no part of the score."""
    gold: Mapping[QuestionId, tuple[str, ...]] = field(default_factory=dict)
    """What was right; only where complete feedback was asked for."""
    turn: Turn
    """What comes next."""

    @property
    def mean(self) -> float | None:
        """Of the scores; `None` where no question is scored."""
        return fmean(self.scores.values()) if self.scores else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedUser:
    """One user's episode, played to its end."""

    user: HistoryId
    talk: tuple[Message, ...]
    """Everything that was said, in order."""
    replies: Mapping[CheckpointId, Mapping[QuestionId, Reply]]
    rewards: Sequence[Rewards]
    policies: Sequence[str] = ()
    """Those that the agent adopted on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What an agent got, user by user."""

    agent: str
    """As a row of a table would be called."""
    users: tuple[PlayedUser, ...]

    @property
    def score(self) -> float | None:
        """Mean over all scored questions of all users, as a run's table has it."""
        scores = [score for user in self.users for one in user.rewards for score in one.scores.values()]
        return fmean(scores) if scores else None
