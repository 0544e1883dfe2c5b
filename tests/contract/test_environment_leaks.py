"""Nothing of the key comes out of an environment but rewards, and what was right where complete feedback tells it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from recollect import registry
from recollect.domain.histories import Keyed
from recollect.domain.questions import Key
from recollect.domain.steps import Converse, Evolve, Feedback, Step
from recollect.environment import Environment, Story

from tests.contract.test_no_gold_leaks import CANARY, tainted
from tests.fakes.toy_protocols import converse, evolving
from tests.unit.environment.toys import environment


def seen(env: Environment) -> Iterator[object]:
    """All that whoever plays gets to see of the first user."""
    yield env.users
    turn = env.reset(0)
    while not turn.over:
        yield turn
        if turn.due:
            yield env.ask()
            rewards = env.answer({question.question_id: "1" for question in env.ask()})
            yield rewards
            turn = rewards.turn
        else:
            turn = env.step("I see.")
    yield env.talk


def secretive(step: Step) -> Step:
    """What the simulated user may know is not for whoever talks with it."""
    if isinstance(step, Converse):
        variables = {**step.script.variables, "state": CANARY, "exposed": CANARY, "schema": CANARY}
        return Converse(script=replace(step.script, variables=variables))
    return step


@pytest.mark.parametrize("protocol", [converse, evolving], ids=["converse", "evolving"])
def test_a_player_sees_nothing_of_the_key(protocol: Any) -> None:
    keyed, steps = protocol("one")
    hidden = replace(keyed, keys={name: tainted(key) for name, key in keyed.keys.items()})
    told = [repr(one) for one in seen(environment((hidden, [secretive(step) for step in steps])))]
    assert len(told) > 10
    assert CANARY not in "".join(told)


def test_complete_feedback_does_tell_what_was_right() -> None:
    """The twin that proves that the ear works."""
    keyed, steps = evolving("one")
    complete = [
        Evolve(checkpoint=one.checkpoint, feedback=Feedback(kind="complete")) if isinstance(one, Evolve) else one
        for one in steps
    ]
    hidden = replace(keyed, keys={name: tainted(key) for name, key in keyed.keys.items()})
    told = "".join(repr(one) for one in seen(environment((hidden, complete))))
    assert f"{CANARY}gold" in told
    assert f"{CANARY}oracle" not in told
    assert f"{CANARY}label" not in told


@pytest.mark.parametrize("name", [name for name in sorted(registry.BENCHMARKS) if registry.benchmark(name).users])
@pytest.mark.parametrize("evolve", ["none", "answers"])
def test_of_real_episodes_only_scores_are_seen(name: str, evolve: str) -> None:
    """Gold stays a letter here, for the score reads it; all words around it are tainted."""
    benchmark = registry.benchmark(name)
    data = benchmark.generate(benchmark.sizes[0], 0)
    keyed = data.histories[0]
    settings = benchmark.card.standard.changed(steps={"evolve": evolve}).steps_for(keyed.task)
    steps = [_without_states(step) for step in benchmark.steps(keyed.history, settings)]
    hidden = Keyed(
        history=keyed.history,
        keys={name: _tainted(key) for name, key in keyed.keys.items()},
        task=keyed.task,
        original_id=f"{CANARY}id",
    )
    user = benchmark.users[0].open(None, 0)
    env = Environment([Story(keyed=hidden, steps=tuple(steps))], user, benchmark.score)
    told = [repr(one) for one in seen(env)]
    assert len(told) > 10
    assert CANARY not in "".join(told)


def _tainted(key: Key) -> Key:
    """Every word of the key, in a form that the score can still read."""
    known = json.loads(key.labels.get("states", "{}"))
    states = {letter: [f"{CANARY}{value}" for value in values] for letter, values in known.items()}
    labels = {**key.labels, "states": json.dumps(states), f"{CANARY}name": f"{CANARY}label"}
    gold = dict.fromkeys(key.field_gold, (f"{CANARY}field",))
    return replace(
        key,
        rejected=(f"{CANARY}rejected",),
        field_gold=gold,
        oracle_text=f"{CANARY}oracle",
        guidance=f"{CANARY}guidance",
        labels=labels,
        original_id=f"{CANARY}id",
    )


def _without_states(step: Step) -> Step:
    """The user keeps what it must know to talk; what it never says is tainted."""
    if isinstance(step, Converse):
        variables = {**step.script.variables, "profile": CANARY, "event": CANARY}
        return Converse(script=replace(step.script, variables=variables))
    return step


def test_a_rewards_fields_are_those_that_were_thought_of() -> None:
    """A new field must not slip past the canary unseen."""
    from recollect.environment import Rewards, Turn

    assert {one.name for one in fields(Rewards)} == {"checkpoint", "scores", "states", "gold", "turn"}
    assert {one.name for one in fields(Turn)} == {"message", "reply_id", "due", "heard", "feedback"}
