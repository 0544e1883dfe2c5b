"""What an environment says, takes and refuses, turn by turn."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.domain.errors import UsageError
from recollect.domain.exchange import Recall, RecallItem, Reply
from recollect.domain.steps import Arm, Ask, Converse, Evolve, Feedback, Observe
from recollect.environment import Environment, Rewards, Turn

from tests.fakes.toy_protocols import converse, evolving, observe_all
from tests.unit.environment.toys import environment


def to_the_questions(env: Environment, turn: Turn) -> Turn:
    while turn.message is not None:
        turn = env.step("I see.")
    return turn


def answered(env: Environment, text: str = "blue") -> Rewards:
    return env.answer({question.question_id: text for question in env.ask()})


def test_a_user_is_talked_with_then_asked_about_and_rewards_come_back() -> None:
    env = environment()
    turn = env.reset(0)
    assert (turn.text, turn.due, turn.over) == ("river is blue", False, False)
    turn = env.step("I see.")
    assert turn.text == "castle is old"
    turn = env.step("I see.")
    assert (turn.message, turn.due) == (None, True)
    assert [question.text for question in env.ask()] == ["What is river?"]
    rewards = answered(env)
    assert (rewards.mean, list(rewards.scores.values()), rewards.gold) == (1.0, [1.0], {})
    assert rewards.turn.text == "garden is green"


def test_an_episode_ends_after_its_last_questions() -> None:
    env = environment()
    turn = env.reset(1)
    scores = []
    while not turn.over:
        rewards = answered(env) if turn.due else None
        scores += [] if rewards is None else [rewards.mean]
        turn = rewards.turn if rewards else env.step("I see.")
    assert scores == [1.0, 0.0, 0.0], "blue is right of the river alone"
    assert len(env.talk) == 12, "three dialogues of two rounds"


def test_a_reset_begins_anew_and_says_the_same_again() -> None:
    env = environment()
    first = [env.reset(0), env.step("a"), env.step("b")]
    assert [env.reset(0), env.step("a"), env.step("b")] == first
    assert env.reset(1) != first[0]
    assert env.talk == ()


def test_what_is_not_waited_for_is_refused_and_said() -> None:
    env = environment()
    with pytest.raises(UsageError, match="`reset` begins an episode"):
        env.step("hello")
    with pytest.raises(UsageError, match="there are 2, counted from 0"):
        env.reset(2)
    with pytest.raises(UsageError, match="counted from 0"):
        env.reset(-1)
    turn = env.reset(0)
    with pytest.raises(UsageError, match="the user waits for a reply"):
        env.ask()
    to_the_questions(env, turn)
    with pytest.raises(UsageError, match="`answer` them"):
        env.step("hello")


def test_every_question_is_answered_and_no_other() -> None:
    """A question that was forgotten is no wrong answer."""
    env = environment()
    to_the_questions(env, env.reset(0))
    with pytest.raises(UsageError, match="1 questions without an answer, 0 answers without a question"):
        env.answer({})
    named = {question.question_id: "blue" for question in env.ask()}
    with pytest.raises(UsageError, match="0 questions without an answer, 1 answers without a question"):
        env.answer({**named, "q0": "blue"})  # type: ignore[dict-item]
    assert env.answer(named).mean == 1.0


@pytest.mark.parametrize(
    ("kind", "told", "untold"),
    [
        ("questions", ["What is river?"], ["red", "seen it", "blue"]),
        ("answers", ["What is river?", "red", "seen it"], ["blue"]),
        ("complete", ["What is river?", "red", "seen it", "blue", "told by the user"], []),
    ],
)
def test_feedback_tells_as_much_as_was_asked_for(kind: Any, told: list[str], untold: list[str]) -> None:
    keyed, steps = evolving("one")
    feedback = Feedback(kind=kind, exposed={"river": "blue"})
    changed = [
        Evolve(checkpoint=one.checkpoint, feedback=feedback) if isinstance(one, Evolve) else one for one in steps
    ]
    env = environment((keyed, changed))
    to_the_questions(env, env.reset(0))
    remembered = Recall(items=(RecallItem(text="seen it", sources=()),))
    rewards = env.answer({one.question_id: Reply(text="red", recall=remembered) for one in env.ask()})
    said = " ".join(rewards.turn.feedback)
    assert all(word in said for word in told)
    assert not any(word in said for word in untold)
    assert bool(rewards.gold) is (kind == "complete")


def test_without_evolution_there_is_no_feedback() -> None:
    env = environment()
    to_the_questions(env, env.reset(0))
    assert answered(env).turn.feedback == ()
    assert not env.evolves
    assert environment(evolving("one")).evolves


def test_what_is_shown_without_a_reply_comes_with_the_next_turn() -> None:
    keyed, steps = observe_all("one")
    dialogue = next(step for step in converse("one")[1] if isinstance(step, Converse))
    turn = environment((keyed, [*steps[:-1], dialogue])).reset(0)
    shown = [one for step in steps if isinstance(step, Observe) for one in step.session.messages]
    assert turn.heard == tuple(shown)
    assert turn.text == "river is blue"


def test_questions_for_the_oracle_alone_are_put_to_nobody() -> None:
    keyed, steps = converse("one")
    asking = next(step for step in steps if isinstance(step, Ask))
    bound = Ask(checkpoint=asking.checkpoint, questions=asking.questions, arms=(Arm.ORACLE,))
    turn = environment((keyed, [bound, *steps])).reset(0)
    assert not turn.due
    assert turn.text == "river is blue"
