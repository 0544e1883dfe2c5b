"""An agent that plays does what it does in a run: the same talk, answers and policies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.agent import Agent
from recollect.contracts.memory import Room
from recollect.domain.errors import UsageError
from recollect.environment import Environment, play, playing
from recollect.environment.episodes import AgentContext
from recollect.environment.playing import play_row

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row
from tests.fakes.toy_protocols import PROTOCOLS
from tests.unit.environment.toys import environment


def opened(protocol: str) -> Environment:
    return environment(PROTOCOLS[protocol]("one"))


@pytest.mark.parametrize("protocol", ["converse", "evolving"])
def test_a_toy_agent_plays_as_the_engine_has_it(protocol: str, tmp_path: Path) -> None:
    row = agent_row(lambda: toy.BufferAgent(keep=3), toy.AGENT)
    played = play_row(opened(protocol), row, 0)
    harness = Harness(tmp_path / "run")
    trial = harness.trial(*PROTOCOLS[protocol]("one"), row)
    harness.run([trial])
    states = harness.bodies([trial], "state")
    assert played.talk == tuple(one for state in states for one in state.talk)
    assert list(played.policies) == [state.policy for state in states if state.did == "evolve"]
    mine = [reply.text for replies in played.replies.values() for reply in replies.values()]
    assert mine == harness.answers([trial])
    assert len(mine) == 3


def test_an_agent_lives_in_an_empty_room_with_the_seed_of_the_environment() -> None:
    rooms: list[Room] = []

    def move_in(room: Room) -> Agent:
        rooms.append(room)
        assert list(room.folder.iterdir()) == []
        return toy.BufferAgent()

    env = opened("converse")
    env.context = AgentContext(seed=7)
    play_row(env, replace(agent_row(toy.BufferAgent, toy.AGENT), open_agent=move_in), 0)
    (room,) = rooms
    assert room.seed == 7
    assert not room.folder.exists(), "gone afterwards"


def test_what_only_a_run_can_do_right_is_refused() -> None:
    """An agent that changes when asked must be restored, one over HTTP needs a gateway, one without policy none."""
    env = opened("converse")
    refuse(env, replace(toy.AGENT, writes_when_asked=True), "asking changes `awe`")
    refuse(opened("evolving"), replace(toy.AGENT, can=frozenset()), "follows no policy")


def refuse(env: Environment, traits: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        playing._check(agent_row(toy.BufferAgent, traits, label="awe"), evolves=env.evolves)


def test_an_unknown_agent_or_user_is_named() -> None:
    env = environment()
    with pytest.raises(UsageError, match="Did you mean `awi` or `awe`"):
        play(env, "aw")
    with pytest.raises(UsageError, match="unknown key `tpk`"):
        play(env, "awi", settings={"tpk": 3})
    with pytest.raises(UsageError, match="counted from 0"):
        play(env, "native", users=[7])


def test_a_score_is_the_mean_over_all_questions_of_all_users() -> None:
    played = play(environment(), "native")
    scores = [score for user in played.users for one in user.rewards for score in one.scores.values()]
    assert len(scores) == 6
    assert played.score == sum(scores) / 6
    assert play(environment(), "native") == played, "the same again"
