"""Lets a registered agent play: the same turns, writes and answers as in a run, without its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from recollect import registry
from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.exchange import Reply
from recollect.domain.ids import CheckpointId, HistoryId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Arm
from recollect.engine.feeding.feeder import feed
from recollect.engine.prompts import question_for
from recollect.engine.rows import Row
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_reply, validate_text
from recollect.environment.episodes import Environment
from recollect.environment.turns import Played, PlayedUser, Rewards, Turn
from recollect.records.digests import digest
from recollect.runs.setup.config import SystemChoice
from recollect.runs.setup.rows import agent_row, talking_row


def play(
    env: Environment, agent: str, *, settings: Mapping[str, Any] | None = None, users: Iterable[int] | None = None
) -> Played:
    """Let an agent play, a fresh one for each user; *env* stands at the end of the last user's episode afterwards.

    Args:
        env: Where it plays.
        agent: A registered agent, or a memory, which then is an agent as in a run.
        settings: Those that differ from its defaults, such as a `policy`.
        users: Their places in `env.users`; all of them if left out.

    Raises:
        UsageError: There is no such agent, setting or user, or the agent cannot play here.
        RecollectError: It broke.
    """
    row = _row(agent, settings or {}, env)
    _check(row, evolves=env.evolves)
    wanted = range(len(env.users)) if users is None else users
    return Played(agent=row.label, users=tuple(play_row(env, row, user) for user in wanted))


def play_row(env: Environment, row: Row, user: int) -> PlayedUser:
    """Let the agent of a row play one user's episode."""
    turn = env.reset(user)
    name = env.users[user]
    with TemporaryDirectory(prefix="recollect-") as folder:
        driver = Driver(row, _room(env, row, name, Path(folder) / "room"))
        try:
            player = _Player(env, row, driver)
            player.play(turn)
        finally:
            driver.close()
    return PlayedUser(
        user=name, talk=env.talk, replies=player.replies, rewards=player.rewards, policies=player.policies
    )


def _row(agent: str, settings: Mapping[str, Any], env: Environment) -> Row:
    known = {*registry.AGENTS, *registry.MEMORIES, *registry.SYSTEMS}
    if agent not in known and not registry.is_file(agent):
        raise UnknownNameError("agent", agent, known)
    made = agent_row if agent in registry.AGENTS else talking_row
    return made(SystemChoice(name=agent, settings=settings), (Arm.SYSTEM,), env.context.supplies)


def _check(row: Row, *, evolves: bool) -> None:
    """Refuse what only a run can do right."""
    if row.gateway or row.stands_in:
        raise UsageError(f"`{row.label}` needs an environment of its own; `recollect run` gives it one.")
    if row.traits.writes_when_asked:
        raise UsageError(f"asking changes `{row.label}`; `recollect run` restores it after each question.")
    if evolves and Capability.POLICY not in row.traits.can:
        raise UsageError(f"`{row.label}` follows no policy that could be replaced, and this environment has feedback.")


def _room(env: Environment, row: Row, user: HistoryId, folder: Path) -> Room:
    return Room(
        folder=folder,
        namespace=digest([user, row.label])[3:19],
        seed=env.context.seed,
        model=env.context.supplies.model,
        embedder=env.context.supplies.embedder,
    )


class _Player:
    def __init__(self, env: Environment, row: Row, driver: Driver) -> None:
        self.env, self.row, self.driver = env, row, driver
        self.replies: dict[CheckpointId, dict[QuestionId, Reply]] = {}
        self.rewards: list[Rewards] = []
        self.policies: list[str] = []

    def play(self, turn: Turn) -> None:
        """To the end."""
        while True:
            self._take_in(turn)
            if turn.over:
                return
            turn = self._answer() if turn.due else self.env.step(self._reply(turn))

    def _take_in(self, turn: Turn) -> None:
        if turn.heard:
            self._hear(turn.heard)
        if turn.feedback:
            self._evolve(turn.feedback)

    def _hear(self, heard: tuple[Message, ...]) -> None:
        for name in dict.fromkeys(message.session_id for message in heard):
            mine = tuple(message for message in heard if message.session_id == name)
            for fed in feed(Session(session_id=SessionId(name), messages=mine), self.row.traits):
                self.driver.write(fed.batch)

    def _evolve(self, feedback: tuple[str, ...]) -> None:
        maker, face = self.driver.policy_maker(), self.driver.policy()
        if maker is None:
            raise UsageError(f"`{self.row.label}` is registered without a model that proposes policies")
        policy = validate_text(maker.propose(face.policy(), list(feedback)), "a proposed policy")
        face.adopt(policy)
        self.policies.append(policy)

    def _reply(self, turn: Turn) -> Reply:
        if turn.message is None or turn.reply_id is None:
            raise ValueError("there is nothing to reply to")
        return validate_reply(self.driver.the_agent.reply(turn.message, turn.reply_id))

    def _answer(self) -> Turn:
        self.driver.settle()
        said = {
            question.question_id: validate_reply(
                self.driver.the_agent.answer(question_for(self.row, question, self.env.context.prompts))
            )
            for question in self.env.ask()
        }
        rewards = self.env.answer(said)
        self.replies.setdefault(rewards.checkpoint, {}).update(said)
        self.rewards.append(rewards)
        return rewards.turn
