"""A registered agent plays: the same turns, writes and answers as in a run, without its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from recollect import registry
from recollect.contracts.memory import Room
from recollect.contracts.traits import Capability
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.exchange import Reply
from recollect.domain.ids import CheckpointId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Arm
from recollect.engine.feeding.feeder import feed
from recollect.engine.prompts import question_for
from recollect.engine.rows import Row
from recollect.engine.systems.driver import Driver
from recollect.engine.systems.validation import validate_reply, validate_text
from recollect.environment.episodes import Environment
from recollect.environment.turns import Played, PlayedUser, Rewards
from recollect.records.digests import digest
from recollect.runs.setup.config import SystemChoice
from recollect.runs.setup.rows import agent_row, talking_row


def play(
    env: Environment, agent: str, *, settings: Mapping[str, Any] | None = None, users: Iterable[int] | None = None
) -> Played:
    """Let an agent play, a new one for each user; *env* is at the end of the last user's episode afterwards.

    Args:
        env: The environment.
        agent: A registered agent, or a memory, which is made an agent as in a run.
        settings: Those that differ from its defaults, such as a `policy`.
        users: Indices in `env.users`; all by default.

    Raises:
        UsageError: There is no such agent, setting or user, or the agent cannot play here.
        RecollectError: It broke.
    """
    known = {*registry.AGENTS, *registry.MEMORIES, *registry.SYSTEMS}
    if agent not in known and not registry.is_file(agent):
        raise UnknownNameError("agent", agent, known)
    make_row = agent_row if agent in registry.AGENTS else talking_row
    row = make_row(SystemChoice(name=agent, settings=settings or {}), (Arm.SYSTEM,), env.context.supplies)
    _check(row, evolves=env.evolves)
    wanted = range(len(env.users)) if users is None else users
    return Played(agent=row.label, users=tuple(play_row(env, row, user) for user in wanted))


def play_row(env: Environment, row: Row, user: int) -> PlayedUser:
    """Let the agent of a row play one user's episode."""
    turn = env.reset(user)
    name = env.users[user]
    replies: dict[CheckpointId, dict[QuestionId, Reply]] = {}
    rewards: list[Rewards] = []
    policies: list[str] = []
    with TemporaryDirectory(prefix="recollect-") as folder:
        room = Room(
            folder=Path(folder) / "room",
            namespace=digest([name, row.label])[3:19],
            seed=env.context.seed,
            model=env.context.supplies.model,
            embedder=env.context.supplies.embedder,
        )
        driver = Driver(row, room)
        try:
            while True:
                _write(driver, row, turn.heard)
                if turn.feedback:
                    policies.append(_evolve(driver, row, turn.feedback))
                if turn.due:
                    given = _answers(env, row, driver)
                    rewards.append(env.answer(given))
                    replies.setdefault(rewards[-1].checkpoint, {}).update(given)
                    turn = rewards[-1].turn
                elif turn.message is None or turn.reply_id is None:
                    break
                else:
                    turn = env.step(validate_reply(driver.the_agent.reply(turn.message, turn.reply_id)))
        finally:
            driver.close()
    return PlayedUser(user=name, talk=env.talk, replies=replies, rewards=rewards, policies=policies)


def _check(row: Row, *, evolves: bool) -> None:
    if row.gateway or row.stands_in:
        raise UsageError(f"`{row.label}` needs an environment of its own; `recollect run` gives it one.")
    if row.traits.writes_when_asked:
        raise UsageError(f"asking changes `{row.label}`; `recollect run` restores it after each question.")
    if evolves and Capability.POLICY not in row.traits.can:
        raise UsageError(f"`{row.label}` follows no policy that could be replaced, and this environment has feedback.")


def _write(driver: Driver, row: Row, heard: Sequence[Message]) -> None:
    for name in dict.fromkeys(message.session_id for message in heard):
        messages = tuple(message for message in heard if message.session_id == name)
        for fed in feed(Session(session_id=SessionId(name), messages=messages), row.traits):
            driver.write(fed.batch)


def _evolve(driver: Driver, row: Row, feedback: Sequence[str]) -> str:
    maker, agent = driver.policy_maker(), driver.policy()
    if maker is None:
        raise UsageError(f"`{row.label}` is registered without a model that proposes policies")
    policy = validate_text(maker.propose(agent.policy(), list(feedback)), "a proposed policy")
    agent.adopt(policy)
    return policy


def _answers(env: Environment, row: Row, driver: Driver) -> dict[QuestionId, Reply]:
    driver.settle()
    prompts = env.context.prompts
    return {
        question.question_id: validate_reply(driver.the_agent.answer(question_for(row, question, prompts)))
        for question in env.ask()
    }
