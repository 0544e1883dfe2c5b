"""The environment: episodes of users, played one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from recollect import registry
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
from recollect.runs.setup.assembly import dataset_of, preset_of
from recollect.runs.setup.config import RunConfig
from recollect.runs.setup.folders import RUNS, cache_of
from recollect.runs.setup.models import Supplies, players_of

Said = str | Reply
"""A text, or a reply with what was recalled for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """The context of a registered agent that plays."""

    seed: int = 0
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    supplies: Supplies = field(default_factory=Supplies)


class Environment:
    """One user's episode at a time; `reset` begins one, also in the middle of another."""

    def __init__(
        self, stories: Sequence[Story], user: User, score: Scorer, context: AgentContext | None = None
    ) -> None:
        self._stories, self._user, self._score = tuple(stories), user, score
        self._now: Episode | None = None
        self.context = context or AgentContext()

    @property
    def users(self) -> tuple[HistoryId, ...]:
        """Ids of the users; `reset` takes the index of one."""
        return tuple(story.keyed.history.history_id for story in self._stories)

    @property
    def talk(self) -> tuple[Message, ...]:
        """The messages of this episode's finished dialogues."""
        return tuple(self._now.talk) if self._now else ()

    @property
    def evolves(self) -> bool:
        """Whether there is feedback for a policy between periods."""
        return any(isinstance(step, Evolve) for story in self._stories for step in story.steps)

    def reset(self, user: int = 0) -> Turn:
        """Begin the episode of a user; the same replies get the same turns.

        Raises:
            UsageError: There is no such user.
        """
        if not 0 <= user < len(self._stories):
            raise UsageError(f"user {user}: there are {len(self._stories)}, counted from 0.")
        self._now = Episode(self._stories[user], self._user, self._score)
        return self._now.go_on()

    def step(self, reply: Said) -> Turn:
        """Reply to the user's message; the next turn.

        Raises:
            UsageError: No message waits for a reply.
        """
        return self._episode().reply(_reply(reply))

    def ask(self) -> tuple[Question, ...]:
        """The questions that are due, without their keys.

        Raises:
            UsageError: None are.
        """
        return self._episode().asked().questions

    def answer(self, answers: Mapping[QuestionId, Said]) -> Rewards:
        """Answer all questions that are due; the rewards and the next turn.

        Raises:
            UsageError: No questions are due, or the answers are not to these.
        """
        return self._episode().answer({name: _reply(said) for name, said in answers.items()})

    def _episode(self) -> Episode:
        if self._now is None:
            raise UsageError("no episode is running: `reset` begins an episode.")
        return self._now


def _reply(said: Said) -> Reply:
    return said if isinstance(said, Reply) else Reply(text=said)


FeedbackKind = Literal["none", "questions", "answers", "complete"]


def open_environment(
    benchmark: str,
    *,
    size: str = "small",
    seed: int = 0,
    data: str | Path | None = None,
    user: str | User | None = None,
    feedback: FeedbackKind = "none",
    steps: Mapping[str, str] | None = None,
    runs_dir: Path = RUNS,
) -> Environment:
    """Open the episodes of a benchmark with dialogues, as in a run with the same settings.

    Args:
        benchmark: Its name.
        size: How much is generated.
        seed: For everything that is drawn.
        data: A file or folder of data, instead of generated ones.
        user: The simulated user: one of the benchmark's by name, one of your own, or its first.
        feedback: What a policy may learn from between two periods; `complete` has the right answers.
        steps: Other settings of an episode, as `--step` of a run. Questions for states (`probes`) are left out by
            default.
        runs_dir: Cache of vectors, shared with runs.

    Raises:
        UsageError: A name or setting is invalid, or the benchmark has no dialogues.
    """
    made = registry.benchmark(benchmark)
    if not made.users:
        raise UsageError(f"{benchmark} holds no dialogues, and an environment is one to talk with.")
    wanted = {"probes": "no", "evolve": feedback, **(steps or {})}
    config = RunConfig(
        benchmark=benchmark,
        size=size,
        seed=seed,
        data=None if data is None else str(data),
        user=user if isinstance(user, str) else None,
        steps={name: value for name, value in wanted.items() if name in made.card.step_settings},
        memory_model="rules",
    )
    players = players_of(config, cache_of(runs_dir), made.users)
    player = players.user if user is None or isinstance(user, str) else user
    if player is None:
        raise UsageError(f"{benchmark}: nobody plays the simulated user.")
    preset = preset_of(made, config)
    context = AgentContext(seed=seed, prompts=preset.prompts, supplies=players.supplies)
    dataset = dataset_of(made, config)
    stories = []
    for keyed in dataset.histories:
        own_steps = tuple(made.steps(keyed.history, preset.steps_for(keyed.task)))
        stories.append(Story(keyed=keyed, steps=own_steps, shared=dataset.shared.get(keyed.task, {})))
    return Environment(stories, player, made.score, context)
