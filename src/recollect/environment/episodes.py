"""The environment itself: the episodes of some users, gone through one at a time by whoever replies and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.contracts.agent import User
from recollect.contracts.benchmark import Scorer
from recollect.contracts.reading import Prompt
from recollect.domain.errors import UsageError
from recollect.domain.exchange import Reply
from recollect.domain.ids import HistoryId, QuestionId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.domain.steps import Evolve
from recollect.environment.stories import Episode, Story
from recollect.environment.turns import Rewards, Turn
from recollect.runs.setup.models import Supplies

Said = str | Reply
"""A text, or a reply that also tells what was in mind for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What a registered agent is given when it plays."""

    seed: int = 0
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    supplies: Supplies = field(default_factory=Supplies)


class Environment:
    """Goes through one user's episode at a time; `reset` begins one, also in the middle of another."""

    def __init__(
        self, stories: Sequence[Story], user: User, score: Scorer, context: AgentContext | None = None
    ) -> None:
        self._stories, self._user, self._score = tuple(stories), user, score
        self._now: Episode | None = None
        self.context = context or AgentContext()

    @property
    def users(self) -> tuple[HistoryId, ...]:
        """Those whose episodes there are; `reset` takes the place of one."""
        return tuple(story.keyed.history.history_id for story in self._stories)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Everything that was said in the dialogues of this episode that are over."""
        return tuple(self._now.talk) if self._now else ()

    @property
    def evolves(self) -> bool:
        """Between periods there is feedback for whoever makes a policy."""
        return any(isinstance(step, Evolve) for story in self._stories for step in story.steps)

    def reset(self, user: int = 0) -> Turn:
        """Begin the episode of a user; the same user says the same to the same replies.

        Raises:
            UsageError: There is no such user.
        """
        if not 0 <= user < len(self._stories):
            raise UsageError(f"user {user}: there are {len(self._stories)}, counted from 0.")
        self._now = Episode(self._stories[user], self._user, self._score)
        return self._now.go_on()

    def step(self, reply: Said) -> Turn:
        """Say *reply* to the user's message; what comes next.

        Raises:
            UsageError: Nobody waits for a reply.
        """
        return self._episode().reply(_reply(reply))

    def ask(self) -> tuple[Question, ...]:
        """The questions that are due; none of them tells what is right.

        Raises:
            UsageError: None are.
        """
        return self._episode().asked().questions

    def answer(self, answers: Mapping[QuestionId, Said]) -> Rewards:
        """Answer all questions that are due; what the answers are worth, and what comes next.

        Raises:
            UsageError: No questions are due, or the answers are not to these.
        """
        return self._episode().answer({name: _reply(said) for name, said in answers.items()})

    def _episode(self) -> Episode:
        if self._now is None:
            raise UsageError("nothing goes on yet: `reset` begins an episode.")
        return self._now


def _reply(said: Said) -> Reply:
    return said if isinstance(said, Reply) else Reply(text=said)
